import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bm25, soft, tfIdf } from '../full-text/scoring.ts'
import { TextIndex } from '../full-text/text-index.ts'
import { analyser } from '../text/analysis.ts'
import { GainCurve, growingRanks } from './gain-curve.ts'
import { QuerySketches } from './query-sketches.ts'
import { powerVisibility, topVisibility } from './visibility.ts'

const scoring = bm25({
  k1: 1.2,
  fieldWeights: [4, 2, 1, 1],
  lengthShares: [0.5, 0, 0.3, 0.75],
  coverage: soft(1),
})
const words = ['cat', 'dog', 'fish', 'bird', 'cow']
const aText = fc.array(fc.constantFrom(...words), { maxLength: 12 }).map((list) => list.join(' '))
const texts = fc.array(aText, { maxLength: 60 })
const queries = ['cat', 'dog fish', 'bird cow cat', 'unheard of'].map((text) => ({
  text,
  weight: 1,
}))

const page = (text: string) => ({ url: 'https://a.org/', title: '', text, anchors: [] })

function indexOf(pages: readonly string[]): TextIndex {
  const index = new TextIndex(analyser({ stemming: false }))
  pages.forEach((text, url) => {
    index.replace(url, page(text))
  })
  return index
}

describe.each([
  ['attention that falls with the rank', powerVisibility],
  ['the first three only', topVisibility(3)],
])('with %s', (_, visibility) => {
  test('a sketch holds the scores of search, and its curve is exact at the knots', () => {
    fc.assert(
      fc.property(texts, (pages) => {
        const index = indexOf(pages)
        const sketches = new QuerySketches(queries, { scoring, visibility })
        sketches.refresh(index)
        for (const [query, { text }] of queries.entries()) {
          const results = index.search(index.prepare(text, scoring), 1000)
          const scores = results.map(({ score }) => score)
          const exact = GainCurve.from(scores, visibility)
          const ranks = growingRanks(results.length)
          expect([...sketches.scoresOf(query)]).toEqual(ranks.map((rank) => scores[rank - 1]))
          expect(sketches.topOf(query)).toEqual(results.slice(0, 10))
          expect(sketches.resultCountOf(query)).toBe(results.length)
          for (const score of [...sketches.scoresOf(query), 0, 1e3])
            expect(sketches.curveOf(query).value(score)).toBeCloseTo(exact.value(score), 9)
        }
      }),
    )
  })

  test('results beyond the depth cost at most what its last score is worth there', () => {
    const depth = 5
    fc.assert(
      fc.property(texts, (pages) => {
        const index = indexOf(pages)
        const sketches = new QuerySketches(queries, { scoring, visibility, depth })
        sketches.refresh(index)
        for (const [query, { text }] of queries.entries()) {
          const all = index.search(index.prepare(text, scoring), 1000).map(({ score }) => score)
          const exact = GainCurve.from(all, visibility)
          const most = (all[depth - 1] ?? 0) * visibility(depth + 1)
          const errors = growingRanks(Math.min(depth, all.length)).map(
            (rank) => sketches.curveOf(query).value(all[rank - 1]) - exact.value(all[rank - 1]),
          )
          for (const error of errors) {
            expect(error).toBeGreaterThanOrEqual(-1e-9)
            expect(error).toBeLessThanOrEqual(most + 1e-9)
            expect(error).toBeCloseTo(errors[0], 9) // so it cancels out in every gain
          }
        }
      }),
    )
  })
})

test('sketches follow the index through additions, removals and merges', () => {
  fc.assert(
    fc.property(texts, texts, fc.array(fc.nat(60)), (first, second, removed) => {
      const index = indexOf(first)
      const kept = new QuerySketches(queries, { scoring, visibility: powerVisibility })
      kept.refresh(index)
      second.forEach((text, i) => {
        index.replace(2 * i, page(text))
      })
      for (const url of removed) index.remove(url)
      while (index.compact());
      kept.refresh(index)
      const fresh = new QuerySketches(queries, { scoring, visibility: powerVisibility })
      fresh.refresh(index)
      for (const query of queries.keys()) {
        expect(kept.scoresOf(query)).toEqual(fresh.scoresOf(query))
        expect(kept.topOf(query)).toEqual(fresh.topOf(query))
      }
    }),
  )
})

test('nothing is asked again while the index stays as it is', () => {
  const index = indexOf(['cat dog', 'fish', 'cat'])
  let asked = 0
  const counted = { ...tfIdf(), weight: () => ++asked }
  const sketches = new QuerySketches(queries, { scoring: counted, visibility: powerVisibility })
  sketches.refresh(index)
  const before = asked
  while (index.compact());
  sketches.refresh(index)
  expect(asked).toBe(before)
  index.remove(1)
  sketches.refresh(index)
  expect(asked).toBe(2 * before)
})

test('before anything is indexed every score is worth itself', () => {
  const sketches = new QuerySketches(queries, { scoring, visibility: powerVisibility })
  expect(sketches.curveOf(0).value(7)).toBe(7)
  expect(sketches.scoresOf(0)).toHaveLength(0)
  expect(sketches.topOf(0)).toEqual([])
})
