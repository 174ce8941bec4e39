import { expect, test } from 'vitest'
import { Frontier } from '#frontier/frontier.ts'
import { Lessons } from '#learn/lessons.ts'
import type { Bidder } from '../bidder.ts'
import type { Parts } from '../budget/added-bids.ts'
import { yieldBidder } from '../discover/yield.ts'
import { NO_VIEWS } from '../facts/views.ts'
import { breadthFirst } from '../orders/link-orders.ts'
import { uniformRefresh } from '../refresh/by-age.ts'
import { qualityRefresh } from '../refresh/quality.ts'
import { BudgetPlanner } from './budget-planner.ts'
import type { Composition } from './composition.ts'

const DAY = 86_400
const PAGES = 80
const SHARES = { acquire: 0.5, refresh: 0.5, discover: 0 }

const sharing = (bidders: Composition['bidders'], shares: Parts): Composition => ({
  name: 'shares',
  spends: 'shares',
  bidders,
  shares,
})

/** Copies of two folders, those of the second older; fetching those of the first again gained much more. */
function refetched(refresh: Bidder): number[] {
  const frontier = new Frontier()
  for (let page = 0; page < PAGES; page++)
    frontier.add(`https://a.org/${page < PAGES / 2 ? 'news' : 'old'}/${page}`, 'seed', 0, 0)
  const byUrl = new Map(Array.from({ length: PAGES }, (_, url) => [url, 0.1]))
  const lessons = new Lessons(frontier)
  const composition = sharing({ refresh }, SHARES)
  const planner = new BudgetPlanner({ lessons, composition, views: () => ({ byUrl }) })
  for (const day of [1, 2])
    for (let url = 0; url < PAGES; url++) {
      const isNews = url < PAGES / 2
      const at = (day + (isNews ? 0.5 : 0)) * DAY
      frontier.visit(url, { state: 'page', at })
      lessons.learn({
        ...{ url, at, kind: 'page', form: 'page', contentChanged: true, newUrls: 0 },
        ...{ inLinks: 0, gain: isNews ? 1 : 0.001, views: 0.1 },
        ...(day === 2 && { prediction: { refresh: 1 } }),
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

/** A plan of one copy and one page never fetched, for which bidders by links and by age alone bid. */
function smallPlan(inQuality: { acquire: boolean; refresh: boolean }, shares = SHARES) {
  const frontier = new Frontier()
  for (const path of ['held', 'new']) frontier.add(`https://a.org/${path}`, 'seed', 0, 0)
  frontier.add('https://a.org/found', 'link', 1, DAY, 0)
  const unit = (isQuality: boolean) => (isQuality ? 'quality' : 'rank')
  const bidders = {
    acquire: { ...breadthFirst, unit: unit(inQuality.acquire) },
    refresh: { ...uniformRefresh, unit: unit(inQuality.refresh) },
    discover: yieldBidder,
  } as const
  const lessons = new Lessons(frontier)
  const composition = sharing(bidders, shares)
  const planner = new BudgetPlanner({ lessons, composition, views: () => NO_VIEWS })
  frontier.visit(0, { state: 'page', at: DAY })
  lessons.learn({
    ...{ url: 0, at: DAY, kind: 'page', form: 'page', contentChanged: true, newUrls: 1 },
    ...{ inLinks: 0, gain: 1, views: 0 },
  })
  const request = { now: 10 * DAY, seed: 1, candidates: Uint32Array.of(1), otherBids: [] }
  const limits = { budget: 2 }
  return planner.plan({ ...request, limits, affords: 1, isUnderWay: () => false })
}

function notedFetches(inQuality: { acquire: boolean; refresh: boolean }) {
  return smallPlan(inQuality).fetches.map((fetch) => ({ ...fetch, prediction: fetch.prediction! }))
}

test('the prediction of a fetch is noted where it was quality: nothing else could be corrected by it', () => {
  const noted = (acquire: boolean, refresh: boolean) =>
    Object.fromEntries(
      notedFetches({ acquire, refresh }).map(({ url, prediction }) => [
        url,
        Object.keys(prediction).toSorted(),
      ]),
    )
  expect(noted(true, true)).toEqual({ 0: ['links', 'refresh'], 1: ['acquire', 'links'] })
  expect(noted(true, false)).toEqual({ 0: ['links'], 1: ['acquire', 'links'] })
  // Links of a new page would be taken for those of a copy if nothing told that it was new.
  expect(noted(false, true)).toEqual({ 0: ['links', 'refresh'], 1: [] })
})

test('what fetches by shares would gain is what the plan expects, if all of it is quality', () => {
  const copies = { acquire: 0, refresh: 1, discover: 0 }
  const { fetches, outlook } = smallPlan({ acquire: true, refresh: true }, copies)
  const [copy, better] = fetches
  expect(copy.gain).toBeLessThan(better.gain)
  expect(outlook!(1)).toEqual({ fetches: 1, gain: copy.expected })
  expect(outlook!(2)).toEqual({ fetches: 2, gain: copy.expected + better.expected })
  expect(smallPlan({ acquire: false, refresh: true }).outlook).toBeUndefined()
  expect(smallPlan({ acquire: true, refresh: false }).outlook).toBeUndefined()
})

test('links count by their number where nobody says in quality what their pages are worth', () => {
  const { fetches } = smallPlan({ acquire: false, refresh: false })
  const copy = fetches.find(({ url }) => url === 0)!
  expect(copy.parts.discover).toBeGreaterThan(0)
})

test.each(['shell', 'unasked'] as const)(
  'a site of nothing but frames (%s) is rendered, though nobody can ask about it yet',
  (state) => {
    const frontier = new Frontier()
    frontier.add('https://a.org/', 'seed', 0, 0)
    frontier.visit(0, { state: 'page', at: DAY })
    frontier.renderings.note(0, state, true)
    const composition: Composition = {
      ...{ name: 'one', spends: 'one currency', bidders: { acquire: breadthFirst } },
    }
    const setup = { lessons: new Lessons(frontier), composition }
    const planned = (render?: 'worthwhile') => {
      const planner = new BudgetPlanner({ ...setup, render })
      const request = { now: 2 * DAY, seed: 1, candidates: new Uint32Array(), otherBids: [] }
      const limits = { budget: 50 }
      return planner.plan({ ...request, limits, affords: 50, isUnderWay: () => false }).fetches
    }
    expect(planned('worthwhile')).toMatchObject([{ url: 0, renderCost: 4 }])
    expect(planned()).toEqual([])
  },
)

test.each(['disallowed', 'forbidden', 'failed'] as const)(
  'a fetch that was %s does not correct what others are predicted to gain',
  (kind) => {
    const frontier = new Frontier()
    const lessons = new Lessons(frontier)
    for (let url = 0; url < PAGES; url++) {
      frontier.add(`https://a.org/${url}`, 'seed', 0, 0)
      lessons.learn({
        ...{ url, at: DAY, kind, form: 'page', contentChanged: false, newUrls: 0 },
        ...{ inLinks: 0, gain: 0, views: 0 },
        prediction: { acquire: 1, links: 5 },
      })
    }
    expect(lessons.corrections.corrected('acquire', 0, 1)).toBe(1)
    expect(lessons.corrections.calibrations.firstLinks.correct(0, 5)).toBe(5)
  },
)
