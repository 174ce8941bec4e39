import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import type { FetchOutcome } from '#learn/entries/outcome.ts'
import { instructionInbox } from '#repository/inbox/instruction-inbox.ts'
import { toldInbox } from '#repository/inbox/told-inbox.ts'
import { temporaryFolder } from '#repository/temporary-folder.test-kit.ts'
import { HeardUrls } from './heard-urls.ts'
import { IndexNow, MOST_URLS } from './index-now.ts'

const KEY = 'abcdef0123456789'
const PLACE = `https://a.org/${KEY}.txt`
const KNOWN = 'https://a.org/about'
const HOUR = 3_600_000

let dir: string
const time = { now: 1_800_000_000_000 }
beforeEach(() => {
  dir = temporaryFolder()
})

function indexNow() {
  const now = () => time.now
  const isWelcome = (url: string) => url.startsWith('https://a.org/')
  const isKnown = (url: string) => url === KNOWN
  return new IndexNow({ dir, heard: new HeardUrls(dir, now), isWelcome, isKnown, now })
}

const told = () => toldInbox(dir).waiting()
const said = (urls: readonly string[], more = {}) => ({ host: 'a.org', key: KEY, urls, ...more })

function keyFile(url: string, text: string): FetchOutcome {
  const page = {
    form: 'page',
    title: '',
    text,
    links: [],
    noindex: false,
    nofollow: false,
  } as const
  const bytes = text.length
  return { kind: 'page', id: 1, url, at: 1, ms: 1, status: 200, bytes, page, contentHash: 'aa' }
}

test('what a site says waits until its key is found, also over a restart, and then is a claim', () => {
  expect(indexNow().submit(said(['https://a.org/x?utm_source=1'])).status).toBe(202)
  expect(indexNow().submit(said(['https://a.org/y'])).status).toBe(202)
  expect(instructionInbox(dir).waiting()).toEqual([{ kind: 'fetch', url: PLACE }])
  expect(told()).toEqual([])
  const later = indexNow()
  later.saw(keyFile(PLACE, `${KEY}\n`))
  const changedAt = time.now / 1000
  expect(told()).toEqual(
    ['https://a.org/x', 'https://a.org/y'].map((url) => ({ url, by: 'indexnow', changedAt })),
  )
  expect(later.submit(said(['https://a.org/z'])).status).toBe(200)
  expect(readFileSync(toldInbox(dir).file, 'utf8')).toMatch('https://a.org/z')
})

test('a key that is not where it should be is not believed, and asked for again an hour later', () => {
  const hears = indexNow()
  hears.submit(said(['https://a.org/x']))
  hears.saw(keyFile(PLACE, 'another'))
  expect(told()).toEqual([])
  expect(hears.submit(said(['https://a.org/x'])).status).toBe(403)
  time.now += HOUR + 1
  expect(hears.submit(said(['https://a.org/x'])).status).toBe(202)
})

test('nobody can have keys of a host looked for without end', () => {
  const hears = indexNow()
  const statuses = Array.from({ length: 8 }, (_, i) => {
    const key = `wrong-key-${i}`
    return hears.submit(said(['https://a.org/x'], { key })).status
  })
  expect(statuses).toEqual([202, 202, 202, 202, 202, 429, 429, 429])
})

test('a key speaks for its host and folder only, and for what the crawl may fetch', () => {
  const hears = indexNow()
  const status = (urls: readonly string[], more = {}) => hears.submit(said(urls, more)).status
  expect(status(['https://b.org/x'])).toBe(422)
  expect(status(['https://a.org/x', 'https://b.org/x'])).toBe(422)
  expect(status(['https://b.org/x'], { host: 'b.org' })).toBe(422) // out of scope
  const keyLocation = 'https://a.org/blog/key.txt'
  expect(status(['https://a.org/x'], { keyLocation })).toBe(422)
  expect(status(['https://a.org/blog/x', 'http://a.org/blog/y'], { keyLocation })).toBe(202)
  expect(status(['https://a.org/x'], { keyLocation: 'https://b.org/key.txt' })).toBe(422)
  expect(status(['https://a.org/x'], { key: 'short' })).toBe(422)
  expect(status(['mailto:a@a.org'])).toBe(422)
  expect(status([])).toBe(422)
  expect(status(Array(MOST_URLS + 1).fill('https://a.org/x'))).toBe(422)
})

test('a site tells of no more than so many URLs a day', () => {
  const hears = indexNow()
  const many = (from: number) =>
    Array.from({ length: 6_000 }, (_, i) => `https://a.org/${from + i}`)
  hears.submit(said(['https://a.org/x']))
  hears.saw(keyFile(PLACE, KEY))
  expect(hears.submit(said(many(0))).status).toBe(200)
  expect(hears.submit(said(many(6_000))).status).toBe(429)
  time.now += 24 * HOUR
  expect(hears.submit(said(many(6_000))).status).toBe(200)
})

test('nobody can have a page forgotten by calling it the place of a key', () => {
  const hears = indexNow()
  hears.submit(said([KNOWN], { keyLocation: KNOWN }))
  hears.submit(said([`${KNOWN}/us`], { keyLocation: KNOWN }))
  hears.saw(keyFile(KNOWN, 'About us'))
  hears.submit(said(['https://a.org/x']))
  hears.saw(keyFile(PLACE, 'another'))
  expect(instructionInbox(dir).waiting()).toEqual([
    { kind: 'fetch', url: KNOWN },
    { kind: 'fetch', url: PLACE },
    { kind: 'forget', url: PLACE },
  ])
})

test('a flood of submissions is not a flood of writes, and nothing of it is lost in the end', () => {
  const hears = indexNow()
  const urls = Array.from({ length: 50 }, (_, i) => `https://a.org/${i}`)
  for (const url of urls) hears.submit(said([url]))
  const file = join(dir, 'indexnow.json')
  expect(readFileSync(file, 'utf8')).not.toMatch(urls[49])
  hears.close()
  expect(readFileSync(file, 'utf8')).toMatch(urls[49])
})
