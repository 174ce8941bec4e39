/**
 * Counts one page's way through a live crawl: `node scripts/way/count-way.ts [CHECKOUT]`. It crawls a small site on this
 * machine, steered by a query log, and lists the files that a further run calls, in the order of their first call.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Rooms of plain tools, which hand nothing on. */
const TOOLS = ['errors', 'numeric']
const PAGES = 40

const checkout = process.argv[2] ?? join(import.meta.dirname, '..', '..')
const work = mkdtempSync(join(tmpdir(), 'forager-way-'))
const calls = join(work, 'calls')
let moment = 0
const server = createServer((request, response) => {
  const [, number] = /^\/page-(\d+)$/.exec(request.url ?? '') ?? []
  const page = Number(number ?? 0)
  const isPage = request.url === '/' || (number !== undefined && page < PAGES)
  response.writeHead(isPage ? 200 : 404, { 'content-type': 'text/html' })
  response.end(isPage ? pageText(page) : 'no such page')
}).listen(0, '127.0.0.1')

try {
  await once(server, 'listening')
  const site = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  mkdirSync(calls)
  writeFileSync(join(work, 'log.csv'), 'query,count\nred shoes,30\nblue tents,20\nword7 word9,9\n')
  await forager(['queries', 'import', 'log.csv', '--format', 'csv', '--dir', 'data'])
  const crawl = [
    'crawl',
    site,
    '--dir',
    'data',
    '--delay',
    '0',
    '--allow-private',
    '--contact',
    'a@example.org',
  ]
  await forager([...crawl, '--budget', '20'])
  moment++
  await forager([...crawl, '--budget', '30'], { FORAGER_CALLS: calls })
  console.log(JSON.stringify(wayOf(readCalls()), null, 2))
} finally {
  server.close()
  rmSync(work, { recursive: true, force: true })
}

/** Some pages change between runs, all name others. */
function pageText(page: number): string {
  const links = Array.from({ length: 5 }, (_, i) => (page * 5 + i + 1) % PAGES)
  const version = page % 3 === 0 ? moment : 0
  return `<html lang="en"><title>red shoes ${page}</title><body><h1>Page ${page}, version ${version}</h1>
    <p>Shoes and tents, word${page % 11} word${(page * 7) % 13}, told at some length so that it counts as text.</p>
    ${links.map((link) => `<a href="/page-${link}">blue tents ${link}</a>`).join('\n')}`
}

async function forager(args: string[], env: Record<string, string> = {}): Promise<void> {
  const hook = join(import.meta.dirname, 'record-calls.ts')
  const program = join(checkout, 'bin', 'forager.js')
  const child = spawn(process.execPath, ['--import', hook, program, ...args], {
    ...{ cwd: work, env: { ...process.env, ...env } },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`forager ${args.join(' ')} ended with ${code}`)
}

/** The files called by each thread, the main one first. */
function readCalls(): string[][] {
  const threads = globSync(join(calls, '*.json')).map(
    (path): { isMain: boolean; called: string[] } => JSON.parse(readFileSync(path, 'utf8')),
  )
  return threads
    .sort((a, b) => Number(b.isMain) - Number(a.isMain))
    .map(({ called }) => called.filter((file) => !TOOLS.includes(roomOf(file))))
}

function wayOf(threads: readonly string[][]) {
  const files = new Set(threads.flat())
  const byRoom = Object.fromEntries(
    [...Map.groupBy(files, roomOf)].map(([room, own]) => [room, own.length]),
  )
  const crossings = threads
    .flatMap((files) => files.map(roomOf))
    .reduce((sum, room, i, rooms) => sum + Number(i > 0 && room !== rooms[i - 1]), 0)
  return { files: files.size, crossings, byRoom, threads }
}

function roomOf(file: string): string {
  return file.split('/')[0]
}
