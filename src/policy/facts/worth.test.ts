import fc from 'fast-check'
import { expect, test } from 'vitest'
import { powerVisibility } from '#search/gain/visibility.ts'
import type { QueryAnswers } from './acquisition-facts.ts'
import { gainsOf, realisedWorth, TOP_K, worthsOf } from './worth.ts'

/** Answers to one query with these scores, by URLs 0, 1, 2 … */
function answersWith(scores: readonly number[]): QueryAnswers {
  const depth = 31
  const padded = new Float64Array(depth)
  padded.set(scores)
  return {
    depth,
    kept: Uint32Array.of(scores.length),
    urls: Uint32Array.from({ length: depth }, (_, i) => i),
    scores: padded,
    resultCounts: Uint32Array.of(scores.length),
    bounds: Float64Array.of(10),
    lengths: Uint8Array.of(2),
    meanGain: 2,
  }
}

const falling = fc
  .array(fc.double({ min: 0.01, max: 9, noNaN: true }), { minLength: 1, maxLength: 30 })
  .map((scores) => scores.sort((a, b) => b - a))

const qualityOf = (scores: readonly number[]) =>
  scores.reduce((sum, score, i) => sum + powerVisibility(i + 1) * score, 0)

test('a result adds what the answers would lack without it', () => {
  fc.assert(
    fc.property(falling, (scores) => {
      const gains = gainsOf(answersWith(scores), 0)
      scores.forEach((_, i) => {
        const without = scores.filter((_, other) => other !== i)
        expect(gains[i]).toBeCloseTo(qualityOf(scores) - qualityOf(without), 9)
      })
    }),
  )
})

test('half of a worth is for being among the first ten, half for the gain, in mean gains', () => {
  const answers = answersWith(Array.from({ length: 12 }, (_, i) => 9 - i / 2))
  const gains = gainsOf(answers, 0)
  worthsOf(answers, 0).forEach((worth, i) => {
    expect(worth).toBeCloseTo((i < TOP_K ? 0.5 : 0) + gains[i] / 4, 12)
  })
})

test('what a page is worth to all queries goes by their weights', () => {
  const answers = answersWith([8, 4])
  const [first, second] = worthsOf(answers, 0)
  expect([...realisedWorth(answers, [3], 4)]).toEqual([3 * first, 3 * second, 0, 0])
})
