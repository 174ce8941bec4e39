import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pooledDiscovery } from '../../metrics/discovery.ts'
import { addRound, discoveryRow, emptyTally, pooledTallies } from './discovery-tally.ts'

const round = fc.tuple(fc.nat(9), fc.nat(9), fc.nat(9)).map(([fetched, a, b]) => ({
  fetched,
  covered: fetched === 0 ? 0 : Math.min(a, b),
  discoverable: Math.max(a, b),
}))

test('tallies of several archives, added up, tell what pooling all their rounds tells', () => {
  fc.assert(
    fc.property(fc.array(fc.array(round)), (archives) => {
      const tallies = archives.map((rounds) => {
        const tally = emptyTally('od', 4, 10)
        for (const one of rounds) addRound(tally, one, 5)
        return tally
      })
      const pooled = pooledDiscovery(archives.flat())
      const [tally] = pooledTallies([emptyTally('od', 4, 10), ...tallies])
      const row = discoveryRow(tally)
      expect(row).toMatchObject({
        algorithm: 'od',
        period: 4,
        budget: 10,
        coverage: pooled.coverage ?? null,
        overhead: pooled.overhead ?? null,
        coverSize: pooled.meanCoverSize ?? null,
        position: pooled.meanPosition ?? null,
      })
      expect(row.meanCoverage ?? -1).toBeCloseTo(pooled.meanRoundCoverage ?? -1)
      expect(row.meanOverhead ?? -1).toBeCloseTo(pooled.meanRoundOverhead ?? -1)
      expect(tally.recrawled).toBe(5 * archives.flat().length)
    }),
  )
})
