import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askTables } from '#repository/database/ask-tables.test-kit.ts'
import { sharedFolder } from '#repository/temporary-folder.test-kit.ts'
import { forager } from './forager-process.ts'

const FILLER = Array.from({ length: 80 }, (_, i) => `filler${(i * 7919) % 5003}`).join(' ')
const article = (word: string) => `<title>${word}</title><p>${word} ${FILLER}`
const links = (...paths: string[]) => paths.map((path) => `<a href="${path}">x</a>`).join()

/** By path: a page, a status, or where it redirects to. */
const BEFORE: Readonly<Record<string, string | number>> = {
  '/': links('/moves', '/twin', '/twin2', '/shy', '/shy2', '/shut', '/later', '/loop'),
  '/moves': article('zebra'),
  '/twin': article('giraffe'),
  '/twin2': article('giraffe'),
  '/shy': article('lynx'),
  '/shy2': article('lynx'),
  '/shut': article('ibex'),
  '/later': 404,
  '/loop': `<link rel="canonical" href="/back">${article('okapi')}`,
  '/back': '/loop',
}
const AFTER = {
  ...BEFORE,
  '/moves': '/moved',
  '/moved': article('zebra'),
  '/twin': 404,
  '/shy': `<meta name="robots" content="noindex">${article('lynx')}`,
  '/shut': 403,
}
const MONTHS_LATER = { ...AFTER, '/shut': article('ibex'), '/later': article('emu') }

let site = BEFORE
const server = createServer(({ url = '/' }, response) => {
  const content = site[url] ?? 404
  if (typeof content === 'number') response.writeHead(content).end()
  else if (content.startsWith('/')) response.writeHead(301, { location: content }).end()
  else response.writeHead(200, { 'content-type': 'text/html', etag: '"1"' }).end(content)
})
const dir = sharedFolder()
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  server.close()
})

async function crawl(budget: number): Promise<void> {
  const { port } = server.address() as AddressInfo
  const flags = ['--resolve', `*=127.0.0.1:${port}`, '--delay', '0', '--no-sitemaps', '--no-warc']
  const limits = ['--budget', `${budget}`, '--policy', 'pagerank', '--refresh-after', '7d']
  await forager('crawl', 'http://site.test/', '--dir', dir, ...flags, ...limits)
}

async function daysPass(days: number): Promise<void> {
  const seconds = days * 86_400
  await askTables(dir, `UPDATE fetch_log SET fetched_at = fetched_at - ${seconds}`)
  await askTables(dir, `UPDATE fetch_log SET retry_at = retry_at - ${seconds} WHERE retry_at > 0`)
}

async function found(word: string): Promise<string[]> {
  const { stdout } = await forager('search', word, '--dir', dir, '--json')
  return JSON.parse(stdout).results.map(({ url }: { url: string }) => new URL(url).pathname)
}

test('what moves, doubles, hides or comes back is found where it is now', async () => {
  await crawl(50)
  expect(await found('zebra')).toEqual(['/moves'])
  expect(await found('giraffe')).toEqual(['/twin'])
  expect(await found('lynx')).toEqual(['/shy'])
  expect(await found('okapi')).toEqual(['/loop'])
  site = AFTER
  await daysPass(10)
  await crawl(100)
  expect(await found('zebra')).toEqual(['/moved'])
  expect(await found('giraffe')).toEqual(['/twin2'])
  expect(await found('lynx')).toEqual(['/shy2'])
  expect(await found('ibex')).toEqual([])
  site = MONTHS_LATER
  await daysPass(40)
  await crawl(150)
  expect(await found('ibex')).toEqual(['/shut'])
  expect(await found('emu')).toEqual(['/later'])
})
