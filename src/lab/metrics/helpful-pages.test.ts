import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csrFromEdges } from '#numeric/csr.ts'
import { goodPages, helpfulPages } from './helpful-pages.ts'

const linksOf = (urls: number, edges: readonly (readonly [number, number])[]) =>
  csrFromEdges(
    urls,
    Uint32Array.from(edges, ([source]) => source),
    Uint32Array.from(edges, ([, target]) => target),
  )

test('good pages are those judged good, excellent or perfect for any query, if they are known', () => {
  const judgments = [
    { queryId: 'q', url: 'fair', grade: 1 },
    { queryId: 'q', url: 'good', grade: 2 },
    { queryId: 'r', url: 'good', grade: 0 },
    { queryId: 'q', url: 'unknown', grade: 4 },
    { queryId: 'q', url: 'both', grade: 0 },
    { queryId: 'r', url: 'both', grade: 3 },
  ]
  const numbers = new Map([
    ['both', 1],
    ['good', 7],
    ['fair', 2],
  ])
  expect(goodPages(judgments, (url) => numbers.get(url))).toEqual(Uint32Array.of(1, 7))
})

test('a page helps by its link to a good page, held or not, but never itself', () => {
  const links = linksOf(5, [
    [0, 4],
    [1, 2],
    [2, 2],
    [3, 4],
  ])
  const good = Uint32Array.of(2, 4)
  expect(helpfulPages(links, Uint32Array.of(0, 1, 2), good)).toEqual(Uint32Array.of(0, 1))
})

test('a naive twin agrees', () => {
  const url = fc.nat(9)
  const edges = fc.array(fc.tuple(url, url), { maxLength: 40 })
  const set = fc.uniqueArray(fc.nat(12))
  fc.assert(
    fc.property(edges, set, set, (edges, corpus, good) => {
      const helpful = corpus.filter((page) =>
        edges.some(([from, to]) => from === page && to !== page && good.includes(to)),
      )
      expect(
        helpfulPages(linksOf(10, edges), Uint32Array.from(corpus), Uint32Array.from(good)),
      ).toEqual(Uint32Array.from(helpful))
    }),
  )
})
