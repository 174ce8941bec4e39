import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BestScores } from './best-scores.ts'

const ranked = (scores: readonly number[]) =>
  scores
    .map((score, url) => ({ url, score }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
const falling = (scores: readonly number[]) => ranked(scores).map(({ score }) => score)
const pages = fc.array(fc.nat(6), { minLength: 1, maxLength: 12 })
const changes = fc.array(fc.tuple(fc.nat(11), fc.nat(6)), { maxLength: 30 })

test('while all results are kept, the scores are those of all pages', () => {
  fc.assert(
    fc.property(pages, changes, (first, moves) => {
      const now = [...first]
      const best = new BestScores(ranked(now), 13)
      for (const [some, score] of moves) {
        const page = some % now.length
        best.change(page, now[page], score)
        now[page] = score
        expect([...best.scores]).toEqual(falling(now))
        expect(best.isWorn).toBe(false)
        now.forEach((score, url) => {
          const place = best.placeOf(url, score)
          expect(place < 0 ? 0 : best.scoreAt(place)).toBe(score)
        })
      }
    }),
  )
})

test('where there are more results, those kept are the best of all until they are worn', () => {
  fc.assert(
    fc.property(pages, changes, fc.integer({ min: 1, max: 5 }), (first, moves, depth) => {
      const now = [...first]
      const best = new BestScores(ranked(now).slice(0, depth), depth)
      for (const [some, score] of moves) {
        const page = some % now.length
        best.change(page, now[page], score)
        now[page] = score
        const all = falling(now)
        const kept = best.scores
        expect(kept.length).toBeLessThanOrEqual(2 * depth)
        expect([...kept]).toEqual(all.slice(0, kept.length))
        expect(best.isWorn).toBe(
          kept.length < depth / 2 && (best.isWorn || all.length > kept.length),
        )
      }
    }),
  )
})

test('a page is found by its URL where other statistics give it about the same score', () => {
  const best = new BestScores(
    [9, 7, 6.9, 4].map((score, url) => ({ url, score })),
    10,
  )
  expect(best.scoreAt(best.placeOf(1, 6.8))).toBe(7)
  best.change(2, 7.2, 0)
  expect([...best.scores]).toEqual([9, 7, 4])
  best.change(0, 6, 5)
  expect([...best.scores]).toEqual([7, 5, 4])
})

test('a page that came a moment ago is no second one when it changes again from the same score', () => {
  const best = new BestScores(
    [9, 7].map((score, url) => ({ url, score })),
    2,
  )
  best.change(2, 0, 8)
  best.change(2, 0, 10)
  expect([...best.scores]).toEqual([10, 9, 7])
  best.change(2, 0, 0)
  expect([...best.scores]).toEqual([9, 7])
})

test('pages below the last of those kept are nobody’s business', () => {
  const best = new BestScores(
    [9, 7].map((score, url) => ({ url, score })),
    2,
  )
  expect(best.change(2, 6, 3)).toBe(false)
  expect(best.change(2, 0, 6.9)).toBe(false)
  expect(best.change(2, 6, 8)).toBe(true)
  expect([...best.scores]).toEqual([9, 8, 7])
  expect(best.change(0, 9, 1)).toBe(true)
  expect([...best.scores]).toEqual([8, 7])
})
