import { expect, test } from 'vitest'
import { Frontier } from '#frontier/frontier.ts'
import { type Link, REL_HUB, REL_ROBOTS, REL_SITEMAP } from '#parse/page/page.ts'
import { defineBidder } from '#policy/define-bidder.ts'
import { newPagesPlanner } from '#policy/planning/budget-planner.ts'
import { crawl } from '../crawl.ts'
import { LateFetcher } from '../late-fetcher.test-kit.ts'
import { MemoryStore } from '../memory-store.ts'
import { crawlState } from '../plan-cycle.ts'
import { promptFetcher } from '../prompt-fetcher.ts'
import { HeldBack } from './held-back.ts'
import { OTHERS_MEANWHILE } from './named-first.ts'

const SITE = 'https://a.org'
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i)
const pagesOfSite = upTo(9).map((i) => `${SITE}/${i}`)
const strangers = upTo(9).map((i) => `https://b${i}.org/`)

/** What was found first is worth most: pages of the site before those of strangers. */
const firstFound = defineBidder({
  name: 'first found',
  task: 'acquire',
  needs: ['candidates'],
  bids: ({ candidates: urls }) => ({
    urls,
    gains: Float64Array.from(urls, (url) => 1 / (1 + url)),
  }),
})

/** Crawls a site whose home page leads to its pages and to strangers; its robots.txt names one list of that form. */
async function crawledWith(list: 'sitemap' | 'index', budget: number): Promise<string[]> {
  const asked: string[] = []
  const link = (url: string, rel = 0): Link => ({ url, anchor: '', rel })
  const linksOf = (url: string) => {
    if (url === `${SITE}/`) return [...pagesOfSite, ...strangers].map((target) => link(target))
    if (url !== `${SITE}/list.xml`) return []
    const rel = list === 'index' ? REL_HUB : REL_SITEMAP
    return upTo(3).map((i) => link(`${SITE}/listed${i}.xml`, rel))
  }
  const fetcher = promptFetcher(({ id, url }) => {
    const found = asked.push(url) === 1 ? [link(`${SITE}/list.xml`, REL_HUB | REL_ROBOTS)] : []
    const form = url.endsWith('.xml') ? 'sitemap' : 'page'
    return {
      ...{ kind: 'page', id, url, at: 1, ms: 1, status: 200, bytes: 1, found },
      page: { form, title: '', text: url, links: linksOf(url), noindex: false, nofollow: false },
      contentHash: Buffer.from(url).toString('hex').slice(-13),
    }
  })
  const frontier = new Frontier()
  frontier.add(`${SITE}/`, 'seed', 0, 1)
  const state = crawlState(frontier)
  const ports = { fetcher, repository: new MemoryStore(), clock: { now: () => 1 } }
  const rules = { policy: newPagesPlanner(firstFound, state.lessons), seed: 1 }
  await crawl(state, rules, ports, { budget }, new AbortController().signal)
  return asked
}

test('what waits for a sitemap follows it in the same plan: strangers do not take its place', async () => {
  const asked = await crawledWith('sitemap', 100)
  expect(asked.slice(0, 2)).toEqual([`${SITE}/`, `${SITE}/list.xml`])
  expect(asked.slice(2, 2 + pagesOfSite.length)).toEqual(pagesOfSite)
})

test('if the sitemap is an index, what it names comes before all that is held back', async () => {
  const asked = await crawledWith('index', 100)
  const others = asked.filter((url) => url.startsWith(SITE) && !url.endsWith('.xml')).slice(1)
  const lastList = Math.max(...upTo(3).map((i) => asked.indexOf(`${SITE}/listed${i}.xml`)))
  expect(others.filter((url) => asked.indexOf(url) < lastList)).toHaveLength(OTHERS_MEANWHILE)
  expect(asked).toHaveLength(5 + pagesOfSite.length + strangers.length)
})

test('what follows is sent once, and within the budget, however late a fetcher hears of it', async () => {
  const frontier = new Frontier()
  for (const host of upTo(3))
    for (const page of upTo(12)) frontier.add(`https://c${host}.org/${page}`, 'seed', 0, 1)
  const state = crawlState(frontier)
  const fetcher = new LateFetcher()
  const ports = { fetcher, repository: new MemoryStore(), clock: { now: () => 1 } }
  const rules = { policy: newPagesPlanner(firstFound, state.lessons), seed: 1 }
  await crawl(state, rules, ports, { budget: 30 }, new AbortController().signal)
  expect(new Set(fetcher.sent).size).toBe(fetcher.sent.length)
  expect(fetcher.sent).toHaveLength(30)
})

test('in the last plan of a budget a sitemap is of no use any more, and waits', async () => {
  const short = await crawledWith('sitemap', 1 + pagesOfSite.length)
  expect(short).toEqual([`${SITE}/`, ...pagesOfSite])
})

test('a plan that leaves something of the budget is not the last: lists come first', async () => {
  const all = pagesOfSite.length + strangers.length
  const asked = await crawledWith('sitemap', 3 + all)
  expect(asked[1]).toBe(`${SITE}/list.xml`)
})

test('a host never asked before is waited for until it names no list', () => {
  const frontier = new Frontier()
  const urls = upTo(6).map((i) => frontier.add(`${SITE}/${i}`, 'link', 1, 1))
  const other = frontier.add('https://b.org/', 'link', 1, 1)
  const held = new HeldBack(frontier, new Set(urls.slice(OTHERS_MEANWHILE)))
  frontier.visit(other, { state: 'page', at: 1, contentKey: 1 })
  expect(held.release(other, 2, () => [])).toBe(false)
  frontier.visit(urls[0], { state: 'page', at: 1, contentKey: 2 })
  expect(held.release(urls[0], 2, () => [])).toBe(true)
  expect(urls.some((url) => held.has(url))).toBe(false)
})

test('one whose first answer names a list is waited for until that was read', () => {
  const frontier = new Frontier()
  const urls = upTo(6).map((i) => frontier.add(`${SITE}/${i}`, 'link', 1, 1))
  const held = new HeldBack(frontier, new Set(urls.slice(OTHERS_MEANWHILE)))
  frontier.visit(urls[0], { state: 'page', at: 1, contentKey: 1 })
  const list = frontier.add(`${SITE}/list.xml`, 'robots', 1, 1, urls[0])
  expect(held.release(urls[0], 2, () => [])).toBe(false)
  expect(held.release(urls[1], 2, () => [])).toBe(false)
  frontier.visit(list, { state: 'page', at: 1, contentKey: 2 })
  expect(held.release(list, 2, () => [])).toBe(true)
})
