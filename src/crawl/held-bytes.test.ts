import { expect, test } from 'vitest'
import { Frontier } from '#frontier/frontier.ts'
import { type FetchOutcome, type PageOutcome, textFactsOf } from '#learn/entries/outcome.ts'
import { planFetches } from '#policy/budget/scheduler.ts'
import type { Planner } from '#policy/planning/plan.ts'
import { type CrawlLimits, crawl } from './crawl.ts'
import { heldBytes, MOST_HELD_BYTES } from './held-bytes.ts'
import { listFetcher } from './list-fetcher.test-kit.ts'
import { MemoryStore } from './memory-store.ts'
import { crawlState } from './plan-cycle.ts'
import type { FetchRequest } from './ports.ts'

const PAGES = 5
/** Two of these fill a cycle. */
const text = ' '.repeat(MOST_HELD_BYTES / 2)

function heavyPage({ id, url }: FetchRequest): PageOutcome {
  const seen = { id, url, at: 1, ms: 1, status: 200, bytes: 1, contentHash: url }
  const page = {
    form: 'page' as const,
    title: '',
    text: '',
    links: [],
    noindex: false,
    nofollow: false,
  }
  const empty: PageOutcome = { kind: 'page', page, ...seen }
  // So that nobody reads the text.
  return { ...empty, page: { ...empty.page, text }, textFacts: textFactsOf(empty) }
}

const inOrder: Planner = {
  async renew() {},
  plan: ({ candidates: urls, limits }) => {
    const bids = { purpose: 'acquire' as const, urls, gains: new Float64Array(urls.length).fill(1) }
    const all = planFetches([{ ...bids, why: () => '' }], { ...limits, budget: urls.length })
    return { fetches: all.slice(0, limits.budget), reserved: all.slice(limits.budget) }
  },
}

test('a cycle ends when the pages it holds are heavy, and none is lost', async () => {
  const usual = await crawlHeavyPages()
  expect(usual.end).toBe('budget spent')
  expect(usual.spent).toBe(PAGES)
  expect(usual.cycles).toEqual([2, 2, 1])
  expect(usual.letGo).toBe(3)
  const longer = await crawlHeavyPages({ mostHeldBytes: 2 * MOST_HELD_BYTES })
  expect(longer).toEqual({ ...usual, cycles: [4, 1], letGo: 2 })
})

async function crawlHeavyPages(limits: Pick<CrawlLimits, 'mostHeldBytes'> = {}) {
  const fetcher = listFetcher(async function* (requests): AsyncGenerator<FetchOutcome> {
    for (const request of requests) yield heavyPage(request)
  })
  const state = crawlState(new Frontier())
  for (let page = 0; page < PAGES; page++) state.frontier.add(`https://a.org/${page}`, 'link', 1, 1)
  const cycles: number[] = []
  let letGo = 0
  const end = await crawl(
    state,
    { policy: inOrder, seed: 1 },
    { fetcher, repository: new MemoryStore(), clock: { now: () => 1 } },
    { budget: PAGES, batch: PAGES, ...limits },
    new AbortController().signal,
    { cycle: ({ fetches }) => cycles.push(fetches.length), letGo: () => letGo++ },
  )
  return { end, spent: state.spent, cycles, letGo }
}

test('links weigh as well as text, wherever they were found', () => {
  const light = heavyPage({ id: 0, url: 'https://a.org/' } as FetchRequest)
  const link = { url: 'https://a.org/b', anchor: 'b', rel: 0 }
  const links = Array.from({ length: 100 }, () => link)
  const linked = { ...light, page: { ...light.page, links } }
  expect(heldBytes(linked)).toBeGreaterThan(heldBytes(light))
  expect(heldBytes({ ...light, found: links })).toBe(heldBytes(linked))
  const long = links.map((link) => ({ ...link, url: `${link.url}${'b'.repeat(1_000)}` }))
  expect(heldBytes({ ...light, found: long })).toBe(heldBytes(linked) + 100 * 1_000)
  const wide = { ...light, page: { ...light.page, text: text.replace(' ', 'Ω') } }
  expect(heldBytes(wide)).toBe(2 * heldBytes(light))
})

test('so does all else that a page may have much of', () => {
  const light = heavyPage({ id: 0, url: 'https://a.org/' } as FetchRequest)
  const held = (more: object) =>
    heldBytes({ ...light, page: { ...light.page, ...more } }) - heldBytes(light)
  expect(held({ asides: Array(1_000).fill(7) })).toBe(8_000)
  expect(held({ data: { json: 'a'.repeat(5_000), published: 1 } })).toBe(5_001)
  expect(held({ fields: { price: '12', tags: ['a'.repeat(300), 'Ω'.repeat(300)] } })).toBe(902)
})
