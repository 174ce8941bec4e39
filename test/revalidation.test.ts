import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { askTables } from '#repository/database/ask-tables.test-kit.ts'
import { CrawlStore } from '#repository/state/crawl-store.ts'
import { forager } from './forager-process.ts'

/** Three pages that link to each other, with validators; `/b` changes when told. */
async function startSite() {
  const contents = new Map([
    ['/', 'one <a href="/a">to a</a> <a href="/b">to b</a>'],
    ['/a', 'two'],
    ['/b', 'three'],
  ])
  const answers: string[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    const content = contents.get(path)
    if (content === undefined) {
      response.writeHead(404).end()
      return
    }
    const etag = `"${Buffer.from(content).toString('hex').slice(0, 60)}"`
    const isSame = request.headers['if-none-match'] === etag
    answers.push(`${path} ${isSame ? 304 : 200}`)
    response.writeHead(isSame ? 304 : 200, { etag, 'content-type': 'text/html' })
    response.end(isSame ? undefined : `<title>${path}</title><p>${content}</p>`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { contents, answers, resolve: `*=127.0.0.1:${port}`, close: () => server.close() }
}

/** Moves what was fetched into the past. */
async function tenDaysPass(dir: string): Promise<void> {
  await askTables(dir, 'UPDATE fetch_log SET fetched_at = fetched_at - 864000')
}

test('a page that has not changed is asked about, not fetched, and keeps what was known of it', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'forager-again-'))
  const site = await startSite()
  const args = [
    'crawl',
    'http://site.test/',
    '--dir',
    dir,
    '--resolve',
    site.resolve,
    '--delay',
    '0',
    '--json',
    '--no-sitemaps',
  ]
  try {
    const first = JSON.parse((await forager(...args, '--budget', '3')).stdout)
    expect(first.outcomes).toEqual({ page: 3 })
    await tenDaysPass(dir)
    site.contents.set('/b', 'three, and more')
    site.answers.length = 0
    const run = await forager(...args, '--budget', '6', '--refresh-after', '7d')
    expect(run.stderr).toMatch(
      /^--refresh-after: 3 copies are older: until they are fetched again, half of/m,
    )
    const again = JSON.parse(run.stdout)
    expect(again.fetchedNow).toBe(3)
    // One question in a few is a trick one: does the server answer 304 to anything?
    expect(site.answers.filter((answer) => answer.endsWith(' 304')).length).toBeGreaterThan(0)
    expect(site.answers).toContain('/b 200')
    const store = await CrawlStore.open(dir)
    const { frontier } = await store.load()
    store.close()
    const changed = await askTables(
      dir,
      'SELECT u.url FROM fetch_log f JOIN url u ON u.id = f.url_id WHERE f.id >= 3 AND f.changed',
    )
    expect(changed).toEqual([{ url: 'http://site.test/b' }])
    expect([...frontier.links.rowOf(0).targets]).toEqual([1, 2])
    expect(frontier.stateOf(0)).toBe('page')
  } finally {
    site.close()
    rmSync(dir, { recursive: true, force: true })
  }
})
