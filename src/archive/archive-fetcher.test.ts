import { expect, test } from 'vitest'
import type { Fetcher } from '#crawl/ports.ts'
import { replayAnswer } from '#lab/replay/replay.ts'
import type { FetchOutcome } from '#learn/entries/outcome.ts'
import { REL_HUB, REL_ROBOTS, REL_SITEMAP } from '#parse/page/page.ts'
import { parsePage } from '#parse/parse-page.ts'
import { archiveFetcher } from './archive-fetcher.ts'
import { archiveOf } from './format/assemble-archive.ts'
import { smallArchive } from './format/small-archive.test-kit.ts'
import { RecordedWeb } from './recorded-web.ts'

const HOME = 'http://a.example/'
const archive = archiveOf(
  smallArchive(
    2,
    {
      [HOME]: [
        { live: [0, 0], title: 'First', text: ['one'] },
        { live: [1, 1], title: 'Second', text: ['three'] },
      ],
      'http://a.example/private': [{ live: [0, 1] }],
      'http://a.example/moved': [{ live: [0, 1], redirect: HOME }],
      'http://a.example/later': [{ live: [1, 1] }],
    },
    { robots: { 'a.example': 'User-agent: Forager\nDisallow: /private' } },
  ),
)
const web = new RecordedWeb(archive, 0)
const clock = { now: () => 42 }

async function fetchUrls(fetcher: Fetcher, urls: string[]) {
  const outcomes: FetchOutcome[] = []
  const requests = urls.map((url, id) => ({ id, url, priority: 0 }))
  fetcher.post({ requests, sends: requests.length })
  for (let next = await fetcher.next(); next; next = await fetcher.next()) outcomes.push(next)
  return outcomes
}

test('each request gets the outcome that the recorded web has for it', async () => {
  const outcomes = await fetchUrls(archiveFetcher(web, clock), [
    HOME,
    'http://a.example/private',
    'http://a.example/moved',
    'http://a.example/later',
    'http://nowhere.example/',
  ])
  expect(outcomes).toMatchObject([
    { kind: 'page', id: 0, url: HOME, at: 42, ms: 0, status: 200, bytes: 3 },
    { kind: 'disallowed', id: 1, rule: 'Disallow: /private' },
    { kind: 'redirect', id: 2, status: 301, target: HOME },
    { kind: 'gone', id: 3, status: 410 },
    { kind: 'gone', id: 4, status: 404 },
  ])
  expect(outcomes[0]).toMatchObject({
    contentHash: archive.contentHashOf(0),
    lastModified: 'Mon, 01 Jan 2024 00:00:00 GMT',
  })
})

test('time may pass between two fetches', async () => {
  let snapshot = 0
  const fetcher = archiveFetcher(() => web.at(snapshot), clock)
  const titles: string[] = []
  for (snapshot of [0, 1]) {
    const [outcome] = await fetchUrls(fetcher, [HOME])
    titles.push(outcome.kind === 'page' ? outcome.page.title : outcome.kind)
  }
  expect(titles).toEqual(['First', 'Second'])
})

test('the first outcome of an origin brings the sitemap its robots.txt names, or the usual place', async () => {
  const fetcher = archiveFetcher(web, clock)
  const outcomes = await fetchUrls(fetcher, [
    'http://a.example/private',
    HOME,
    'https://a.example/',
    'http://nowhere.example/',
  ])
  const hub = (url: string, rel = REL_HUB | REL_ROBOTS) => [{ url, anchor: '', rel }]
  expect(outcomes.map(({ found }) => found)).toEqual([
    hub('http://a.example/sitemap.xml'),
    undefined,
    hub('https://a.example/sitemap.xml'),
    hub('http://nowhere.example/sitemap.xml', REL_ROBOTS),
  ])
  expect((await fetchUrls(fetcher, [HOME]))[0].found).toBeUndefined()
})

test('the sitemap is a page of the URLs that live, with their dates', async () => {
  const [outcome] = await fetchUrls(archiveFetcher(web.at(1), clock), [
    'http://a.example/sitemap.xml',
  ])
  expect(outcome).toMatchObject({ kind: 'page', status: 200, page: { form: 'sitemap' } })
  const links = outcome.kind === 'page' ? outcome.page.links : []
  expect(links).toEqual(
    [HOME, 'http://a.example/private', 'http://a.example/later'].map((url) => ({
      url,
      anchor: '',
      rel: REL_SITEMAP,
      lastModified: web.at(1).sitemapDate('a.example', url),
    })),
  )
})

test('a web may have no sitemaps, and a crawl may not ask for them', async () => {
  const bare = new RecordedWeb(archive, 0, { sitemaps: 'none' })
  const fetcher = archiveFetcher(bare, clock, { sitemaps: false })
  const outcomes = await fetchUrls(fetcher, [HOME, 'http://a.example/sitemap.xml'])
  expect(outcomes).toMatchObject([{ kind: 'page' }, { kind: 'gone', status: 404 }])
  expect(outcomes[0].found).toBeUndefined()
  expect(bare.at(1).sitemaps).toBe('none')
})

const AS_SERVED = ['/robots.txt', '/sitemap.xml', '/sitemap-1.xml', '/robots.txt?x', '/favicon.ico']
test.each(AS_SERVED)('%s says in the lab what it says over HTTP', async (path) => {
  for (const options of [{}, { sitemaps: 'none' }] as const) {
    const here = new RecordedWeb(archive, 1, options)
    const url = `http://a.example${path}`
    const [direct] = await fetchUrls(archiveFetcher(here, clock), [url])
    const headers = { 'x-forwarded-proto': 'http' }
    const served = replayAnswer({ method: 'GET', host: 'a.example', path, headers }, here)
    expect('status' in direct && direct.status).toBe(served.status)
    if (direct.kind !== 'page') continue
    const bytes = new TextEncoder().encode(served.body)
    expect(direct.page).toEqual(parsePage(bytes, served.headers['content-type'], url))
  }
})
