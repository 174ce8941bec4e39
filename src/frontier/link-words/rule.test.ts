import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CountedGram, essentialGrams, matchesByNgrams, neededWeight } from './rule.ts'

const gramsOf = (texts: readonly number[], weights: readonly number[]): CountedGram[] =>
  texts.map((count, gram) => ({ gram, weight: weights[gram], texts: count }))

test('whatever is enough for a match has one of the essential n-grams', () => {
  const grams = fc.array(fc.record({ weight: fc.integer({ min: 1, max: 9 }), texts: fc.nat(9) }), {
    maxLength: 6,
  })
  fc.assert(
    fc.property(grams, fc.constantFrom(0, 0.3, 0.5, 0.66, 1), (drawn, share) => {
      const counted = drawn.map((one, gram) => ({ gram, ...one }))
      const needed = neededWeight(counted, share)
      const essential = new Set(essentialGrams(counted, needed))
      for (let set = 1; set < 2 ** counted.length; set++) {
        const found = counted.filter(({ gram }) => (set >> gram) & 1)
        const weight = found.reduce((sum, one) => sum + one.weight, 0)
        if (weight >= needed) expect(found.some(({ gram }) => essential.has(gram))).toBe(true)
      }
    }),
  )
})

test('words that nearly every text has are not looked up if rarer ones decide', () => {
  const counted = gramsOf([1_000_000, 20, 500], [0.1, 0.6, 0.3])
  expect(essentialGrams(counted, neededWeight(counted, 0.5))).toEqual([1])
  expect(essentialGrams(counted, neededWeight(counted, 0.4))).toEqual([2, 1])
  expect(essentialGrams(counted, neededWeight(counted, 0.05))).toEqual([0, 2, 1])
})

test('if all n-grams are needed, the rarest alone is looked up', () => {
  const counted = gramsOf([7, 3, 5], [1, 1, 1])
  expect(essentialGrams(counted, neededWeight(counted, 1))).toEqual([1])
})

test('the paper’s rule asks for all n-grams of a query unless told otherwise', () => {
  expect(matchesByNgrams()).toEqual({ counts: 'ngrams', share: 1 })
})

test('a rule that asks for no share still asks for something', () => {
  const counted = gramsOf([7, 3], [1, 1])
  expect(essentialGrams(counted, neededWeight(counted, 0))).toEqual([0, 1])
})
