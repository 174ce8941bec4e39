import { expect, test } from 'vitest'
import { HeldCopies } from '../weeks/held-copies.ts'
import { WorldCrawl } from '../worlds/world-crawl.ts'
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

/** A crawl that fetched the seed in the first week, and nothing since. */
async function atWeek(week: number) {
  const crawl = new WorldCrawl({ ...world, week: 0, log: world.queries, seed: 1, sitemaps: 'none' })
  const copies = HeldCopies.none(world.truth)
  const visit = async (fetches: number) => {
    for (const { outcome } of await crawl.spend('bfs', fetches)) copies.fetched(outcome.url)
  }
  await visit(1)
  while (copies.week < week) copies.nextWeek()
  crawl.goTo(week)
  const truth = new Truth(crawl, copies)
  const urlNamed = (name: string) =>
    crawl.state.frontier.urls.find(world.truth.urlOf(pageNamed(world, name))!)!
  const waiting: number[] = []
  truth.forEachWaiting(urlNamed('home'), (page) => waiting.push(page))
  return { copies, truth, urlNamed, waiting, visit }
}

test('what a fetch would gain is what it then gains', async () => {
  const { copies, truth, urlNamed, visit } = await atWeek(2)
  const [gain, before] = [truth.gainOf(urlNamed('old')), copies.answers.earned]
  expect(gain).toBeGreaterThan(0)
  await visit(2) // it, and a link that leads nowhere
  expect(copies.answers.earned - before).toBeCloseTo(gain, 12)
  expect(truth.gainOf(urlNamed('old'))).toBe(0)
})

test('links wait that lead to live pages nobody knows, each once', async () => {
  expect((await atWeek(1)).waiting).toEqual([])
  expect((await atWeek(2)).waiting).toEqual([pageNamed(world, 'young')])
})

test('it is known since when a page is as it is, when it will change, and when it will be gone', async () => {
  const { truth } = await atWeek(3)
  expect(truth.daysAsNow(pageNamed(world, 'home'))).toBe(7)
  expect(truth.daysAsNow(pageNamed(world, 'old'))).toBe(21)
  const { truth: before } = await atWeek(2)
  expect(before.daysToNextChange(pageNamed(world, 'young'))).toBe(7)
  expect(before.daysToDeath(pageNamed(world, 'young'))).toBe(14)
  // The recording tells no more than that it is there in its last week.
  expect(before.daysToDeath(pageNamed(world, 'old'))).toBe(21)
})
