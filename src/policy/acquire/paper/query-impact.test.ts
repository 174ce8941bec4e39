import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { powerVisibility } from '#search/gain/visibility.ts'
import type { AcquisitionFacts, QueryAnswers } from '../../facts/acquisition-facts.ts'
import { impactsTogether, type ScoredPairs } from './query-impact.ts'

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

/** What the chosen pages bring to a query, by sorting everything. */
function broughtTo({ held, expected }: SmallQuery, chosen: readonly number[]) {
  const all = [
    ...held.map((score) => ({ score, isNew: 0 })),
    ...chosen.map((url) => ({ score: expected[url], isNew: 1 })),
  ]
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.isNew - b.isNew)
  return all.reduce((sum, { score }, i) => sum + powerVisibility(i + 1) * score, 0)
}

const score = fc.integer({ min: 1, max: 30 })
const smallQuery: fc.Arbitrary<SmallQuery> = fc.record({
  weight: fc.integer({ min: 1, max: 4 }),
  held: fc.array(score, { maxLength: 14 }).map((held) => held.sort((a, b) => b - a)),
  expected: fc.array(fc.oneof(score, fc.constant(0)), { minLength: PAGES, maxLength: PAGES }),
})
const smallQueries = fc.array(smallQuery, { minLength: 1, maxLength: 4 })
const everyPage = Array.from({ length: PAGES }, (_, url) => url)

describe('when all pages compete at once', () => {
  test('by the gain curve a page counts for what would be lost without it', () => {
    fc.assert(
      fc.property(smallQueries, (queries) => {
        const impacts = impactsTogether(factsOf(queries), pairsOf(queries), PAGES)
        for (const page of everyPage) {
          const rest = everyPage.filter((other) => other !== page)
          const lost = queries.reduce(
            (sum, query) =>
              sum + query.weight * (broughtTo(query, everyPage) - broughtTo(query, rest)),
            0,
          )
          expect(impacts[page]).toBeCloseTo(lost, 9)
        }
      }),
    )
  })
})
