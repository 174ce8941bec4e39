import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AcquisitionFacts, QueryAnswers } from '../../facts/acquisition-facts.ts'
import { impactsOfHeld, impactsTogether, isAmongFirst, type ScoredPairs } from './query-impact.ts'

const PAGES = 14

interface SmallQuery {
  readonly weight: number
  /** Scores of its results, falling. */
  readonly held: readonly number[]
  /** By page that is not fetched; 0 if it does not match. */
  readonly expected: readonly number[]
}

function factsOf(queries: readonly SmallQuery[]): Pick<AcquisitionFacts, 'answers' | 'queries'> {
  const depth = 31
  const scores = new Float64Array(queries.length * depth)
  queries.forEach(({ held }, query) => {
    scores.set(held, query * depth)
  })
  const answers = { depth, kept: Uint32Array.from(queries, ({ held }) => held.length), scores }
  return {
    answers: answers as unknown as QueryAnswers,
    queries: queries.map(({ weight }) => ({ text: '', weight })),
  }
}

function pairsOf(queries: readonly SmallQuery[]): ScoredPairs {
  const rows = queries.flatMap(({ expected }, query) =>
    expected.flatMap((score, url) => (score > 0 ? [{ query, url, score }] : [])),
  )
  return {
    queries: Uint32Array.from(rows, ({ query }) => query),
    urls: Uint32Array.from(rows, ({ url }) => url),
    scores: Float64Array.from(rows, ({ score }) => score),
  }
}

test('impact is the sum of the frequencies of the queries that show the page among their first K', () => {
  const queries = [
    // In order: 9 (held), 8 (page 0), 7 (held), 6 (page 1), 5 (held).
    { weight: 653, held: [9, 7, 5], expected: [8, 6] },
    // In order: 4 (held), 4 (page 1): a result that is there stays before its equals.
    { weight: 20, held: [4], expected: [0, 4] },
    // Nothing is held, and a page in the last place counts as much as one in the first.
    { weight: 3, held: [], expected: [1, 2, 3] },
  ]
  const byK = (topK: number) => [...impactsTogether(factsOf(queries), pairsOf(queries), 3, topK)]
  expect(byK(1)).toEqual([0, 0, 3])
  expect(byK(2)).toEqual([653, 20 + 3, 3])
  expect(byK(3)).toEqual([653 + 3, 20 + 3, 3])
  expect(byK(4)).toEqual([653 + 3, 653 + 20 + 3, 3])
})

/** Pages that are among the first K when results and expected pages are sorted together. */
function firstByEq1({ held, expected }: SmallQuery, topK: number): Set<number> {
  const all = [
    ...held.map((score) => ({ score, url: -1 })),
    ...expected.map((score, url) => ({ score, url })),
  ]
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.url - b.url)
  return new Set(all.slice(0, topK).map(({ url }) => url))
}

const score = fc.integer({ min: 1, max: 30 })
const smallQuery: fc.Arbitrary<SmallQuery> = fc.record({
  weight: fc.integer({ min: 1, max: 4 }),
  held: fc.array(score, { maxLength: 14 }).map((held) => held.sort((a, b) => b - a)),
  expected: fc.array(fc.oneof(score, fc.constant(0)), { minLength: PAGES, maxLength: PAGES }),
})

test('it is what sorting each sketch as a whole gives', () => {
  const queries = fc.array(smallQuery, { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(queries, fc.integer({ min: 1, max: 12 }), (some, topK) => {
      const impacts = impactsTogether(factsOf(some), pairsOf(some), PAGES, topK)
      const expected = new Float64Array(PAGES)
      for (const query of some)
        for (const url of firstByEq1(query, topK)) if (url >= 0) expected[url] += query.weight
      expect(impacts).toEqual(expected)
    }),
  )
})

test('a page that is not expected to score at all is in no sketch, however empty', () => {
  expect(isAmongFirst(0, new Float64Array(0), 0, 10)).toBe(false)
  expect(isAmongFirst(0.1, new Float64Array(0), 0, 10)).toBe(true)
  expect(isAmongFirst(0.1, new Float64Array(0), 10, 10)).toBe(false)
})

test('pages held have the impact of the searches that show them among the first K', () => {
  const answers = {
    depth: 4,
    kept: Uint32Array.of(3, 1),
    urls: Uint32Array.of(5, 0, 2, 9, 2, 9, 9, 9),
  }
  expect([...impactsOfHeld(answers, [653, 20], 6, 2)]).toEqual([653, 0, 20, 0, 0, 653])
  expect([...impactsOfHeld(answers, [653, 20], 6, 3)]).toEqual([653, 0, 673, 0, 0, 653])
})
