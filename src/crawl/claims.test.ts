import { expect, test } from 'vitest'
import { Frontier } from '#frontier/frontier.ts'
import { defineBidder } from '#policy/define-bidder.ts'
import { newPagesPlanner } from '#policy/planning/budget-planner.ts'
import { crawlState, planCycle } from './plan-cycle.ts'

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i)

/** What was found first is worth most. */
const firstFound = defineBidder({
  name: 'first found',
  task: 'acquire',
  needs: ['candidates'],
  bids: ({ candidates: urls }) => ({
    urls,
    gains: Float64Array.from(urls, (url) => 1 / (1 + url)),
  }),
})

/** How many strangers are on the board of a crawl that affords 100 fetches; hosts have so many good pages. */
function strangersOnBoard(goodPages: Readonly<Record<string, number>>): number {
  const frontier = new Frontier()
  for (const [host, pages] of Object.entries(goodPages))
    for (const page of upTo(pages)) {
      const url = frontier.add(`https://${host}/held/${page}`, 'seed', 0, 1)
      frontier.judge(url, true)
      frontier.visit(url, { state: 'page', at: 1, contentKey: url + 1 })
    }
  for (const page of upTo(500)) frontier.add(`https://vast.org/${page}`, 'link', 1, 1, 0)
  const strangers = upTo(5).map((i) => frontier.add(`https://b${i}.org/`, 'link', 1, 1, 0))
  const state = crawlState(frontier)
  const rules = { policy: newPagesPlanner(firstFound, state.lessons), seed: 1 }
  const means = { budget: 10, affords: 100, reserve: 1_000 }
  const { fetches, reserved = [] } = planCycle(state, rules, means, 2)
  return [...fetches, ...reserved].filter(({ url }) => strangers.includes(url)).length
}

test('a site that brought all good pages so far is counted on: strangers worth less are left alone', () => {
  expect(strangersOnBoard({ 'vast.org': 5 })).toBe(0)
})

test('one that brought few of them is counted on for little, and keeps nobody from the board', () => {
  expect(strangersOnBoard({ 'vast.org': 1, 'other.org': 20 })).toBeGreaterThan(0)
})
