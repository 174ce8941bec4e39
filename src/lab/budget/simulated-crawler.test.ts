import { expect, test } from 'vitest'
import { NOBODY } from '#frontier/urls/url-states.ts'
import { SimulatedCrawler } from './simulated-crawler.ts'
import { pageNamed, smallWorld, urlOf } from './small-world.test-kit.ts'

const world = smallWorld(
  4,
  {
    home: [
      { live: [0, 1], text: ['tea'], to: ['old', 'moving'] },
      { live: [2, 3], text: ['tea time'], to: ['old', 'young', 'young'] },
    ],
    old: [{ live: [0, 1], text: ['green tea'] }],
    young: [{ live: [2, 3], text: ['black tea'] }],
    moving: [
      { live: [0, 1], text: ['red'] },
      { live: [2, 3], redirect: urlOf('hidden') },
    ],
    hidden: [{ live: [0, 3], text: ['red green'] }],
  },
  { tea: 2, 'green tea': 1, red: 1 },
)
const all = { seen: Float64Array.of(2, 1, 1), judging: Float64Array.of(0.5, 0.25, 0.25) }
const begin = () => {
  const crawler = new SimulatedCrawler(world, all)
  const urlNamed = (name: string) => crawler.urlOf[pageNamed(world, name)]
  return { crawler, urlNamed }
}

test('a fetch reveals links with their anchors, and is worth what it adds to the answers', () => {
  const { crawler, urlNamed } = begin()
  expect(crawler.frontier.size).toBe(1)
  const home = crawler.visitPage(pageNamed(world, 'home'), 0)
  expect(home).toMatchObject({ kind: 'page', newUrls: 2, contentChanged: true, inLinks: 0 })
  expect(home.gain).toBeCloseTo(crawler.held.earned, 12)
  const before = crawler.held.earned
  const old = crawler.visit(urlNamed('old'), 0)
  expect(old.gain).toBeCloseTo(crawler.held.earned - before, 12)
  expect(old.inLinks).toBe(1)
  expect(crawler.frontier.discoveries.finderOf(urlNamed('old'))).toBe(urlNamed('home'))
  const { anchors } = crawler.frontier.links.rowOf(urlNamed('home'))
  expect(Array.from(anchors, (text) => crawler.frontier.links.anchors.at(text))).toEqual([
    'old',
    'moving',
  ])
})

test('a page that is gone takes its copy with it, one that moved tells where', () => {
  const { crawler, urlNamed } = begin()
  for (const name of ['home', 'old', 'moving']) crawler.visitPage(pageNamed(world, name), 0)
  crawler.turnTo(1)
  crawler.turnTo(2)
  expect(urlNamed('hidden')).toBe(-1)
  const gone = crawler.visit(urlNamed('old'), 2)
  expect(gone).toMatchObject({ kind: 'gone', contentChanged: true, newUrls: 0 })
  expect(crawler.held.isHeld(pageNamed(world, 'old'))).toBe(false)
  const moved = crawler.visit(urlNamed('moving'), 2)
  expect(moved).toMatchObject({ kind: 'redirect', contentChanged: true, newUrls: 1 })
  expect(crawler.frontier.stateOf(urlNamed('hidden'))).toBe('known')
  const { pages } = crawler.frontier.refreshFacts(crawler.timeOf(2))
  expect([...pages]).toEqual([urlNamed('home')])
})

test('a copy is stale until it is fetched again, and new links are told once', () => {
  const { crawler, urlNamed } = begin()
  crawler.visitPage(pageNamed(world, 'home'), 0)
  crawler.turnTo(1)
  expect(crawler.visit(urlNamed('home'), 1)).toMatchObject({
    contentChanged: false,
    gain: 0,
    newUrls: 0,
  })
  crawler.turnTo(2)
  expect(crawler.visit(urlNamed('home'), 2)).toMatchObject({
    contentChanged: true,
    newUrls: 1,
    foundBefore: 0,
    rival: NOBODY,
  })
  expect(crawler.knownAt[pageNamed(world, 'young')]).toBe(2)
  expect(crawler.heldAt[pageNamed(world, 'young')]).toBe(-1)
})
