import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rounded } from './cost.ts'
import { runProgram } from './crawl-process.ts'
import { numberFlags } from './flags.ts'

const FORAGER = join(import.meta.dirname, '..', 'bin', 'forager.js')
const MOST_SECONDS = 15
const MOST_RSS_MB = 1_500

/** Resumes a crawl that knows millions of URLs: how long until its first request, how much memory. */
export async function run(args: string[]): Promise<object> {
  const flags = { urls: 2_000_000, links: 20_000_000, fetches: 200, seed: 7 }
  const { urls, links, fetches, seed } = numberFlags(args, flags)
  const dir = mkdtempSync(join(tmpdir(), 'forager-bench-'))
  try {
    console.error('writing a crawl directory …')
    const writer = [join(import.meta.dirname, 'write-crawl-dir.ts'), dir]
    const numbers = [urls, links, seed].map(String)
    const written = execFileSync(process.execPath, [...writer, ...numbers], { encoding: 'utf8' })
    const { fetches: spent } = JSON.parse(written)
    const resumed = await resume(dir, spent + fetches)
    const isQuick = resumed.secondsToFirstRequest < MOST_SECONDS
    const ok = isQuick && resumed.rssMb < MOST_RSS_MB
    if (!ok) process.exitCode = 1
    return { benchmark: 'known', ok, urls, links, ...resumed }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

/** Runs the crawl process against a server that has a page at every address of every host. */
async function resume(dir: string, budget: number) {
  let firstRequestAt = 0
  const server = createServer((request, response) => {
    firstRequestAt ||= performance.now()
    const isRobots = request.url === '/robots.txt'
    response.writeHead(isRobots ? 404 : 200, { 'content-type': 'text/html' })
    response.end(
      isRobots ? '' : `<title>${request.url}</title><p>A page of ${request.headers.host}`,
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const args = ['crawl', '--dir', dir, '--budget', String(budget), '--json']
  args.push('https://www0.domain0.com/', '--resolve', `*=127.0.0.1:${port}`)
  args.push('--delay', '0', '--response-factor', '0', '--contact', 'bench@bench.test')
  try {
    const startedAt = performance.now()
    const { result, ...run } = await runProgram(FORAGER, args)
    return {
      secondsToFirstRequest: rounded((firstRequestAt - startedAt) / 1000),
      seconds: rounded(run.wallSeconds),
      cpuSeconds: rounded(run.cpuSeconds),
      rssMb: run.rssMb,
      fetched: result.fetchedNow,
      end: result.end,
    }
  } finally {
    server.closeAllConnections()
    server.close()
  }
}
