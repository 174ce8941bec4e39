import { expect, onTestFinished, test } from 'vitest'
import { ByteLedger } from '../bounds/byte-ledger.ts'
import { Deadline } from '../client/deadline.ts'
import { WebClient } from '../client/web-client.ts'
import { RobotsCache } from '../robots/robots-cache.ts'
import { type Respond, scriptedServer } from '../scripted-server.test-kit.ts'
import { parseResolveRule } from '../wire/resolve-rules.ts'
import { Subresources } from './subresources.ts'

/** What scripts of pages on a.test and b.test are sent by a server of this machine; nothing else there may be reached. */
async function served(respond: Respond) {
  const server = await scriptedServer(respond)
  onTestFinished(() => server[Symbol.asyncDispose]())
  const now = () => performance.now() / 1000
  const options = {
    ...{ userAgent: 'Forager/test', agentToken: 'forager', connectionsPerHost: 1, concurrency: 4 },
    resolve: [parseResolveRule(`*.test=127.0.0.1:${server.port}`)],
    ...{ delayMs: 0, maxBodyBytes: 1 << 20, clock: { now } },
    timeouts: { connectMs: 5_000, firstByteMs: 5_000, totalMs: 9_000 },
  }
  const bounds = { ledger: new ByteLedger(), workers: 1 }
  const client = new WebClient(options, bounds, new Deadline(now))
  onTestFinished(() => client.close())
  const robots = new RobotsCache({ ...options, now, get: (url) => client.getRobots(url) })
  const subresources = new Subresources({ client, robots, agentToken: 'forager' })
  const get = (url: string, { isScript = false, headers = {}, maxBytes = 10_000 } = {}) =>
    subresources.get({ url, page: 'http://a.test/', headers, isScript }, maxBytes)
  return { get, server }
}

const site: Respond = ({ url = '', headers: { host }, socket }, response) => {
  if (url === '/robots.txt') return response.end('User-agent: *\nDisallow: /no')
  if (url === '/moved') return response.writeHead(302, { location: '/data' }).end()
  if (url === '/moved-away')
    return response.writeHead(302, { location: 'http://b.test/data' }).end()
  if (url === '/inside')
    return response.writeHead(302, { location: `http://127.0.0.1:${socket.localPort}/x` }).end()
  if (url === '/long') return response.end('x'.repeat(50_000))
  response.setHeader('set-cookie', 'a=1')
  return response.end(`data of ${host}`)
}
const textOf = ({ answer }: { answer: { body: Uint8Array } | string }) =>
  typeof answer === 'string' ? answer : Buffer.from(answer.body).toString()

test('scripts are sent what they ask for, without cookies, and told by whom it is asked', async () => {
  const { get, server } = await served(site)
  const headers = { 'x-api': '1', cookie: 'a=1', 'user-agent': 'Mozilla', 'sec-fetch-mode': 'cors' }
  const got = await get('http://a.test/data', { headers })
  expect(textOf(got)).toBe('data of a.test')
  expect(got.answer).toHaveProperty('headers', expect.not.objectContaining({ 'set-cookie': 'a=1' }))
  const sent = server.arrivals.at(-1)!.headers
  expect(sent).toMatchObject({ 'x-api': '1', 'user-agent': 'Forager/test' })
  expect(sent).not.toHaveProperty('cookie')
  expect(sent).not.toHaveProperty('sec-fetch-mode')
})

test('robots.txt holds for scripts, of every origin and on every hop', async () => {
  const { get, server } = await served(site)
  expect(textOf(await get('http://a.test/no/data'))).toBe('robots.txt')
  expect(server.arrivals.map(({ path }) => path)).toEqual(['/robots.txt'])
  expect(textOf(await get('http://a.test/moved'))).toBe('data of a.test')
})

test('no address is reached that the crawl would not go to, not by a redirect either', async () => {
  const { get, server } = await served(site)
  const { port } = server
  expect((await get(`http://127.0.0.1:${port}/data`)).answer).toBeTypeOf('string')
  expect((await get('http://localhost/data')).answer).toBeTypeOf('string')
  expect((await get('http://a.test/inside', { isScript: true })).answer).toBeTypeOf('string')
  expect(server.arrivals.filter(({ host }) => !host.endsWith('.test'))).toEqual([])
})

test('data of another origin is not had by a redirect, as the browser could not judge it; scripts are', async () => {
  const { get } = await served(site)
  expect(textOf(await get('http://a.test/moved-away'))).toBe('redirect to another origin')
  expect(textOf(await get('http://a.test/moved-away', { isScript: true }))).toBe('data of b.test')
})

test('bytes are limited, and scripts are asked for once', async () => {
  const { get, server } = await served(site)
  const long = await get('http://a.test/long')
  expect(long.answer).toBe('too many bytes')
  expect(long.bytes).toBeLessThanOrEqual(10_000)
  const script = () => get('http://a.test/app.js', { isScript: true })
  expect((await script()).bytes).toBeGreaterThan(0)
  expect((await script()).bytes).toBe(0)
  expect(server.arrivals.filter(({ path }) => path === '/app.js')).toHaveLength(1)
})

test('a site of others that is too busy is not asked again at once; that of the page may be', async () => {
  const { get, server } = await served(({ url }, response) =>
    url === '/robots.txt' ? response.end('') : response.writeHead(503).end('busy'),
  )
  const asked = (host: string) => server.arrivals.filter((one) => one.host === host).length
  for (let n = 0; n < 3; n++) await get(`http://b.test/${n}`)
  expect(asked('b.test')).toBe(2) // robots.txt, and one
  for (let n = 0; n < 3; n++) await get(`http://a.test/${n}`)
  expect(asked('a.test')).toBe(4)
})
