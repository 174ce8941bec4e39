import { expect, test } from 'vitest'
import { SimulatedCrawler } from './simulated-crawler.ts'
import { pageNamed, smallWorld } from './small-world.test-kit.ts'
import { Truth } from './truth.ts'

const world = smallWorld(
  5,
  {
    home: [
      { live: [0, 1], text: ['tea'], to: ['old'] },
      { live: [2, 4], text: ['tea time'], to: ['young', 'young', 'gone', 'old'] },
    ],
    old: [{ live: [0, 4], text: ['green tea'] }],
    young: [
      { live: [2, 2], text: ['black tea'] },
      { live: [3, 3], text: ['tea'] },
    ],
    gone: [{ live: [0, 1], text: ['tea'] }],
  },
  { tea: 1 },
)

function atWeek(week: number) {
  const shares = { seen: Float64Array.of(1), judging: Float64Array.of(1) }
  const crawler = new SimulatedCrawler(world, shares)
  const truth = new Truth(crawler)
  const home = crawler.visitPage(pageNamed(world, 'home'), 0).url
  for (let turn = 1; turn <= week; turn++) crawler.turnTo(turn)
  truth.turnTo(week)
  const waiting: number[] = []
  truth.forEachWaiting(home, (page) => waiting.push(page))
  return { crawler, truth, home, waiting }
}

test('what a fetch would gain is what it then gains', () => {
  const { crawler, truth, home } = atWeek(2)
  const old = crawler.urlOf[pageNamed(world, 'old')]
  for (const url of [old, home]) {
    const [gain, before] = [truth.gainOf(url), crawler.held.earned]
    crawler.visit(url, 2)
    expect(crawler.held.earned - before).toBeCloseTo(gain, 12)
    expect(truth.gainOf(url)).toBe(0)
  }
})

test('links wait that lead to live pages nobody knows, each once', () => {
  expect(atWeek(1).waiting).toEqual([])
  expect(atWeek(2).waiting).toEqual([pageNamed(world, 'young')])
})

test('it is known since when a page is as it is, when it will change, and when it will be gone', () => {
  const { crawler, truth, home } = atWeek(3)
  expect(truth.daysAsNow(home)).toBe(7)
  expect(truth.daysAsNow(crawler.urlOf[pageNamed(world, 'old')])).toBe(21)
  const { truth: before } = atWeek(2)
  expect(before.daysToNextChange(pageNamed(world, 'young'))).toBe(7)
  expect(before.daysToDeath(pageNamed(world, 'young'))).toBe(14)
  // The recording tells no more than that it is there in its last week.
  expect(before.daysToDeath(pageNamed(world, 'old'))).toBe(21)
})
