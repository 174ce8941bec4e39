import { Agent, request } from 'undici'
import { afterAll, describe, expect, test } from 'vitest'
import { archiveFetcher } from '#archive/archive-fetcher.ts'
import { archiveOf } from '#archive/format/assemble-archive.ts'
import { smallArchive } from '#archive/format/small-archive.test-kit.ts'
import { RecordedWeb } from '#archive/recorded-web.ts'
import type { Fetcher } from '#crawl/ports.ts'
import { liveFetcher } from '#fetch/live-fetcher.ts'
import { outcomesOf } from '#fetch/scripted-server.test-kit.ts'
import { parseResolveRule } from '#fetch/wire/resolve-rules.ts'
import type { FetchOutcome } from '#learn/entries/outcome.ts'
import { type ReplayLogEntry, startReplayServer } from './replay-server.ts'

const LONG_TEXT = Array.from({ length: 300 }, (_, i) => `Line ${i} – with Ümläuts & <tags>`)
const archive = archiveOf(
  smallArchive(
    4,
    {
      'https://a.example/': [
        {
          live: [0, 1],
          title: 'Früher',
          text: ['First   words'],
          links: [
            ['https://a.example/moved', 'it moved'],
            ['https://b.example/x?y=1&z=2', '"quoted" & <b>'],
            ['https://c.example/', ''],
          ],
        },
        { live: [2, 3], title: 'Später', text: LONG_TEXT, boilerplate: ['Menu', 'Imprint'] },
      ],
      'https://a.example/moved': [{ live: [0, 3], redirect: 'https://b.example/x?y=1&z=2' }],
      'https://a.example/gone': [{ live: [0, 0], title: 'Gone' }],
      'https://a.example/secret/1': [{ live: [0, 3], title: 'Secret' }],
      'https://b.example/x?y=1&z=2': [{ live: [0, 3], title: '', text: [] }],
      'http://b.example/': [{ live: [0, 3], title: 'Plain', text: ['http only'] }],
      'https://c.example:8443/': [{ live: [1, 3], title: 'Port' }],
    },
    { robots: { 'a.example': 'User-agent: *\nDisallow: /secret\n' } },
  ),
)
const agent = new Agent()
afterAll(() => agent.close())

async function replay(from = 0, speed = 0, now?: () => number) {
  const log: ReplayLogEntry[] = []
  const onAnswer = (entry: ReplayLogEntry) => log.push(entry)
  const server = await startReplayServer({
    archive,
    port: 0,
    from,
    speed,
    onAnswer,
    ...(now && { now }),
  })
  const get = async (host: string, path: string, headers = {}, method: 'GET' | 'HEAD' = 'GET') => {
    const answer = await request(`http://127.0.0.1:${server.port}${path}`, {
      method,
      headers: { host, ...headers },
      dispatcher: agent,
    })
    const body = Buffer.from(await answer.body.arrayBuffer())
    return { status: answer.statusCode, headers: answer.headers, body }
  }
  return { ...server, get, log, [Symbol.asyncDispose]: () => server.close() }
}

describe('the replay server', () => {
  test('serves every host of the archive by its name', async () => {
    await using server = await replay()
    expect(String((await server.get('a.example', '/')).body)).toContain('<title>Früher</title>')
    expect(String((await server.get('b.example', '/')).body)).toContain('<title>Plain</title>')
    expect((await server.get('nobody.example', '/')).status).toBe(404)
    expect(server.log.map(({ host, path, status }) => [host, path, status])).toEqual([
      ['a.example', '/', 200],
      ['b.example', '/', 200],
      ['nobody.example', '/', 404],
    ])
    expect(Object.fromEntries(server.counts())).toEqual({ 200: 2, 404: 1 })
  })

  test('answers conditional requests, HEAD, redirects and what is gone', async () => {
    await using server = await replay(1)
    const { headers } = await server.get('a.example', '/')
    const again = await server.get('a.example', '/', { 'if-none-match': headers.etag })
    expect([again.status, again.body.length]).toEqual([304, 0])
    const since = { 'if-modified-since': headers['last-modified'] }
    expect((await server.get('a.example', '/', since)).status).toBe(304)
    const head = await server.get('a.example', '/', {}, 'HEAD')
    expect([head.status, head.headers['content-length'], head.body.length]).toEqual([
      200,
      headers['content-length'],
      0,
    ])
    const moved = await server.get('a.example', '/moved')
    expect([moved.status, moved.headers.location]).toEqual([301, 'https://b.example/x?y=1&z=2'])
    expect((await server.get('a.example', '/gone')).status).toBe(410)
  })

  test('packs what is worth packing for those who accept it', async () => {
    await using server = await replay(3)
    const packed = await server.get('a.example', '/', { 'accept-encoding': 'gzip, br' })
    const plain = await server.get('a.example', '/')
    expect(packed.headers['content-encoding']).toBe('gzip')
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(packed.body.length).toBeLessThan(plain.body.length / 2)
    const refused = await server.get('a.example', '/', { 'accept-encoding': 'gzip;q=0, br' })
    expect(refused.headers['content-encoding']).toBeUndefined()
  })

  test('tells of each request when it comes and when it is answered', async () => {
    const seen: string[] = []
    const onRequest = (url: string) => {
      seen.push(`asked ${url}`)
      return () => seen.push(`answered ${url}`)
    }
    const options = { archive, port: 0, from: 0, speed: 0, answerMs: 1, sitemaps: 'none' } as const
    const server = await startReplayServer({ ...options, onRequest })
    const get = (path: string) =>
      request(`http://127.0.0.1:${server.port}${path}`, {
        headers: { host: 'a.example', 'x-forwarded-proto': 'http' },
        dispatcher: agent,
      })
    const robots = await get('/robots.txt')
    expect(await robots.body.text()).not.toContain('Sitemap')
    const sitemap = await get('/sitemap.xml')
    expect(sitemap.statusCode).toBe(404)
    await sitemap.body.dump()
    await server.close()
    const urls = ['http://a.example/robots.txt', 'http://a.example/sitemap.xml']
    expect(seen).toEqual(urls.flatMap((url) => [`asked ${url}`, `answered ${url}`]))
  })

  test('shows later snapshots as its clock goes on', async () => {
    let now = 5_000
    await using server = await replay(0, 60, () => now)
    const title = async () =>
      /<title>(.*?)</.exec(String((await server.get('a.example', '/')).body))?.[1]
    expect([server.snapshot(), await title()]).toEqual([0, 'Früher'])
    const before = (await server.get('a.example', '/')).headers.etag
    now += 2_000
    expect([server.snapshot(), await title()]).toEqual([2, 'Später'])
    const after = await server.get('a.example', '/', { 'if-none-match': before })
    expect(after.status).toBe(200)
    now += 1e9
    expect(server.snapshot()).toBe(3)
  })

  test('closes while clients still hold connections', async () => {
    const server = await replay()
    await server.get('a.example', '/')
    await server.close()
    await expect(server.get('a.example', '/')).rejects.toThrow()
  })
})

const clock = { now: () => archive.timeOf(0) }

async function outcomesByUrl(fetcher: Fetcher, urls: readonly string[]) {
  const requests = urls.map((url, id) => ({ id, url, priority: 0 }))
  const outcomes = await outcomesOf(fetcher, requests)
  await fetcher.close()
  return outcomes.map(meaning)
}

/** What a crawl learns from an outcome; how it travelled may differ. */
function meaning(outcome: FetchOutcome) {
  const { url, kind } = outcome
  if (outcome.kind === 'page') return { url, kind, status: outcome.status, page: outcome.page }
  if (outcome.kind === 'redirect') return { url, kind, target: outcome.target }
  if (outcome.kind === 'disallowed') return { url, kind, rule: outcome.rule }
  return { url, kind, status: 'status' in outcome ? outcome.status : undefined }
}

test.each([0, 1, 2, 3])(
  'at snapshot %i a fetch over HTTP tells the same as a fetch in the lab',
  async (snapshot) => {
    await using server = await replay(snapshot)
    const urls = Array.from({ length: archive.pageCount }, (_, page) => archive.urlOf(page))
    urls.push('https://a.example/never', 'http://a.example/', 'https://nobody.example/')
    const live = liveFetcher({
      userAgent: 'forager-test/1.0',
      agentToken: 'forager',
      resolve: [parseResolveRule(`*=127.0.0.1:${server.port}`)],
      delayMs: 0,
      connectionsPerHost: 1,
      concurrency: 8,
      timeouts: { connectMs: 5_000, firstByteMs: 5_000, totalMs: 10_000 },
      maxBodyBytes: 1_000_000,
      clock,
    })
    const overHttp = await outcomesByUrl(live, urls)
    const inTheLab = await outcomesByUrl(
      archiveFetcher(new RecordedWeb(archive, snapshot), clock),
      urls,
    )
    expect(overHttp).toEqual(inTheLab)
    expect(new Set(overHttp.map(({ kind }) => kind))).toEqual(
      new Set(['page', 'redirect', 'disallowed', 'gone']),
    )
  },
)
