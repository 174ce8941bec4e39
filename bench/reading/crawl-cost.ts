import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { inFolder } from '../harness/in-folder.ts'
import { runProgram } from '../harness/run-program.ts'

/** What a crawl of pages in link order costs with the programs in these folders, by turns: CPU seconds of each, least of all turns. */
export async function crawlCosts(
  pages: readonly string[],
  roots: readonly string[],
  turns: number,
): Promise<number[]> {
  const links = pages.map((_, i) => `<a href="/${i}/">page ${i}</a>\n`).join('')
  const server = createServer(({ url = '' }, response) => {
    const page = url === '/' ? links : pages[Number(/^\/(\d+)\/$/.exec(url)?.[1] ?? -1)]
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html' })
    response.end(page)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const seed = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const least = roots.map(() => Number.POSITIVE_INFINITY)
  for (let turn = 0; turn < turns; turn++)
    for (const [i, root] of roots.entries())
      least[i] = Math.min(least[i], await crawlBy(root, seed, pages.length + 1))
  server.close()
  return least
}

function crawlBy(root: string, seed: string, budget: number): Promise<number> {
  return inFolder(async (dir) => {
    const flags = ['--delay', 0, '--allow-private', '--policy', 'bfs', '--json']
    const args = ['crawl', seed, '--dir', dir, '--budget', budget, ...flags]
    const { cpuSeconds } = await runProgram(join(root, 'bin', 'forager.js'), args)
    return cpuSeconds
  })
}
