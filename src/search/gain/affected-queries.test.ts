import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cases } from '#numeric/cases.test-kit.ts'
import { inLinkCount } from '../full-text/scoring.test-kit.ts'
import { bm25, conjunctive, type Scoring, soft, tfIdf } from '../full-text/scoring.ts'
import { TextIndex } from '../full-text/text-index.ts'
import { analyser } from '../text/analysis.ts'
import { AffectedQueries } from './affected-queries.ts'

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

/** Pages of a cycle that are replaced, or removed if there is no text; some more than once. */
const someVisits = fc.array(fc.record({ url: fc.nat(24), text: fc.option(aText) }), {
  maxLength: 6,
})

function visit(index: TextIndex, affected: AffectedQueries, url: number, text: string | null) {
  affected.noteOld(url)
  if (text === null) index.remove(url)
  else index.replace(url, page(text))
  affected.noteNew(url)
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
  test('scores that change are those of search with the corpus as it was, to the last bit', () => {
    fc.assert(
      fc.property(
        texts,
        fc.array(someVisits, { maxLength: 3 }),
        fc.boolean(),
        fc.constantFrom(0, 0.5, 2),
        (pages, cycles, merged, floor) => {
          const index = indexOf(pages)
          const terms = queries.map((query) => index.queryWords(query))
          const affected = new AffectedQueries(index, terms, scoring)
          for (const visits of cycles) {
            if (merged) while (index.compact());
            affected.freeze()
            // By hand: `prepare` leaves out words that no page had.
            const statistics = index.statistics()
            const prepared = terms.map((words) => {
              const weightOf = (forms: readonly number[]) =>
                scoring.weight(index.pagesWithWord(forms), statistics, words.length)
              const weights = words.flatMap((forms) => forms.map(() => weightOf(forms)))
              const totalWeight = words.reduce((sum, forms) => sum + weightOf(forms), 0)
              return { terms: words.flat(), weights, totalWeight, scoring, statistics }
            })
            const scoresOf = (url: number) => prepared.map((query) => index.scoreOf(url, query))
            const expected = visits.map(({ url, text }) => {
              const before = scoresOf(url)
              visit(index, affected, url, text)
              return { before, after: scoresOf(url) }
            })

            expect(affected.readCopies()).toEqual(visits.map(({ url }) => url))
            queries.forEach((_, query) => {
              const count = affected.compare(query, floor)
              const listed = [...affected.visits.subarray(0, count)]
              expect(new Set(listed).size).toBe(count)
              expected.forEach(({ before, after }, visit) => {
                const i = listed.indexOf(visit)
                const scores = [before[query], after[query]]
                const matters = scores[0] !== scores[1] && Math.max(...scores) >= floor
                const found = i < 0 ? [] : [affected.oldScores[i], affected.newScores[i]]
                expect(found).toEqual(matters ? scores : [])
              })
            })
          }
        },
      ),
      { numRuns: cases(50, 200) },
    )
  })
})

test('a query none of whose words the page ever had is not affected', () => {
  const index = indexOf(['cat', 'dog'])
  const terms = ['cat', 'dog', 'fish cat', 'newt', '!'].map((query) => index.queryWords(query))
  const affected = new AffectedQueries(index, terms, tfIdf(soft(1)))
  visit(index, affected, 0, 'fish')
  affected.readCopies()
  expect(terms.map((_, query) => affected.compare(query))).toEqual([1, 0, 1, 0, 0])
})

test('copies that wait in the index are scored as those in segments are', () => {
  const scores = [false, true].map((flushed) => {
    const index = indexOf(['cat', 'dog cat'])
    const affected = new AffectedQueries(index, [index.queryWords('cat')], tfIdf(soft(1)))
    for (const text of ['cat cat', 'dog', 'cat']) {
      if (flushed) index.flush()
      visit(index, affected, 0, text)
    }
    affected.readCopies()
    const count = affected.compare(0)
    const { visits, oldScores, newScores } = affected
    return [visits, oldScores, newScores].map((list) => [...list.subarray(0, count)])
  })
  expect(scores[0]).toEqual(scores[1])
  expect(scores[0][0].length).toBe(3)
})
