import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chosenPairs, type ToldPairs } from './chosen-pairs.ts'

const MOST = 3

interface Pair {
  readonly query: number
  readonly low: number
  readonly bucket: number
  readonly coverage: number
  readonly hits: number
  readonly standing: number
}

const pairs = fc.uniqueArray(
  fc.record({
    query: fc.nat(2),
    low: fc.nat(40),
    bucket: fc.nat(3),
    coverage: fc.nat(3),
    hits: fc.nat(2),
    standing: fc.nat(3),
  }),
  { selector: ({ query, low }) => `${query} ${low}`, maxLength: 60 },
)

/** As one that has these pages chooses its pairs: so many by words, and so many of the rest by links. */
function toldBy(own: readonly Pair[]): (Pair & { byWords: number })[] {
  return [0, 1, 2].flatMap((query) => {
    const all = own.filter((pair) => pair.query === query)
    const matching = all
      .filter(({ coverage }) => coverage >= 2)
      .sort((a, b) => b.coverage - a.coverage || b.hits - a.hits || a.low - b.low)
      .slice(0, MOST)
    const linked = all
      .filter((pair) => pair.standing > 0 && !matching.includes(pair))
      .sort((a, b) => b.standing - a.standing || a.low - b.low)
      .slice(0, MOST)
    return [
      ...matching.map((pair) => ({ ...pair, byWords: 1 })),
      ...linked.map((pair) => ({ ...pair, byWords: 0 })),
    ]
  })
}

const columns = (all: readonly (Pair & { byWords: number })[]): ToldPairs => ({
  query: Uint32Array.from(all, ({ query }) => query),
  low: Uint32Array.from(all, ({ low }) => low),
  high: new Uint32Array(all.length),
  byWords: Uint32Array.from(all, ({ byWords }) => byWords),
  coverage: Float64Array.from(all, ({ coverage }) => coverage),
  closeness: new Float64Array(all.length),
  hits: Float64Array.from(all, ({ hits }) => hits),
  standing: Float64Array.from(all, ({ standing }) => standing),
})

test('of what buckets have chosen, those pairs are taken that one with all pages would choose', () => {
  fc.assert(
    fc.property(pairs, (all) => {
      const chosenOf = (told: readonly (Pair & { byWords: number })[]) =>
        [...chosenPairs(columns(told), () => MOST)].map((row) => [told[row].query, told[row].low])
      const whole = toldBy(all).sort((a, b) => a.query - b.query || a.low - b.low)
      const parts = [0, 1, 2, 3].flatMap((bucket) =>
        toldBy(all.filter((pair) => pair.bucket === bucket)),
      )
      expect(chosenOf(parts)).toEqual(whole.map(({ query, low }) => [query, low]))
    }),
    { numRuns: 300 },
  )
})
