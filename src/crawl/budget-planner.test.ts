import { expect, test } from 'vitest'
import { Frontier } from '#frontier/frontier.ts'
import type { HistoryFacts } from '#frontier/refresh-facts.ts'
import type { Policy } from '#policy/bids.ts'
import { qualityRefresh } from '#policy/refresh/quality.ts'
import { uniformRefresh } from '#policy/refresh/uniform.ts'
import { BudgetPlanner } from './budget-planner.ts'
import { Histories } from './histories.ts'

const DAY = 86_400
const PAGES = 80
const SHARES = { acquire: 0.5, refresh: 0.5, discover: 0 }

/** Copies of two folders, those of the second older; fetching those of the first again gained much more. */
function refetched(refresher: Policy<HistoryFacts>): number[] {
  const frontier = new Frontier()
  for (let page = 0; page < PAGES; page++)
    frontier.add(`https://a.org/${page < PAGES / 2 ? 'news' : 'old'}/${page}`, 'seed', 0, 0)
  const clicks = () => new Map(Array.from({ length: PAGES }, (_, url) => [url, 0.1]))
  const setup = { frontier, histories: new Histories(), discovers: false, shares: SHARES }
  const planner = new BudgetPlanner({ ...setup, refresher, clicks })
  for (const day of [1, 2])
    for (let url = 0; url < PAGES; url++) {
      const isNews = url < PAGES / 2
      const at = (day + (isNews ? 0.5 : 0)) * DAY
      frontier.visit(url, { state: 'page', at })
      planner.replay({
        ...{ url, at, kind: 'page', form: 'page', contentChanged: true, newUrls: 0 },
        ...{ foundBefore: 0, rival: -1, inLinks: 0, gain: isNews ? 1 : 0.001, clicks: 0.1 },
        ...(day === 2 && { thought: { refresh: 1 } }),
      })
    }
  const request = { now: 10 * DAY, seed: 1, candidates: new Uint32Array(), otherBids: [] }
  const limits = { budget: PAGES / 2 }
  const plan = planner.plan({ ...request, limits, affords: PAGES, isUnderWay: () => false })
  return plan.fetches.map(({ url }) => url)
}

const folder = (first: number) => Array.from({ length: PAGES / 2 }, (_, i) => first + i)

test('copies are fetched by what earlier fetches of their class gained, where bids are quality', () => {
  expect(refetched(qualityRefresh)).toEqual(folder(0))
})

test('a rival that goes by age alone does so whatever earlier fetches gained', () => {
  expect(refetched(uniformRefresh)).toEqual(folder(PAGES / 2))
})
