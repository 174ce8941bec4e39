import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Csr, csrFromEdges, distinctRows, rowOf } from '#numeric/csr.ts'
import { opicCash } from './opic.ts'

const URLS = 8
const url = fc.integer({ min: 0, max: URLS - 1 })
const graph = fc.array(fc.tuple(url, url), { maxLength: 40 }).map((edges) => linksOf(edges))

function linksOf(edges: [number, number][]): Csr {
  const sources = Uint32Array.from(edges, ([source]) => source)
  const targets = Uint32Array.from(edges, ([, target]) => target)
  return distinctRows(csrFromEdges(URLS, sources, targets))
}

/** Pays every share by hand, the virtual page's too. */
function naiveBooks(links: Csr, visits: number[]) {
  const cash = new Array<number>(URLS).fill(1 / URLS)
  const history = new Array<number>(URLS).fill(0)
  for (const url of visits) {
    const held = cash[url]
    const targets = [...rowOf(links, url)]
    const share = held / (targets.length + 1)
    history[url] += held
    cash[url] = 0
    for (const target of targets) cash[target] += share
    for (let other = 0; other < URLS; other++) cash[other] += share / URLS
  }
  return { cash, history }
}

test('the books agree with paying every share by hand', () => {
  fc.assert(
    fc.property(graph, fc.array(url), (links, visits) => {
      const books = opicCash(links, Uint32Array.from(visits), URLS)
      const naive = naiveBooks(links, visits)
      for (let url = 0; url < URLS; url++) {
        expect(books.cash[url]).toBeCloseTo(naive.cash[url], 12)
        expect(books.history[url]).toBeCloseTo(naive.history[url], 12)
      }
    }),
  )
})

test('cash is neither made nor lost, and nobody owes any', () => {
  fc.assert(
    fc.property(graph, fc.array(url), (links, visits) => {
      const { cash } = opicCash(links, Uint32Array.from(visits), URLS)
      expect(cash.reduce((sum, held) => sum + held, 0)).toBeCloseTo(1, 12)
      expect(Math.min(...cash)).toBeGreaterThanOrEqual(0)
    }),
  )
})

test('a URL linked from a visited page holds more than one nobody links to', () => {
  const { cash } = opicCash(linksOf([[0, 1]]), Uint32Array.of(0), URLS) // biome-ignore format: short
  expect(cash[1]).toBeGreaterThan(cash[2])
})

test('repeated visits lead the history towards page importance', () => {
  const links = linksOf([[1, 0], [2, 0], [3, 0], [0, 1]]) // biome-ignore format: one graph
  const visits = Uint32Array.from({ length: 4000 }, (_, i) => i % URLS)
  const { history } = opicCash(links, visits, URLS)
  const order = [...history.keys()].sort((a, b) => history[b] - history[a])
  expect(order.slice(0, 2)).toEqual([0, 1])
})
