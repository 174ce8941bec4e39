import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addRound, discoveryRow, emptyTally, pooledTallies } from './discovery-tally.ts'

type Round = Parameters<typeof addRound>[1]

function tallyOf(rounds: readonly Round[], recrawled = 0) {
  const tally = emptyTally('od', 4, 10)
  for (const round of rounds) addRound(tally, round, recrawled)
  return tally
}

test('one page that leads to all four new ones: full coverage at an overhead of a quarter', () => {
  const tally = tallyOf([{ fetched: 1, covered: 4, discoverable: 4 }])
  expect(discoveryRow(tally)).toMatchObject({ coverage: 1, overhead: 0.25, position: 0 })
})

test('pooled, a busy site counts more than a quiet one; in means both count the same', () => {
  const busy = { fetched: 10, covered: 90, discoverable: 90 }
  const quiet = { fetched: 5, covered: 5, discoverable: 10 }
  expect(discoveryRow(tallyOf([busy, quiet], 3))).toEqual({
    algorithm: 'od',
    period: 4,
    budget: 10,
    coverage: 0.95,
    overhead: 15 / 95,
    totalOverhead: 21 / 95,
    coverSize: 7.5,
    position: (45 + 10) / 15,
    meanCoverage: 0.75,
    meanOverhead: (10 / 90 + 1) / 2,
  })
})

test('where nothing was new or nothing was found, there is nothing to divide by', () => {
  const inVain = discoveryRow(tallyOf([{ fetched: 2, covered: 0, discoverable: 0 }]))
  expect(inVain).toMatchObject({ coverage: null, overhead: null, coverSize: 2 })
  expect(discoveryRow(tallyOf([])).coverSize).toBeNull()
})

test('tallies of several archives, added up, tell what all their rounds together tell', () => {
  const round = fc.tuple(fc.nat(9), fc.nat(9), fc.nat(9)).map(([fetched, a, b]) => ({
    fetched,
    covered: fetched === 0 ? 0 : Math.min(a, b),
    discoverable: Math.max(a, b),
  }))
  fc.assert(
    fc.property(fc.array(fc.array(round)), (archives) => {
      const pooled = pooledTallies([tallyOf([]), ...archives.map((rounds) => tallyOf(rounds, 5))])
      expect(pooled).toHaveLength(1)
      const all = tallyOf(archives.flat(), 5)
      for (const [sum, value] of Object.entries(pooled[0]))
        if (typeof value === 'number') expect(value, sum).toBeCloseTo(Number(all[sum as 'rounds']))
      const places = archives
        .flat()
        .flatMap(({ fetched }) => Array.from({ length: fetched }, (_, i) => i))
      expect(all.positions).toBe(places.reduce((a, b) => a + b, 0))
    }),
  )
})
