import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AffectedQueries } from './affected-queries.ts'
import { analyser } from './analysis.ts'
import { bm25, conjunctive, inLinkCount, type Scoring, soft, tfIdf } from './scoring.ts'
import { TextIndex } from './text-index.ts'

const words = ['cat', 'dog', 'fish', 'bird', 'cow', 'newt']
const aText = fc.array(fc.constantFrom(...words), { maxLength: 10 }).map((list) => list.join(' '))
const texts = fc.array(aText, { minLength: 1, maxLength: 20 })
const queries = ['cat', 'dog fish', 'bird cow cat', 'newt cat', 'unheard of']

const page = (text: string) => ({
  url: 'https://a.org/',
  title: text.slice(0, 8),
  text,
  anchors: [],
})

function indexOf(pages: readonly string[]): TextIndex {
  const index = new TextIndex(analyser({ stemming: false }))
  pages.forEach((text, url) => {
    index.replace(url, page(text))
  })
  return index
}

const weighted = (coverage: Scoring['coverage']) =>
  bm25({ k1: 1.2, fieldWeights: [4, 2, 1, 1], lengthShares: [0.5, 0, 0.3, 0.75], coverage })

const prior = { of: (url: number) => 1 + (url % 7) / 3, most: 3 }

describe.each([
  ['BM25, soft, with a prior', { ...weighted(soft(1)), prior }],
  ['BM25, conjunctive', weighted(conjunctive)],
  ['TF-IDF', tfIdf()],
  ['in-link count', inLinkCount(Uint32Array.from({ length: 30 }, (_, url) => url % 5))],
])('with %s', (_, scoring) => {
  test('old and new scores are those of search with the corpus as it was, to the last bit', () => {
    fc.assert(
      fc.property(texts, fc.nat(24), fc.option(aText), fc.boolean(), (pages, url, text, merged) => {
        const index = indexOf(pages)
        if (merged) while (index.compact());
        const terms = queries.map((query) => index.queryTerms(query))
        const affected = new AffectedQueries(index, terms, scoring)
        // By hand: `prepare` leaves out words that no page had.
        const statistics = index.statistics()
        const prepared = terms.map((terms) => {
          const weights = terms.map((term) =>
            scoring.weight(index.pagesWith(term), statistics, terms.length),
          )
          const totalWeight = weights.reduce((sum, weight) => sum + weight, 0)
          return { terms, weights, totalWeight, scoring, statistics }
        })
        const scores = () => prepared.map((query) => index.scoreOf(url, query))
        const before = scores()
        affected.noteOld(url)
        if (text === null) index.remove(url)
        else index.replace(url, page(text))
        const count = affected.compare(url)
        const after = scores()

        const listed = [...affected.queries.subarray(0, count)]
        expect(new Set(listed).size).toBe(count)
        queries.forEach((_, query) => {
          const i = listed.indexOf(query)
          if (i < 0) expect([before[query], after[query]]).toEqual([0, 0])
          else
            expect([affected.oldScores[i], affected.newScores[i]]).toEqual([
              before[query],
              after[query],
            ])
        })
      }),
      { numRuns: 200 },
    )
  })
})

test('a query none of whose words the page ever had is not affected', () => {
  const index = indexOf(['cat', 'dog'])
  const terms = ['cat', 'dog', 'fish cat', 'newt', '!'].map((query) => index.queryTerms(query))
  const affected = new AffectedQueries(index, terms, tfIdf(soft(1)))
  affected.noteOld(0)
  index.replace(0, page('fish'))
  const count = affected.compare(0)
  expect([...affected.queries.subarray(0, count)].sort()).toEqual([0, 2])
})
