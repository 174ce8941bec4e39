import { expect, test } from 'vitest'
import { Frontier } from '../frontier.ts'
import { lineageQuota } from '../lineage-quota.ts'

/** Two seeds whose pages are held; the first links to so many new hosts. Gives the URL numbers. */
function portalAndShop(newHosts: number) {
  const frontier = new Frontier()
  const [portal, shop] = ['https://portal.org/', 'https://shop.net/'].map((url) => {
    const seed = frontier.add(url, 'seed', 0, 1)
    hold(frontier, seed)
    return seed
  })
  const strangers = Array.from({ length: newHosts }, (_, i) =>
    frontier.add(`https://www.example${i}.com/`, 'link', 1, 2, portal),
  )
  return { frontier, portal, shop, strangers }
}

function hold(frontier: Frontier, url: number): void {
  frontier.judge(url, true)
  frontier.visit(url, { state: 'page', at: 2, contentKey: 0xabcdefabcdefa })
}

function roomFor(frontier: Frontier, url: number, budget = 60): number {
  const { groups, most } = lineageQuota(frontier)(budget)!
  return most[groups[url]]
}

test('new hosts of a lineage get the share of fetches that its good pages are of all', () => {
  const { frontier, strangers, shop } = portalAndShop(1_000)
  frontier.add('https://shop.net/more', 'link', 1, 2, shop) // something is left there too
  // An equal part of the 2 fetches so far and the 60 of the plan, for each of the two.
  expect(roomFor(frontier, strangers[0])).toBe(31)
  for (let i = 0; i < 15; i++)
    hold(frontier, frontier.add(`https://shop.net/${i}`, 'link', 1, 3, shop))
  expect(roomFor(frontier, strangers[0])).toBe(8) // 2 of 18, of 77 fetches
  for (const url of strangers.slice(0, 6)) hold(frontier, url)
  expect(roomFor(frontier, strangers[10])).toBe(21) // 8 of 24, of 83 fetches, less 6
})

test('a farm of good pages gets an equal part of the fetches, however fast it is', () => {
  const { frontier, strangers, shop } = portalAndShop(1_000)
  frontier.add('https://shop.net/more', 'link', 1, 2, shop)
  for (const url of strangers.slice(0, 100)) hold(frontier, url)
  expect(roomFor(frontier, strangers[200], 10)).toBe(1) // it has had 100 of 102
})

test('when nobody else has anything left to fetch, it is not held back', () => {
  const { frontier, strangers } = portalAndShop(1_000)
  for (const url of strangers.slice(0, 100)) hold(frontier, url)
  expect(lineageQuota(frontier)(2)).toBeDefined()
  expect(roomFor(frontier, strangers[200], 60)).toBe(60) // 102 of 103, of 162 fetches, less 100
})

test('hosts that strangers lead to share with them: a farm of farms earns no more', () => {
  const { frontier, portal, strangers } = portalAndShop(1_000)
  hold(frontier, strangers[0])
  const deeper = frontier.add('https://deeper.example.net/', 'link', 2, 3, strangers[0])
  expect(frontier.lineages.of(frontier.urls.hostNumberOf(deeper))).toBe(
    frontier.urls.domains()[portal],
  )
  const { groups } = lineageQuota(frontier)(60)!
  expect(groups[deeper]).toBe(groups[strangers[1]])
})

test('even a lineage that brought nothing gets one fetch, as it may recover', () => {
  const { frontier, strangers } = portalAndShop(1_000)
  for (const url of strangers.slice(0, 90))
    frontier.visit(url, { state: 'failed', at: 3, retryAt: 9 })
  expect(roomFor(frontier, strangers[100], 10)).toBe(1) // 2 of 3, of 102 fetches, less 90
})

test('seeds, hosts that have answered and few new hosts are not capped', () => {
  expect(lineageQuota(portalAndShop(40).frontier)(60)).toBeUndefined()
  const { frontier, strangers } = portalAndShop(50)
  frontier.add('https://www.example0.com/', 'seed', 0, 3)
  hold(frontier, strangers[1])
  const further = frontier.add('https://www.example1.com/b', 'link', 2, 3, strangers[1])
  const { groups, most } = lineageQuota(frontier)(30)!
  for (const url of [strangers[0], strangers[1], further])
    expect(most[groups[url]]).toBe(Number.POSITIVE_INFINITY)
  expect(most[groups[strangers[2]]]).toBe(15) // an equal part of 33 fetches, less 1
})

test('a crawl of one seed is not capped at all', () => {
  const frontier = new Frontier()
  const seed = frontier.add('https://portal.org/', 'seed', 0, 1)
  hold(frontier, seed)
  for (let i = 0; i < 50; i++) frontier.add(`https://www.example${i}.com/`, 'link', 1, 2, seed)
  expect(lineageQuota(frontier)(50)).toBeUndefined()
})

test('a host that is named as a seed later takes along what it led to, whenever that was found or fetched', () => {
  const tale = (namedAt: number) => {
    const { frontier, strangers } = portalAndShop(50)
    const [first, second] = strangers
    const name = (at: number) =>
      at === namedAt && frontier.add('https://www.example0.com/x', 'seed', 0, 9)
    name(0)
    hold(frontier, first)
    const deeper = frontier.add('https://deeper.example.net/', 'link', 2, 3, first)
    name(1)
    hold(frontier, deeper)
    hold(frontier, frontier.add('https://deepest.example.net/', 'link', 3, 4, deeper))
    hold(frontier, second)
    name(2)
    const { lineages, urls } = frontier
    return Array.from({ length: urls.hostCount }, (_, host) => [
      lineages.of(host),
      lineages.firstContactsLeft(lineages.of(host), 1, 7),
    ])
  }
  expect(tale(1)).toEqual(tale(0))
  expect(tale(2)).toEqual(tale(0))
})
