import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csrFromEdges } from '#numeric/csr.ts'
import { discoveryRound, pooledDiscovery } from './discovery.ts'

const coversOf = (covers: readonly (readonly number[])[]) => {
  const edges = covers.flatMap((targets, page) => targets.map((target) => [page, target]))
  return csrFromEdges(
    covers.length,
    Uint32Array.from(edges, ([page]) => page),
    Uint32Array.from(edges, ([, target]) => target),
  )
}

test('one page that leads to all four new ones: full coverage at an overhead of a quarter', () => {
  const covers = coversOf([[], [4, 5, 6, 7], [], [5]])
  const round = discoveryRound(covers, Uint32Array.of(1))
  expect(round).toEqual({ fetched: 1, covered: 4, discoverable: 4 })
  expect(pooledDiscovery([round])).toMatchObject({ coverage: 1, overhead: 0.25, meanPosition: 0 })
  expect(pooledDiscovery([discoveryRound(covers, Uint32Array.of(3))])).toMatchObject({
    coverage: 0.25,
    overhead: 1,
  })
})

test('pooled, a busy site counts more than a quiet one; in means both count the same', () => {
  const busy = { fetched: 10, covered: 90, discoverable: 90 }
  const quiet = { fetched: 5, covered: 5, discoverable: 10 }
  expect(pooledDiscovery([busy, quiet])).toEqual({
    coverage: 0.95,
    overhead: 15 / 95,
    meanCoverSize: 7.5,
    meanPosition: (45 + 10) / 15,
    meanRoundCoverage: 0.75,
    meanRoundOverhead: (10 / 90 + 1) / 2,
  })
})

test('where nothing was new or nothing was found, there is nothing to divide by', () => {
  const inVain = pooledDiscovery([{ fetched: 2, covered: 0, discoverable: 0 }])
  expect(inVain.coverage).toBeUndefined()
  expect(inVain.overhead).toBeUndefined()
  expect(inVain.meanCoverSize).toBe(2)
  expect(pooledDiscovery([]).meanCoverSize).toBeUndefined()
})

test('a naive twin agrees', () => {
  const covers = fc.array(fc.uniqueArray(fc.nat(12)), { minLength: 1, maxLength: 6 })
  const round = covers.chain((covers) =>
    fc.tuple(fc.constant(covers), fc.uniqueArray(fc.nat(covers.length - 1))),
  )
  fc.assert(
    fc.property(fc.array(round, { maxLength: 4 }), (rounds) => {
      const { coverage, overhead, meanPosition } = pooledDiscovery(
        rounds.map(([covers, fetched]) =>
          discoveryRound(coversOf(covers), Uint32Array.from(fetched)),
        ),
      )
      // New pages of different rounds are different pages.
      const everywhere = (round: number, pages: number[]) => pages.map((page) => `${round}/${page}`)
      const all = new Set(rounds.flatMap(([covers], i) => everywhere(i, covers.flat())))
      const found = new Set(
        rounds.flatMap(([covers, fetched], i) =>
          everywhere(
            i,
            fetched.flatMap((page) => covers[page]),
          ),
        ),
      )
      const positions = rounds.flatMap(([, fetched]) => [...fetched.keys()])
      expect(coverage).toBe(all.size === 0 ? undefined : found.size / all.size)
      expect(overhead).toBe(found.size === 0 ? undefined : positions.length / found.size)
      const sum = positions.reduce((a, b) => a + b, 0)
      expect(meanPosition).toBe(positions.length === 0 ? undefined : sum / positions.length)
    }),
  )
})
