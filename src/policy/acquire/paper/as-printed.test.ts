import { expect, test } from 'vitest'
import { Frontier } from '#frontier/frontier.ts'
import { Lessons } from '#learn/lessons.ts'
import { defaultAnalyser } from '#search/full-text/default-search.ts'
import { TextIndex } from '#search/full-text/text-index.ts'
import { AddressShapes } from '../../facts/address-shapes.ts'
import { crawlFacts } from '../../facts/crawl-facts.ts'
import { QueryKnowledge, type QueryKnowledgeOptions } from '../../facts/query-knowledge.ts'
import { REGISTRY } from '../../registry/registry.ts'

const QUERIES = [
  { text: 'otter', weight: 653 },
  { text: 'sea otter', weight: 20 },
  { text: 'newt', weight: 5 },
]
/** A hub that answers nothing links to these pages, each time by all of these anchors. */
const LINKED = [
  ...Array.from({ length: 6 }, () => ['otter']),
  ...[['sea otter'], ['sea', 'otter'], ['newt']],
]

/** Bids of a policy of the registry for the linked pages; so many pages about otters are held. */
function bidsOf(name: string, options: QueryKnowledgeOptions = {}, held = 0): number[] {
  const frontier = new Frontier()
  const index = new TextIndex(defaultAnalyser)
  const hold = (address: string, text: string) => {
    const url = frontier.add(address, 'seed', 0, 1)
    frontier.visit(url, { state: 'page', at: 2, contentKey: url + 1 })
    index.replace(url, { url: address, title: text, text, anchors: [] })
    return url
  }
  const hub = hold('https://hub.org/', 'welcome')
  const pages = LINKED.map((_, i) => frontier.add(`https://pages.org/${i}`, 'link', 1, 1))
  for (let page = 0; page < held; page++) hold(`https://held.org/${page}`, 'otter')
  const links = LINKED.flatMap((anchors, i) => anchors.map((text) => ({ text, target: pages[i] })))
  frontier.replaceLinks(hub, {
    targets: Uint32Array.from(links, ({ target }) => target),
    anchors: Uint32Array.from(links, ({ text }) => frontier.links.anchors.add(text)),
    rels: new Uint8Array(links.length),
  })
  const source = {
    lessons: new Lessons(frontier),
    shapes: new AddressShapes(frontier.urls),
    asked: new QueryKnowledge(frontier, index, QUERIES, options),
  }
  const moment = { now: 3, seed: 1, budget: 5, candidates: Uint32Array.from(pages) }
  const facts = crawlFacts(source, { ...moment, mayRefetch: () => true })
  return [...REGISTRY.named(name)!.bids(facts).gains]
}

test('query-driven bids the searches that would see a page among the first ten, and no more', () => {
  expect(bidsOf('query-driven')).toEqual([653, 653, 653, 653, 653, 653, 673, 653, 5])
})

test('there are K places: pages that say just what is asked take them first, of equals the lower number', () => {
  // The page of two anchors says "otter" too, so it is a seventh equal; "sea otter" says more than is asked.
  expect(bidsOf('query-driven', { topK: 3 })).toEqual([653, 653, 653, 0, 0, 0, 20, 0, 5])
  expect(bidsOf('query-driven', { topK: 7 })).toEqual([653, 653, 653, 653, 653, 653, 20, 653, 5])
})

test('pages held take places of their own', () => {
  // A page about otters alone scores more than is expected of one that links call so.
  expect(bidsOf('query-driven', { topK: 3 }, 2)).toEqual([653, 0, 0, 0, 0, 0, 20, 0, 5])
  expect(bidsOf('query-driven', { topK: 3 }, 3)).toEqual([0, 0, 0, 0, 0, 0, 20, 0, 5])
})

test('a smaller share of n-grams lets more pages match', () => {
  // "otter" is one of the three n-grams of "sea otter"; two anchors of one word each hold two of them.
  const [asPrinted, twoThirds, oneThird] = [1, 0.66, 0.33].map((matchShare) =>
    bidsOf('query-driven', { matchShare }),
  )
  expect(asPrinted.slice(5, 8)).toEqual([653, 673, 653])
  expect(twoThirds.slice(5, 8)).toEqual([653, 673, 673])
  expect(oneThird.slice(5, 8)).toEqual([673, 673, 673])
})

test('with single words as the longest n-grams, words of two anchors say a query of two', () => {
  expect(bidsOf('query-driven', { longestNgram: 1 }).slice(5, 8)).toEqual([653, 673, 673])
})

test('query-independent bids searches too: as many as see pages of such PageRank', () => {
  for (const bid of bidsOf('query-independent')) expect(bid).toBeCloseTo(0, 4)
  // Three pages of the same PageRank are held, no page links to them. Two of them are seen by 653 + 20 searchers, the hub
  // by none; links give the others more PageRank, and no parabola can be told from such points but the flat one.
  for (const bid of bidsOf('query-independent', {}, 2)) expect(bid).toBeCloseTo((2 * 673) / 3, 2)
  for (const bid of bidsOf('query-independent', { topK: 1 }, 2)) expect(bid).toBeCloseTo(673 / 3, 2)
})

test('hybrid-paper is nine tenths of one and a tenth of the other', () => {
  const [hybrid, driven, independent] = ['hybrid-paper', 'query-driven', 'query-independent'].map(
    (name) => bidsOf(name, { topK: 3 }, 2),
  )
  expect(Math.max(...independent)).toBeGreaterThan(1)
  hybrid.forEach((bid, i) => {
    expect(bid).toBeCloseTo(0.9 * driven[i] + 0.1 * independent[i], 9)
  })
})

test('of few sketches only those of the neediest queries are made', () => {
  const few = { needyShare: 0.3, topK: 1 }
  expect(bidsOf('query-driven', few)).toEqual([653, 0, 0, 0, 0, 0, 0, 0, 0])
  // Past plans taught that a query with answers gets nothing new: of the three, "newt" alone has none.
  const progress = Array.from({ length: 100 }, (_, i) =>
    i % 2 === 0 ? { averageScore: 0.001, newResults: 0 } : { averageScore: 0, newResults: 1 },
  )
  expect(bidsOf('query-driven', { ...few, progress }, 3)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 5])
})
