import { expect, test } from 'vitest'
import { Frontier } from '#frontier/frontier.ts'
import { type Link, REL_HUB, REL_ROBOTS, REL_SITEMAP } from '#parse/page/page.ts'
import { planFetches } from '#policy/budget/scheduler.ts'
import { defineBidder } from '#policy/define-bidder.ts'
import { BudgetPlanner, newPagesPlanner } from '#policy/planning/budget-planner.ts'
import type { Planner } from '#policy/planning/plan.ts'
import { policyNamed, UNIFIED } from '#policy/registry/policy-name.ts'
import { REGISTRY } from '#policy/registry/registry.ts'
import { crawl } from '../crawl.ts'
import { MemoryStore } from '../memory-store.ts'
import { type CrawlState, crawlState } from '../plan-cycle.ts'
import type { Fetcher } from '../ports.ts'
import { promptFetcher } from '../prompt-fetcher.ts'
import { inLastPlan, namedFirst, OTHERS_MEANWHILE, withNamedFirst } from './named-first.ts'

const SITE = 'https://a.org'
const link = (path: string, rel = 0): Link => ({ url: `${SITE}${path}`, anchor: '', rel })
const pageOf = (links: readonly Link[], form: 'page' | 'sitemap' = 'page') => ({
  ...{ form, title: '', text: links.map(({ url }) => url).join(' '), links },
  ...{ noindex: false, nofollow: false },
})
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i)

/** A site of many pages whose robots.txt names an index of sitemaps, each with pages that nothing else tells of. */
function siteOf(sitemaps: number): Fetcher & { readonly asked: string[] } {
  const asked: string[] = []
  const answer = (path: string) => {
    if (path === '/index.xml')
      return pageOf(
        upTo(sitemaps).map((i) => link(`/map${i}.xml`, REL_HUB)),
        'sitemap',
      )
    if (path.startsWith('/map'))
      return pageOf(
        upTo(5).map((i) => link(`/hidden${path}/${i}`, REL_SITEMAP)),
        'sitemap',
      )
    return pageOf(upTo(99).map((i) => link(`/page/${i}`)))
  }
  const fetcher = promptFetcher(({ id, url }) => {
    const isFirst = asked.push(url) === 1
    const found = isFirst ? [link('/index.xml', REL_HUB | REL_ROBOTS)] : []
    const page = answer(url.slice(SITE.length))
    const contentHash = Buffer.from(url).toString('hex').slice(-13)
    const outcome = { kind: 'page', id, url, at: 1, ms: 1, status: 200, bytes: 1 } as const
    return { ...outcome, page, contentHash, found }
  })
  return { ...fetcher, asked }
}

/** What was found first goes first, so that sitemaps would come last. */
const own = defineBidder({
  name: 'own',
  task: 'acquire',
  needs: ['candidates'],
  bids: ({ candidates: urls }) => ({
    urls,
    gains: Float64Array.from(urls, (url) => 1 / (1 + url)),
  }),
})

type MakePlanner = (state: CrawlState) => Planner

const named = (name: string): [string, MakePlanner] => [
  name,
  ({ lessons }) => {
    const composition = policyNamed(name)
    return new BudgetPlanner({ composition, lessons })
  },
]

const POLICIES: readonly (readonly [string, MakePlanner])[] = [
  ...[UNIFIED, 'split:60/20/20:bfs,uniform,yield'].map(named),
  ...REGISTRY.all().map(({ name }) => named(name)),
  ['own', ({ lessons }) => newPagesPlanner(own, lessons)],
]

test.each(POLICIES)(
  '%s: all that sitemaps list is known within twenty requests',
  async (name, make) => {
    for (const sitemaps of name === UNIFIED ? [1, 3, 11] : [11]) {
      const frontier = new Frontier()
      frontier.add(`${SITE}/`, 'seed', 0, 1)
      const state = crawlState(frontier)
      const fetcher = siteOf(sitemaps)
      const ports = { fetcher, repository: new MemoryStore(), clock: { now: () => 1 } }
      const rules = { policy: make(state), seed: 1 }
      await crawl(state, rules, ports, { budget: 60 }, new AbortController().signal)
      const maps = upTo(sitemaps).map((i) => `${SITE}/map${i}.xml`)
      expect(fetcher.asked.slice(0, 20)).toEqual(expect.arrayContaining(maps))
      expect(fetcher.asked).toHaveLength(60)
    }
  },
)

/** A site that was contacted, with lists that robots.txt or an index names, and pages. */
function contacted(lists: number, source: 'robots' | 'sitemap-index' = 'robots') {
  const frontier = new Frontier()
  const home = frontier.add(`${SITE}/`, 'seed', 0, 1)
  frontier.visit(home, { state: 'page', at: 1, contentKey: 1 })
  const maps = upTo(lists).map((i) => frontier.add(`${SITE}/map${i}.xml`, source, 1, 1))
  const pages = upTo(30).map((i) => frontier.add(`${SITE}/${i}`, 'link', 1, 1, home))
  return { frontier, home, maps, pages }
}

function planOf(frontier: Frontier, budget: number, underWay = new Set<number>()) {
  const named = namedFirst(frontier, 2, underWay)
  const urls = frontier.unfetched(2).filter((url) => !underWay.has(url))
  const bids = { purpose: 'acquire' as const, urls, gains: Float64Array.from(urls), why: () => '' }
  const limits = { budget, quotas: [named.quota] }
  const plan = withNamedFirst({ fetches: planFetches([bids], limits) }, named, limits, frontier)
  return plan.fetches.map(({ url }) => url)
}

test('sitemaps come before pages of their site, and few pages meanwhile', () => {
  const { frontier, maps, pages } = contacted(2)
  expect(planOf(frontier, 20)).toEqual([...maps, ...pages.slice(-OTHERS_MEANWHILE).reverse()])
  expect(planOf(frontier, 3)).toEqual([...maps, pages.at(-1)])
})

test('what robots.txt names comes before what an index names, and that before feeds', () => {
  const { frontier, home, maps } = contacted(1, 'sitemap-index')
  const feed = frontier.add(`${SITE}/feed`, 'link', 1, 1, home)
  const anchors = new Uint32Array(1)
  frontier.replaceLinks(home, { targets: Uint32Array.of(feed), anchors, rels: Uint8Array.of(64) })
  const index = frontier.add(`${SITE}/index.xml`, 'robots', 1, 1)
  expect(planOf(frontier, 20).slice(0, 3)).toEqual([index, ...maps, feed])
})

test('a feed that only one page names, deep in the site, is left to those who bid', () => {
  const { frontier, pages } = contacted(0)
  const feed = frontier.add(`${SITE}/12/comments`, 'link', 2, 1, pages[12])
  const row = {
    targets: Uint32Array.of(feed),
    anchors: new Uint32Array(1),
    rels: Uint8Array.of(REL_HUB),
  }
  frontier.replaceLinks(pages[12], row)
  expect(namedFirst(frontier, 2).lists.size).toBe(0)
  frontier.replaceLinks(pages[13], row)
  expect([...namedFirst(frontier, 2).lists.values()]).toEqual([[feed]])
})

test('an index without end gets a dozen first, then a share of what its site gets', () => {
  const { frontier, maps } = contacted(500, 'sitemap-index')
  const first = () => [...namedFirst(frontier, 2).lists.values()].flat()
  expect(first()).toEqual(maps.slice(0, 12))
  for (const map of maps.slice(0, 12)) frontier.visit(map, { state: 'page', at: 1, contentKey: 1 })
  expect(first()).toEqual(maps.slice(12, 14)) // a fifth of 13 fetches
  expect(planOf(frontier, 100)).toHaveLength(100)
})

test('a site that names its sitemap elsewhere is told by that one', () => {
  const { frontier, home, pages } = contacted(0)
  const map = frontier.add('https://maps.example/a.xml', 'robots', 1, 1, home)
  expect(planOf(frontier, 20)).toEqual([map, ...pages.slice(-OTHERS_MEANWHILE).reverse()])
})

test('where a sitemap has moved to is a sitemap too', () => {
  const { frontier, maps } = contacted(1)
  const target = frontier.add(`${SITE}/new.xml`, 'redirect', 1, 1)
  const anchors = new Uint32Array(1)
  frontier.replaceLinks(maps[0], {
    targets: Uint32Array.of(target),
    anchors,
    rels: Uint8Array.of(0),
  })
  frontier.visit(maps[0], { state: 'redirect', at: 1 })
  expect(planOf(frontier, 20)[0]).toBe(target)
})

test('while a sitemap is under way few others are planned, and those under way count', () => {
  const { frontier, maps, pages } = contacted(1)
  const underWay = new Set([...maps, pages[0], pages[1], pages[2]])
  expect(planOf(frontier, 20, underWay)).toEqual([pages.at(-1)])
})

test('a host that was never contacted gets few fetches, until its robots.txt is known', () => {
  const frontier = new Frontier()
  for (const page of upTo(9)) frontier.add(`${SITE}/${page}`, 'link', 1, 1)
  expect(planOf(frontier, 20)).toHaveLength(OTHERS_MEANWHILE)
})

test('lists take the place of the worst others, never of seeds', () => {
  const { frontier, maps } = contacted(3)
  const seeds = upTo(2).map((i) => frontier.add(`${SITE}/seed${i}`, 'seed', 0, 1))
  const plan = planOf(frontier, 4)
  expect(plan).toEqual(expect.arrayContaining([...seeds, ...maps.slice(0, 2)]))
  expect(plan).toHaveLength(4)
})

const fetchOf = (url: number) => ({
  ...{ url, gain: 1, expected: 1, purpose: 'acquire' as const, why: () => '' },
  parts: { acquire: 1, refresh: 0, discover: 0 },
})

test('in a last plan lists wait only if a further run could still read them within twenty requests', () => {
  const { frontier, pages } = contacted(3)
  const listsIn = (count: number) => {
    const fetches = pages.slice(0, count).map(fetchOf)
    return [...inLastPlan(namedFirst(frontier, 2), { fetches }, frontier).lists.values()].flat()
  }
  expect(listsIn(15)).toHaveLength(0) // with robots.txt, the home page and three lists they are twenty
  expect(listsIn(16)).toHaveLength(3)
})

test('of a site that only the reserve has URLs of, lists come first there', () => {
  const { frontier, maps, pages } = contacted(2)
  const named = namedFirst(frontier, 2)
  const reserved = [pages[0], maps[1], pages[1]].map(fetchOf)
  const plan = withNamedFirst({ fetches: [], reserved }, named, { budget: 5 }, frontier)
  expect(plan.reserved!.map(({ url }) => url)).toEqual([...maps, pages[0], pages[1]])
})
