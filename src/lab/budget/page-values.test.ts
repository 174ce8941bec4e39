import { expect, test } from 'vitest'
import { seededRandom } from '#numeric/random.ts'
import { impactBidder } from '#policy/acquire/impact.ts'
import { learnAtStart, PageValues } from './page-values.ts'
import { queryShares } from './query-shares.ts'
import { SimulatedCrawler } from './simulated-crawler.ts'
import { modelWorld } from './small-world.test-kit.ts'
import { startingPages } from './starting-pages.ts'

const world = modelWorld(7, 500, 10)
const shares = queryShares(world, 'repeated', seededRandom(1))!

function begin(share: number) {
  const crawler = new SimulatedCrawler(world, shares)
  for (const page of startingPages(world, share, seededRandom(2))) crawler.visitPage(page, 0)
  return crawler
}

test('the starting pages teach what others are worth, unless they are too few', () => {
  expect(learnAtStart(begin(0.3), shares, 1)).toBeDefined()
  expect(learnAtStart(begin(0.02), shares, 1)).toBeUndefined()
})

test('every candidate has a value in every week, also those found since values were renewed', () => {
  const crawler = begin(0.3)
  const model = learnAtStart(crawler, shares, 1)
  const values = new PageValues(impactBidder, crawler, shares, { seed: 1, ...(model && { model }) })
  let later = 0
  const known = crawler.frontier.size
  for (let week = 1; week < 5; week++) {
    crawler.turnTo(week)
    const { urls, gains } = values.bids(week, 5)
    expect(urls).toEqual(crawler.frontier.unfetched(crawler.timeOf(week)))
    expect(gains.every((gain) => gain >= 0 && Number.isFinite(gain))).toBe(true)
    const best = Array.from(urls.keys())
      .sort((a, b) => gains[b] - gains[a])
      .slice(0, 5)
      .map((i) => urls[i])
    for (const url of best) crawler.visit(url, week)
    later += urls.filter((url, i) => url >= known && gains[i] > 0).length
  }
  expect(later).toBeGreaterThan(0)
})

test('values stay as they are until they are due', () => {
  const crawler = begin(0.3)
  const model = learnAtStart(crawler, shares, 1)!
  const values = new PageValues(impactBidder, crawler, shares, { seed: 1, model })
  const first = values.bids(1, 5)
  const url = first.urls[0]
  for (const other of first.urls.slice(1, 20)) crawler.visit(other, 1)
  const valueIn = (week: number) => {
    const { urls, gains } = values.bids(week, 5)
    return gains[urls.indexOf(url)]
  }
  expect(valueIn(2)).toBe(first.gains[0])
  expect(valueIn(9)).not.toBe(first.gains[0])
})
