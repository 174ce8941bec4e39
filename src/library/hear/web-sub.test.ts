import { createHmac } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import type { FetchOutcome } from '#learn/entries/outcome.ts'
import { parsePage } from '#parse/parse-page.ts'
import { toldInbox } from '#repository/inbox/told-inbox.ts'
import { temporaryFolder } from '#repository/temporary-folder.test-kit.ts'
import { HeardUrls } from './heard-urls.ts'
import { WebSub } from './web-sub.ts'

const FEED = 'https://a.org/feed'
const HUB = 'https://hub.org/'
const DAY = 86_400_000

let dir: string
let sent: { hub: string; form: URLSearchParams }[]
const time = { now: 1_800_000_000_000 }
beforeEach(() => {
  dir = temporaryFolder()
  sent = []
})

function webSub(isPrivate = true) {
  const now = () => time.now
  return new WebSub({
    ...{ dir, now, heard: new HeardUrls(dir, now), callback: 'https://bot.org/' },
    isWelcome: (url) => /^https:\/\/(?:a|\w+\.hostile)\.org\//.test(url),
    isPrivateTo: () => isPrivate,
    post: async (hub, form) => {
      sent.push({ hub, form })
      return { status: 202 }
    },
  })
}

const atom = (links: string, entries = '') =>
  `<feed xmlns="http://www.w3.org/2005/Atom">${links}${entries}</feed>`
const entry = (url: string, date = '2026-01-01T00:00:00Z') =>
  `<entry><title>t</title><link href="${url}"/><updated>${date}</updated></entry>`

function feed(links = `<link rel="hub" href="${HUB}"/>`, url = FEED): FetchOutcome {
  const body = Buffer.from(atom(links))
  const page = parsePage(body, 'application/atom+xml', url)
  const answer = { status: 200, bytes: body.length, page, contentHash: 'aa' }
  return { kind: 'page', id: 1, url, at: 1, ms: 1, ...answer }
}

async function subscribed(hears = webSub()) {
  hears.saw(feed())
  await hears.idle()
  const { form } = sent[0]
  const id = form.get('hub.callback')!.split('/').at(-1)!
  const intent = new URLSearchParams({
    ...{ 'hub.mode': 'subscribe', 'hub.topic': FEED, 'hub.challenge': 'yes?' },
    'hub.lease_seconds': '864000',
  })
  return { hears, id, intent, secret: form.get('hub.secret') ?? '' }
}

const signed = (body: string, secret: string, method = 'sha256') => ({
  ...{ type: 'application/atom+xml', body: Buffer.from(body) },
  signature: `${method}=${createHmac(method, secret).update(body).digest('hex')}`,
})

test('a feed that names a hub is subscribed to once; what the hub delivers is told, if it is signed', async () => {
  const { hears, id, intent, secret } = await subscribed()
  hears.saw(feed())
  await hears.idle()
  expect(sent.map(({ hub }) => hub)).toEqual([HUB])
  expect(secret).toMatch(/^[0-9a-f]{64}$/)
  const news = atom('', entry('https://a.org/new') + entry('https://elsewhere.org/'))
  expect(hears.deliver(id, signed(news, secret))).toBe(false) // not verified yet
  expect(hears.verify(id, intent)).toBe('yes?')
  expect(hears.deliver(id, signed(news, 'guessed'))).toBe(true)
  expect(hears.deliver(id, { type: '', body: Buffer.from(news) })).toBe(true)
  expect(toldInbox(dir).waiting()).toEqual([])
  expect(hears.deliver(id, signed(news, secret, 'sha1'))).toBe(true)
  expect(toldInbox(dir).waiting()).toEqual([
    { url: FEED, by: 'websub', changedAt: time.now / 1000 },
    { url: 'https://a.org/new', by: 'websub', changedAt: Date.UTC(2026, 0) / 1000 },
  ])
})

test('nobody else can subscribe us, or unsubscribe', async () => {
  const { hears, id, intent } = await subscribed()
  const other = (change: Record<string, string>) =>
    new URLSearchParams({ ...Object.fromEntries(intent), ...change })
  expect(hears.verify(id, other({ 'hub.topic': 'https://b.org/feed' }))).toBeUndefined()
  expect(hears.verify('0'.repeat(32), intent)).toBeUndefined()
  expect(hears.verify(id, other({ 'hub.mode': 'unsubscribe' }))).toBeUndefined()
  expect(hears.verify(id, intent)).toBe('yes?')
  expect(hears.verify(id, intent)).toBeUndefined() // we did not ask again
})

test('leases are renewed before they end, also after a restart; a hub that does not verify is asked less and less', async () => {
  const { hears, id, intent } = await subscribed()
  hears.renew()
  time.now += 3_600_000
  hears.renew()
  time.now += 3_600_000
  hears.renew()
  await hears.idle()
  expect(sent.length).toBe(2)
  hears.verify(id, intent)
  await hears.close()
  time.now += 7 * DAY
  const again = webSub()
  again.renew()
  expect(sent.length).toBe(2)
  time.now += DAY
  again.renew()
  await again.idle()
  expect(sent.length).toBe(3)
  expect(again.verify(id, intent)).toBe('yes?')
})

test('who could not be given a secret is believed that something is new, but not what', async () => {
  const { hears, id, intent, secret } = await subscribed(webSub(false))
  expect(secret).toBe('')
  hears.verify(id, intent)
  hears.deliver(id, {
    type: 'application/atom+xml',
    body: Buffer.from(atom('', entry('https://a.org/x'))),
  })
  expect(
    toldInbox(dir)
      .waiting()
      .map(({ url }) => url),
  ).toEqual([FEED])
})

test('a feed speaks for its own site, and hubs are web addresses', async () => {
  const hears = webSub()
  hears.saw(
    feed('<link rel="hub" href="ftp://hub.org/"/><link rel="self" href="https://a.org/f"/>'),
  )
  expect(hears.subscriptions()).toEqual([])
  hears.saw(feed(`<link rel="hub" href="${HUB}"/><link rel="self" href="https://b.org/feed"/>`))
  expect(hears.subscriptions()).toMatchObject([{ topic: FEED }])
  await hears.idle()
})

test('a site with very many feeds takes no places of others, and has no hub asked without end', async () => {
  const hears = webSub()
  for (let i = 0; i < 1_100; i++)
    hears.saw(feed(undefined, `https://h${i % 7}.hostile.org/feed/${i}`))
  expect(hears.subscriptions().length).toBe(20)
  hears.saw(feed())
  expect(hears.subscriptions().length).toBe(21)
  await Promise.resolve()
  const closing = performance.now()
  await hears.close()
  expect(performance.now() - closing).toBeLessThan(1_000)
  expect(sent.length).toBeLessThan(3) // a second between two
})

test('many subscriptions that are due are asked for without a write for each', () => {
  const one = { feed: FEED, topic: FEED, hub: HUB, asked: false, until: 0, nextAt: 0, faults: 0 }
  const kept = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`${i}`, one]))
  const file = join(dir, 'websub.json')
  writeFileSync(file, JSON.stringify(kept))
  const hears = webSub()
  hears.renew()
  const asked = () => readFileSync(file, 'utf8').match(/"asked":true/g)?.length
  expect(asked()).toBe(1)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  return hears.close().then(() => expect(asked()).toBe(1_000))
})

test('deliveries that take long are read seldom; that something is new is heard', async () => {
  const { hears, id, intent, secret } = await subscribed()
  hears.verify(id, intent)
  const long = (from: number) =>
    atom('', Array.from({ length: 900 }, (_, i) => entry(`https://a.org/${from + i}`)).join(''))
  hears.deliver(id, signed(long(0), secret))
  const before = toldInbox(dir).waiting().length
  expect(before).toBe(901)
  toldInbox(dir).taken()
  hears.deliver(id, signed(long(1_000), secret))
  expect(toldInbox(dir).waiting()).toMatchObject([{ url: FEED }])
})
