import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seededRandom } from '#numeric/random.ts'
import { powerVisibility, topVisibility } from '#search/gain/visibility.ts'
import type { AcquisitionFacts, QueryAnswers, Worth } from '../../facts/acquisition-facts.ts'
import { sampledImpacts } from '../exact-impact.test-kit.ts'
import { TOP_K } from '../../facts/worth.ts'
import { chooseInTurn, impactsTogether, type ScoredPairs } from './query-impact.ts'

const PAGES = 14

interface SmallQuery {
  readonly weight: number
  /** Scores of its results, falling. */
  readonly held: readonly number[]
  /** By page that is not fetched; 0 if it does not match. */
  readonly expected: readonly number[]
}

function factsOf(
  queries: readonly SmallQuery[],
  worth: Worth,
): Pick<AcquisitionFacts, 'answers' | 'worth' | 'queries'> {
  const depth = 31
  const scores = new Float64Array(queries.length * depth)
  queries.forEach(({ held }, query) => {
    scores.set(held, query * depth)
  })
  const answers = { depth, kept: Uint32Array.from(queries, ({ held }) => held.length), scores }
  return {
    answers: answers as unknown as QueryAnswers,
    worth,
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
function broughtTo({ held, expected }: SmallQuery, chosen: readonly number[], worth: Worth) {
  const all = [
    ...held.map((score) => ({ score, isNew: 0 })),
    ...chosen.map((url) => ({ score: expected[url], isNew: 1 })),
  ]
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.isNew - b.isNew)
  return worth === 'top'
    ? all.slice(0, TOP_K).filter(({ isNew }) => isNew === 1).length
    : all.reduce((sum, { score }, i) => sum + powerVisibility(i + 1) * score, 0)
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
  test('a page counts for the queries whose first ten of everything it is among (Eq. 1)', () => {
    fc.assert(
      fc.property(smallQueries, (queries) => {
        const impacts = impactsTogether(factsOf(queries, 'top'), pairsOf(queries), PAGES)
        for (const page of everyPage) {
          let expected = 0
          for (const { weight, held, expected: scores } of queries) {
            if (scores[page] === 0) continue
            const before =
              held.filter((other) => other >= scores[page]).length +
              scores.filter((other, url) =>
                other === scores[page] ? url < page : other > scores[page],
              ).length
            if (before < TOP_K) expected += weight
          }
          expect(impacts[page]).toBe(expected)
        }
      }),
    )
  })

  test('that is the exact expected impact, where no score is uncertain', () => {
    const distinct = fc.uniqueArray(fc.integer({ min: 1, max: 1000 }), {
      minLength: 24,
      maxLength: 24,
    })
    fc.assert(
      fc.property(fc.array(distinct, { minLength: 1, maxLength: 3 }), (drawn) => {
        const queries = drawn.map((scores, query) => ({
          weight: query + 1,
          expected: scores.slice(0, PAGES),
          held: scores.slice(PAGES).sort((a, b) => b - a),
        }))
        const exact = sampledImpacts(
          queries.map(({ weight, expected, held }) => ({
            weight,
            pages: [...expected, ...held].map((score, page) => ({ page, low: score, high: score })),
          })),
          topVisibility(TOP_K),
          24,
          1,
          seededRandom(1),
        )
        const impacts = impactsTogether(factsOf(queries, 'top'), pairsOf(queries), PAGES)
        expect([...impacts]).toEqual([...exact.slice(0, PAGES)])
      }),
    )
  })

  test('by the gain curve a page counts for what would be lost without it', () => {
    fc.assert(
      fc.property(smallQueries, (queries) => {
        const impacts = impactsTogether(factsOf(queries, 'gain'), pairsOf(queries), PAGES)
        for (const page of everyPage) {
          const rest = everyPage.filter((other) => other !== page)
          const lost = queries.reduce(
            (sum, query) =>
              sum +
              query.weight * (broughtTo(query, everyPage, 'gain') - broughtTo(query, rest, 'gain')),
            0,
          )
          expect(impacts[page]).toBeCloseTo(lost, 9)
        }
      }),
    )
  })
})

describe('when pages are chosen in turn', () => {
  const others = Float64Array.from(everyPage, (page) => (page % 3) / 7)
  const mixture = { queryFactor: 0.5, others }

  const runs = (worth: Worth) =>
    fc.assert(
      fc.property(smallQueries, fc.integer({ min: 0, max: PAGES }), (queries, budget) => {
        const { gains, order } = chooseInTurn(
          factsOf(queries, worth),
          pairsOf(queries),
          Uint32Array.from(everyPage),
          budget,
          mixture,
        )
        expect(new Set(order).size).toBe(budget)
        const chosen: number[] = []
        const addedBy = (page: number) =>
          queries.reduce(
            (sum, query) =>
              sum +
              0.5 *
                query.weight *
                (broughtTo(query, [...chosen, page], worth) - broughtTo(query, chosen, worth)),
            others[page],
          )
        for (const page of order) {
          const open = everyPage.filter((other) => !chosen.includes(other))
          const best = Math.max(...open.map(addedBy))
          expect(gains[page]).toBeCloseTo(best, 9)
          expect(addedBy(page)).toBeCloseTo(best, 9)
          chosen.push(page)
        }
        for (const page of everyPage)
          if (!chosen.includes(page)) expect(gains[page]).toBeCloseTo(addedBy(page), 9)
      }),
    )

  test('each is the best of those left, by sketches made anew after every choice', () =>
    runs('top'))

  test('each is the best of those left, by gain curves made anew after every choice', () =>
    runs('gain'))

  test('two pages do not both claim the one open place, though each alone would get it', () => {
    const query = { weight: 1, held: [9, 9, 9, 9, 9, 9, 9, 9, 9], expected: [5, 6] }
    const { gains } = chooseInTurn(
      factsOf([query], 'top'),
      pairsOf([query]),
      Uint32Array.of(0, 1),
      2,
      { queryFactor: 1, others: Float64Array.of(0.5, 0) },
    )
    expect([...gains]).toEqual([1.5, 0])
  })
})
