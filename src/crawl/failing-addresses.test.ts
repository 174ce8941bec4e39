import { expect, test } from 'vitest'
import { Frontier } from '#frontier/frontier.ts'
import { BudgetPlanner } from '#policy/planning/budget-planner.ts'
import { newPagesBy } from '#policy/planning/new-pages.test-kit.ts'
import type { Planner } from '#policy/planning/plan.ts'
import { policyNamed } from '#policy/registry/policy-name.ts'
import { crawl } from './crawl.ts'
import { MemoryStore } from './memory-store.ts'
import { type CrawlState, crawlState } from './plan-cycle.ts'
import { promptFetcher } from './prompt-fetcher.ts'

const NAMES = ['library', 'tutorial', 'c-api', 'howto', 'using'].flatMap((folder) =>
  Array.from({ length: 20 }, (_, i) => `${folder}/${String.fromCharCode(97 + i)}`),
)
/** What the home page links to, those that do not exist first. */
const LINKS = ['usr/share/doc', 'docs'].flatMap((folder) =>
  NAMES.map((name) => `https://a.org/${folder}/${name}`),
)

/** Fetches of a site where all under /usr/ is gone, in their order. */
async function fetchedBy(policyOf: (state: CrawlState) => Planner): Promise<string[]> {
  const frontier = new Frontier()
  frontier.add('https://a.org/', 'seed', 0, 1)
  const state = crawlState(frontier)
  const asked: string[] = []
  const fetcher = promptFetcher(({ id, url }) => {
    asked.push(url)
    const answer = { id, url, at: 1, ms: 1, bytes: 1 }
    if (url.includes('/usr/')) return { kind: 'gone', ...answer, status: 404 }
    const links = (asked.length === 1 ? LINKS : []).map((to) => ({ url: to, anchor: '', rel: 0 }))
    const page = { form: 'page' as const, title: '', text: url, links }
    const contentHash = Buffer.from(url).toString('hex').slice(-13)
    return {
      ...{ kind: 'page', ...answer, status: 200, contentHash },
      page: { ...page, noindex: false, nofollow: false },
    }
  })
  const ports = { fetcher, repository: new MemoryStore(), clock: { now: () => 1 } }
  const rules = { policy: policyOf(state), seed: 1 }
  await crawl(state, rules, ports, { budget: 81, batch: 10 }, new AbortController().signal)
  return asked
}

test.each<[string, (state: CrawlState) => Planner]>([
  ['bfs', (state) => newPagesBy('bfs', state)],
  ['pagerank', (state) => newPagesBy('pagerank', state)],
  ['unified', ({ lessons }) => new BudgetPlanner({ composition: policyNamed('unified'), lessons })],
])('%s: after a few addresses under a prefix failed, the others wait', async (_, policyOf) => {
  const asked = await fetchedBy(policyOf)
  expect(asked).toHaveLength(81)
  expect(asked.filter((url) => url.includes('/usr/')).length).toBeLessThanOrEqual(10)
})
