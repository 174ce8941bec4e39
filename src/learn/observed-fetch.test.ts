import { beforeEach, expect, test } from 'vitest'
import { Frontier } from '#frontier/frontier.ts'
import { NOBODY } from '#frontier/urls/url-states.ts'
import { type ParsedPage, REL_SITEMAP } from '#parse/page/page.ts'
import { noBids } from '#policy/bids.ts'
import { foundLinks } from '#policy/discover/links-worth.ts'
import { AddressShapes } from '#policy/facts/address-shapes.ts'
import { crawlFacts } from '#policy/facts/crawl-facts.ts'
import { NO_VIEWS, type Views } from '#policy/facts/views.ts'
import { qualityRefresh } from '#policy/refresh/quality.ts'
import type { FetchOutcome } from './entries/outcome.ts'
import { Histories, observedFetch } from './histories.ts'
import { Lessons } from './lessons.ts'
import { learnFrom } from './pages/learn-from.ts'

const DAY = 86_400
const WEEK = 7 * DAY
const START = 1000 * DAY
const anywhere = () => undefined

let frontier: Frontier
let histories: Histories
beforeEach(() => {
  frontier = new Frontier()
  histories = new Histories()
})

interface Told {
  readonly links?: readonly string[]
  readonly text?: string
  readonly form?: ParsedPage['form']
  /** What its links are; those of a list are dated by its fetch. */
  readonly rel?: number
  readonly kind?: FetchOutcome['kind']
  readonly gain?: number
  readonly anchorGain?: number
  readonly views?: number
  /** What was predicted of it as a new page. */
  readonly predicted?: number
}

/** One fetch, learnt from by all that learn in a crawl. */
function fetched(url: string, at: number, told: Told = {}): void {
  const { links = [], text = '', form = 'page', rel = 0, kind = 'page' } = told
  const { gain, anchorGain, views, predicted } = told
  const id = frontier.urls.find(url) ?? frontier.add(url, 'seed', 0, at)
  const page: ParsedPage = {
    ...{ form, title: url, text, noindex: false, nofollow: false },
    links: links.map((target) => ({
      url: target,
      anchor: '',
      rel,
      ...(rel && { lastModified: at - DAY }),
    })),
  }
  let hash = 17
  for (const character of `${text} ${links.join(' ')}`)
    hash = (hash * 31 + character.charCodeAt(0)) % 2 ** 40
  const contentHash = hash.toString(16).padStart(16, '0')
  const rest = { page, contentHash, status: 200, bytes: 1, reason: '', sent: true, target: 'x' }
  const outcome = { kind, id, url, at, ms: 1, ...rest } as FetchOutcome
  const learnt = learnFrom(outcome, frontier, anywhere)
  const measured = gain === undefined ? {} : { realisedGain: gain, anchorGain }
  const prediction = predicted === undefined ? undefined : { acquire: predicted }
  const planned = { purpose: 'acquire' as const, predictedGain: 0, views, prediction }
  histories.replay(observedFetch({ ...learnt, ...planned, ...measured }), frontier)
}

const address = (...numbers: number[]) =>
  `https://a.org/articles/${numbers.join('-')}-some-long-title`

/** All that bidders may read. */
function factsAt(now: number, views: Views = NO_VIEWS) {
  const lessons = new Lessons(frontier, histories)
  const candidates = frontier.unfetched(now)
  const moment = { now, seed: 1, budget: 1, candidates, mayRefetch: () => true }
  const source = { lessons, shapes: new AddressShapes(frontier.urls) }
  return crawlFacts(source, moment, () => views)
}

function expectedOf(url: string, now: number): number {
  const { held } = factsAt(now).yields
  const i = held.pages.indexOf(frontier.urls.find(url)!)
  return i < 0 ? 0 : held.links[i]
}

const GOOD = 'https://a.org/news'
const STOPPED = 'https://a.org/old-news'
const WEEKS = 40

/** Two hubs with three new pages a week; after some weeks one of them stops. */
function crawlHubs(stopsAfter: number): number {
  for (let week = 0; week <= WEEKS; week++) {
    const at = START + week * WEEK
    const shown = (hub: number, latest: number) =>
      [0, 1, 2].map((page) => address(hub, latest, page))
    fetched(GOOD, at, { links: shown(1, week) })
    fetched(STOPPED, at, { links: shown(2, Math.min(week, stopsAfter)) })
  }
  return START + WEEKS * WEEK
}

test('a hub that delivers weekly is expected to go on, one that stopped fades', () => {
  const end = crawlHubs(6)
  const next = expectedOf(GOOD, end + WEEK)
  expect(next).toBeGreaterThan(2.4)
  expect(next).toBeLessThan(3.5)
  expect(expectedOf(STOPPED, end + WEEK)).toBeLessThan(0.15 * next)
  expect(expectedOf(GOOD, end + 2 * WEEK)).toBeCloseTo(2 * next)
  // Had it gone on, it would be as good as the other.
  histories = new Histories()
  frontier = new Frontier()
  crawlHubs(WEEKS)
  expect(expectedOf(STOPPED, end + WEEK)).toBeCloseTo(expectedOf(GOOD, end + WEEK), 1)
})

test('a feed is expected to tell of what is new, though nobody links to it; a page among many is not', () => {
  for (let page = 0; page < 30; page++)
    fetched(`https://a.org/p${page}x`, START, { links: ['https://a.org/'] })
  fetched('https://a.org/', START)
  fetched('https://a.org/feed', START, { form: 'feed', text: 'news' })
  const now = START + WEEK
  expect(expectedOf('https://a.org/feed', now)).toBe(expectedOf('https://a.org/', now))
  expect(expectedOf('https://a.org/p7x', now)).toBeLessThan(
    0.1 * expectedOf('https://a.org/feed', now),
  )
})

test('more is expected of a page once it is known that all link to it', () => {
  const menu = 'https://a.org/menu'
  fetched(menu, START)
  fetched('https://a.org/leaf', START)
  for (let page = 0; page < 40; page++) fetched(`https://a.org/q${page}`, START)
  const before = expectedOf(menu, START + WEEK)
  for (let page = 0; page < 40; page++) fetched(`https://a.org/q${page}`, START, { links: [menu] })
  expect(expectedOf(menu, START + WEEK)).toBeGreaterThan(3 * before)
  expect(expectedOf('https://a.org/leaf', START + WEEK)).toBeLessThanOrEqual(before)
})

test('changes and gains are those of fetches that were answered', () => {
  const url = 'https://a.org/'
  fetched(url, START, { text: 'one', gain: 3, views: 0 })
  fetched(url, START + WEEK, { text: 'two', gain: 0.5, views: 1 })
  fetched(url, START + 2 * WEEK, { kind: 'failed' })
  fetched(url, START + 3 * WEEK, { kind: 'unchanged', gain: 0, views: 1 })
  expect(histories.changes.intervalOf(0), 'changed, then not').toBeCloseTo(30 * 0.8 * 1.2, 4)
  expect(histories.gains.gainsOf(0)).toEqual({ changes: 1, gain: 0.5 })
  expect(histories.firstGainOf(0)).toBe(3)
  fetched(url, START + 4 * WEEK, { kind: 'gone', gain: 0.25, views: 1 })
  expect(histories.changes.intervalOf(0), 'as before').toBeCloseTo(30 * 0.8 * 1.2, 4)
  expect(histories.gains.gainsOf(0)).toEqual({ changes: 1, gain: 0.5 })
  expect(expectedOf(url, START + 9 * WEEK)).toBe(0)
})

/** By how much the odds are raised that the page of a copy is gone. */
function goneOddsOf(page: string, now: number): number {
  const { pages, gone } = factsAt(now)
  return gone!.oddsFactors[pages.indexOf(frontier.urls.find(page)!)]
}

test('the first pages that drop a page from their menus tell what the others will', () => {
  const [menu, other] = ['https://a.org/menu', 'https://a.org/other']
  const site = Array.from({ length: 40 }, (_, page) => `https://a.org/q${page}`)
  for (const page of site) fetched(page, START, { links: [menu, other] })
  for (const page of [menu, other]) fetched(page, START)
  // One of them is dropped by all that are looked at again, the other by one of ten.
  for (const page of site.slice(0, 10))
    fetched(page, START + WEEK, { links: page === site[0] ? [] : [other], text: 'new' })
  expect(goneOddsOf(menu, START + 2 * WEEK)).toBe(30)
  expect(goneOddsOf(other, START + 2 * WEEK)).toBe(3)
})

test('a page that its sitemap lists no more is likely gone, however many link to it', () => {
  const sitemap = 'https://a.org/sitemap.xml'
  const site = Array.from({ length: 10 }, (_, page) => `https://a.org/q${page}`)
  const list = (listed: readonly string[], at: number) =>
    fetched(sitemap, at, { form: 'sitemap', links: listed, rel: REL_SITEMAP })
  list(site, START)
  for (const page of site) fetched(page, START, { links: site })
  list(site.slice(1), START + WEEK)
  expect(goneOddsOf(site[0], START + 2 * WEEK)).toBe(30)
  expect(goneOddsOf(site[1], START + 2 * WEEK)).toBeCloseTo(1, 1)
})

test('a page that is gone is no change, but speaks for its cohort to be gone', () => {
  for (let page = 0; page < 5; page++) {
    fetched(`https://a.org/x/${page}`, START)
    fetched(`https://a.org/y/${page}`, START)
  }
  const goneADay = (url: string) =>
    histories.gone.goneADay(frontier.classes.of(frontier.urls.find(url)!))
  const before = goneADay('https://a.org/x/0')
  for (let page = 0; page < 3; page++) {
    fetched(`https://a.org/x/${page}`, START + WEEK, { kind: 'gone' })
    fetched(`https://a.org/y/${page}`, START + WEEK, { kind: 'denied' })
  }
  expect(goneADay('https://a.org/x/4')).toBeGreaterThan(2 * before)
  expect(goneADay('https://a.org/y/4')).toBeLessThan(goneADay('https://a.org/x/4'))
})

test('a page that its menu no longer names is doubted until it is fetched again', () => {
  const page = 'https://a.org/page'
  fetched(GOOD, START, { links: [page] })
  fetched(page, START)
  const odds = () => {
    const { pages, gone } = factsAt(START + 2 * WEEK)
    return gone!.oddsFactors[pages.indexOf(frontier.urls.find(page)!)]
  }
  expect(odds()).toBe(1)
  fetched(GOOD, START + WEEK, { links: [] })
  expect(odds()).toBeGreaterThan(10)
  fetched(page, START + WEEK)
  expect(odds()).toBeCloseTo(1, 2)
})

test('that a page links to itself does not hide that nobody else does any more', () => {
  const page = 'https://a.org/page'
  const odds = () => {
    const facts = factsAt(START + 3 * WEEK)
    return facts.gone!.oddsFactors[facts.pages.indexOf(frontier.urls.find(page)!)]
  }
  fetched(GOOD, START, { links: [page] })
  fetched(page, START, { links: [page, GOOD] })
  fetched(GOOD, START + WEEK, { links: [] })
  expect(odds()).toBeGreaterThan(10)
  fetched(GOOD, START + WEEK, { links: [page] })
  fetched(page, START + WEEK, { links: [page, GOOD] })
  expect(odds()).toBeCloseTo(1, 2)
  fetched(GOOD, START + 2 * WEEK, { links: [] })
  expect(odds()).toBeGreaterThan(10)
})

test('that a page may not be had any more says nothing of its changes, and it leads nowhere', () => {
  const url = 'https://a.org/'
  fetched(url, START, { links: [address(1)] })
  fetched(url, START + WEEK, { kind: 'denied' })
  expect(histories.changes.intervalOf(0)).toBe(30)
  expect(histories.shares.holds(0)).toBe(false)
})

test('first fetches tell what others of their class will show', () => {
  for (let page = 0; page < 20; page++) {
    fetched(`https://a.org/list/${page}`, START, { links: [address(page, 1), address(page, 2)] })
    fetched(`https://a.org/end/${page}`, START)
  }
  for (const url of ['https://a.org/list/99', 'https://a.org/end/99'])
    frontier.add(url, 'link', 1, START)
  const { candidates, yields } = factsAt(START + DAY)
  const of = (url: string) => yields.firstLinks[candidates.indexOf(frontier.urls.find(url)!)]
  expect(of('https://a.org/list/99')).toBeGreaterThan(1.5)
  expect(of('https://a.org/end/99')).toBeLessThan(0.5)
})

test('links are worth what was predicted of their pages; what was fetched before any prediction says nothing', () => {
  const [first, second, third, fourth] = [1, 2, 3, 4].map((page) => address(page))
  fetched(GOOD, START, { links: [first, second, third, fourth], gain: 1 })
  fetched(first, START, { gain: 0.5, predicted: 0.25 })
  fetched(second, START, { gain: 0.5 })
  fetched(third, START, { kind: 'gone', gain: 0, predicted: 0.75 })
  const { values, finderClasses } = foundLinks(new Lessons(frontier, histories), {
    urls: Uint32Array.of(4),
    gains: Float64Array.of(0.125),
  })
  const counted = [...values].filter((_, url) => finderClasses[url] !== NOBODY)
  expect(counted).toEqual([0.25, 0.75, 0.125])
  expect(finderClasses[0]).toBe(NOBODY)
})

test('what sitemaps and feeds of all hosts name is of one class', () => {
  const lists = ['https://a.org/map.xml', 'https://b.org/other/map.xml']
  for (const list of lists) frontier.add(list, 'robots', 1, START)
  for (const [i, list] of lists.entries()) fetched(list, START, { links: [address(i)] })
  fetched(GOOD, START, { links: [address(7)] })
  const { finderClasses } = foundLinks(new Lessons(frontier), noBids('acquire'))
  const classOf = (url: string) => finderClasses[frontier.urls.find(url)!]
  expect(classOf(address(0))).toBe(classOf(address(1)))
  expect(classOf(address(7))).not.toBe(classOf(address(0)))
})

test('what robots.txt or our own rules keep us from was not looked at: a later fetch is the first', () => {
  const [first, second] = [address(1), address(2)]
  fetched(GOOD, START, { links: [first, second] })
  fetched(first, START, { kind: 'disallowed', gain: 0 })
  fetched(second, START, { kind: 'forbidden', gain: 0 })
  expect(Number.isNaN(histories.firstGainOf(1))).toBe(true)
  expect(foundLinks(new Lessons(frontier, histories), noBids('acquire')).values[1]).toBe(0)
  for (const url of [first, second])
    fetched(url, START + WEEK, { links: [3, 4, 5, 6].map((page) => address(page)), gain: 0.5 })
  expect(histories.firstGainOf(1)).toBe(0.5)
  const { candidates, yields } = factsAt(START + WEEK)
  expect(yields.firstLinks[candidates.indexOf(3)]).toBeGreaterThan(1)
})

test('facts for refreshing are of the pages held, with views and classes', () => {
  fetched('https://a.org/x/1', START)
  fetched('https://a.org/gone', START, { kind: 'gone' })
  fetched('https://a.org/x/2', START)
  const facts = factsAt(START + DAY, { byUrl: new Map([[2, 0.75]]), meanScore: 3 })
  expect([...facts.pages]).toEqual([0, 2])
  expect([...facts.ages]).toEqual([DAY, DAY])
  expect([...facts.views]).toEqual([0, 0.75])
  expect(facts.scorePerView).toBe(3)
  expect(facts.classes[0]).toBe(facts.classes[2])
  expect([...facts.claims!.oddsFactors]).toEqual([1, 1])
})

test('what the words of its links do for others is no change of a page, and yet a gain of fetching it', () => {
  const text = 'the same words as ever'
  fetched(GOOD, START, { text, gain: 1, views: 0.1 })
  const gained = { gain: 0.75, anchorGain: 0.5, views: 0.1 }
  fetched(GOOD, START + WEEK, { text, links: [address(1)], ...gained })
  fetched(GOOD, START + 2 * WEEK, { text: 'quite other words', ...gained })
  const url = frontier.urls.find(GOOD)!
  expect(histories.gains.gainsOf(url)).toEqual({ changes: 1, gain: 0.25 })
  expect(histories.changes.intervalOf(url), 'no change, then one').toBeCloseTo(30 * 1.2 * 0.8, 4)
  expect(histories.gains.anchorPaceOf(url)).toBeCloseTo(0.5 / 7, 9)
  const { gains, expected } = qualityRefresh.bids(factsAt(START + 4 * WEEK))
  expect(expected![0]).toBeGreaterThan(2 * 0.5)
  expect(gains[0]).toBeGreaterThan(14 * 0.5)
})
