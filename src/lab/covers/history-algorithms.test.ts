import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csrFromEdges } from '#numeric/csr.ts'
import { type CoverGraph, coverGraph, NEW, OLD } from './cover-graph.ts'
import { cliqLast, cliqWin, everLed, odLast, odWin, pastCover } from './history-algorithms.ts'
import { byShare, pastShares } from './past-recrawls.ts'

/** A site whose old pages 0 to 9 link to the new pages 10 and up as told. */
const site = (links: Readonly<Record<number, readonly number[]>>): CoverGraph => {
  const edges = Object.entries(links).flatMap(([from, to]) =>
    to.map((target) => [Number(from), target]),
  )
  return coverGraph({
    links: csrFromEdges(
      30,
      Uint32Array.from(edges, ([from]) => from),
      Uint32Array.from(edges, ([, to]) => to),
    ),
    roles: Uint8Array.from({ length: 30 }, (_, page) => (page < 10 ? OLD : NEW)),
  })
}
const weeks = [
  { time: 1, graph: site({ 1: [10, 11, 12, 13], 2: [10, 11, 12], 3: [14] }) },
  { time: 2, graph: site({ 2: [20], 4: [20, 21] }) },
]

test('shares are averaged over recrawls, quiet ones as much as busy ones', () => {
  const { pages, shares } = pastShares(weeks, 3)
  expect([...pages]).toEqual([1, 2, 3, 4])
  expect([...shares]).toEqual([4 / 5 / 2, (3 / 5 + 1 / 2) / 2, 1 / 5 / 2, 1 / 2])
})

test('with a decay the last recrawl counts more; recrawls before a birth may be left out', () => {
  const decayed = pastShares(weeks, 3, { alpha: 0.5 })
  expect(decayed.shares[0]).toBeCloseTo((0.25 * 0.8) / 0.75)
  const sinceBirth = pastShares(weeks, 3, { bornAt: (page) => (page === 4 ? 1 : 0) })
  expect(sinceBirth.shares[3]).toBe(1)
  expect(sinceBirth.shares[0]).toBe(0.4)
})

test('a recrawl that found nothing new says nothing, one that found a single page does', () => {
  expect([...pastShares([{ time: 1, graph: site({ 5: [10] }) }], 2).shares]).toEqual([1])
  expect(pastShares([...weeks, { time: 3, graph: site({}) }], 4)).toEqual(pastShares(weeks, 4))
})

test('od-win remembers all recrawls, od-1 the last one only', () => {
  expect([...odWin()(weeks, 3)]).toEqual([2, 4, 1, 3])
  expect([...odLast(weeks, 3)]).toEqual([4, 2])
})

test('cov is the greedy cover of the last recrawl', () => {
  expect([...pastCover(weeks, 3)]).toEqual([4])
  expect([...pastCover(weeks.slice(0, 1), 2)]).toEqual([1, 3])
})

test('cliq takes one page of each cluster; what counts as alike is a parameter', () => {
  const first = weeks.slice(0, 1)
  expect([...cliqLast(0.2)(first, 2)]).toEqual([1, 3])
  expect([...cliqLast(0.8)(first, 2)]).toEqual([1, 2, 3])
})

test('cliq-win adds every page that ever led to a new one, each once', () => {
  expect([...cliqWin(0.2)(weeks, 3)]).toEqual([4, 2, 1, 3])
})

test('before any recrawl nobody knows anything', () => {
  for (const algorithm of [odWin(), odLast, cliqLast(0.2), cliqWin(0.2), pastCover])
    expect([...algorithm([], 1)]).toEqual([])
  expect([...everLed([])]).toEqual([])
})

test('the history bound is everybody who ever led to a new page', () => {
  expect([...everLed(weeks)]).toEqual([1, 2, 3, 4])
})

/**
 * How much of the best cover of k pages the k pages with the largest shares cover at least, if the
 * shares are right. Shares descend.
 *
 * @paper DasguptaEtAl2007 §5.1 Lemma 1 — the sum ends at 2k − 1, as in the claim, not at 2k as in its proof.
 */
function outDegreeBound(shares: ArrayLike<number>, k: number): number {
  let others = 0
  for (let i = k; i < Math.min(2 * k - 1, shares.length); i++) others += shares[i]
  return shares[0] / (shares[0] + others)
}

test('Lemma 1: the pages of largest degree cover what the bound promises of the best cover', () => {
  const covers = fc.array(fc.uniqueArray(fc.nat(7), { minLength: 1, maxLength: 6 }), {
    minLength: 1,
    maxLength: 8,
  })
  fc.assert(
    fc.property(covers, fc.integer({ min: 1, max: 4 }), (rows, k) => {
      const graph = site(
        Object.fromEntries(rows.map((targets, page) => [page, targets.map((t) => t + 10)])),
      )
      const estimate = pastShares([{ time: 1, graph }], 2)
      const reach = (pages: Iterable<number>) =>
        new Set(Array.from(pages, (page) => rows[page]).flat()).size
      const choices = (from: number, left: number): number[][] =>
        left === 0 || from === rows.length
          ? [[]]
          : [
              ...choices(from + 1, left),
              ...choices(from + 1, left - 1).map((rest) => [from, ...rest]),
            ]
      const best = Math.max(...choices(0, k).map(reach))
      const shares = [...estimate.shares].sort((a, b) => b - a)
      const chosen = byShare(estimate).subarray(0, k)
      expect(reach(chosen) / best).toBeGreaterThanOrEqual(outDegreeBound(shares, k) - 1e-12)
    }),
  )
})

test('mirrors bring the largest degrees down to one part in k', () => {
  expect(outDegreeBound([0.1, 0.1, 0.1, 0.1, 0.1, 0.1], 3)).toBeCloseTo(1 / 3)
})
