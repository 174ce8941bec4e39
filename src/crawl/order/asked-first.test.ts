import { expect, test } from 'vitest'
import { Frontier } from '#frontier/frontier.ts'
import type { NotedFetch, Plan } from '#policy/planning/plan.ts'
import { askedUrls, withAskedFirst } from './asked-first.ts'

function frontierOf(count: number): Frontier {
  const frontier = new Frontier()
  for (let url = 0; url < count; url++) frontier.add(`https://a.example/${url}`, 'link', 1, 1)
  return frontier
}

const planned = (url: number): NotedFetch => ({
  ...{ url, gain: 1, expected: 1, purpose: 'acquire' },
  parts: { acquire: 0, refresh: 0, discover: 0 },
  why: () => '',
})
const urlsOf = ({ fetches }: Plan) => fetches.map(({ url }) => url)

test('what is asked for leads the plan and takes the place of its last fetches', () => {
  const frontier = frontierOf(6)
  const plan = { fetches: [0, 1, 2].map(planned), reserved: [planned(4)], held: new Set([4]) }
  const made = withAskedFirst(plan, [4, 5], { budget: 3 }, frontier)
  expect(urlsOf(made)).toEqual([4, 5, 0])
  expect(made.reserved).toEqual([])
  expect(made.held).toEqual(new Set())
  expect(made.fetches[0].gain).toBe(1) // its own bid
  expect(made.fetches[1]).toMatchObject({ gain: 0, purpose: 'acquire' })
})

test('quotas hold for it too, and a plan without wishes is what it was', () => {
  const frontier = frontierOf(6)
  const plan = { fetches: [0, 1].map(planned) }
  const quotas = [{ groups: new Uint32Array(6), most: 2 }]
  expect(urlsOf(withAskedFirst(plan, [3, 4, 5], { budget: 5, quotas }, frontier))).toEqual([3, 4])
  expect(withAskedFirst(plan, [], { budget: 5, quotas }, frontier)).toBe(plan)
})

test('it is asked for until it was fetched; one that fails waits for its time', () => {
  const frontier = frontierOf(2)
  frontier.instructed.ask(0, 10)
  frontier.instructed.ask(1, 10)
  expect(askedUrls(frontier, 20)).toEqual([0, 1])
  frontier.visit(0, { state: 'gone', at: 21 })
  frontier.visit(1, { state: 'failed', at: 21, retryAt: 50 })
  expect(askedUrls(frontier, 30)).toEqual([])
  expect(askedUrls(frontier, 50)).toEqual([1])
})
