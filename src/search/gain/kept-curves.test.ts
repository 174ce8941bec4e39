import { expect, test } from 'vitest'
import { seededRandom } from '#numeric/random.ts'
import { defaultScoring } from '../full-text/default-search.ts'
import { TextIndex } from '../full-text/text-index.ts'
import { analyser } from '../text/analysis.ts'
import { AffectedQueries } from './affected-queries.ts'
import { GainCurve } from './gain-curve.test-kit.ts'
import { CURVE_DEPTH } from './kept-curves.ts'
import { RankCurve } from './rank-curve.ts'
import { powerVisibility } from './visibility.ts'
import { singleTerms, wholeQueries } from './yardstick.ts'

const WORDS = Array.from({ length: 12 }, (_, i) => `word${i}`)
const tracked = ['word0', 'word1 word2', 'word3 word0', 'word9'].map((text, i) => ({
  text,
  weight: i + 1,
}))

/** An index of pages with random words, of which the first are more frequent. */
function randomWeb(pages: number, seed: number) {
  const random = seededRandom(seed)
  const page = () => ({
    url: 'https://a.org/',
    title: '',
    anchors: [],
    text: Array.from(
      { length: 3 + random.below(20) },
      () => WORDS[Math.floor(random.next() ** 2 * WORDS.length)],
    ).join(' '),
  })
  const index = new TextIndex(analyser({ stemming: false }))
  for (let url = 0; url < pages; url++) index.replace(url, page())
  return { random, page, index }
}

test('curves that followed many changes are nearly those of queries asked afresh', () => {
  const { random, page, index } = randomWeb(600, 5)
  const kept = wholeQueries(index, tracked, defaultScoring)
  const affected = new AffectedQueries(index, kept.queries, defaultScoring)
  kept.refresh(affected.totalWeights)
  let prepared = 0
  const prepare = index.prepareWords.bind(index)
  index.prepareWords = (...all) => {
    prepared++
    return prepare(...all)
  }
  for (let cycle = 0; cycle < 20; cycle++) {
    affected.freeze()
    kept.refresh(affected.totalWeights)
    const urls = new Set(Array.from({ length: 30 }, () => random.below(650)))
    for (const url of urls) {
      affected.noteOld(url)
      if (random.chance(0.1)) index.remove(url)
      else index.replace(url, page())
      affected.noteNew(url)
    }
    const read = affected.readCopies()
    for (let query = 0; query < tracked.length; query++) {
      const count = affected.compare(query)
      const { visits, oldScores, newScores } = affected
      for (let i = 0; i < count; i++)
        kept.follow!(query, read[visits[i]], oldScores[i], newScores[i])
    }
    while (index.compact());
  }
  expect(prepared).toBeLessThan(20)
  affected.freeze()
  kept.refresh(affected.totalWeights)
  const fresh = wholeQueries(index, tracked, defaultScoring)
  fresh.refresh(affected.totalWeights)
  const gains = tracked.flatMap((_, query) => {
    const prepared = index.prepareWords(kept.queries[query], defaultScoring)
    const results = index.search(prepared, CURVE_DEPTH)
    // Each of the best hundred leaves, grows better than the best, and comes as a page of its own.
    return results.slice(0, 100).flatMap(({ url, score }) => {
      const moves = [[score, 0], [score, results[0].score * 1.2], [0, score * 1.01]] // biome-ignore format: pairs
      return moves.map(([stored, truth]) => ({
        followed: kept.curveOf(query).gainOfResult(stored, truth, stored > 0 ? url : 999),
        exact: fresh.curveOf(query).gainOfResult(stored, truth, stored > 0 ? url : 999),
      }))
    })
  })
  const total = (of: 'followed' | 'exact') => gains.reduce((sum, gain) => sum + gain[of], 0)
  expect(Math.abs(total('followed') / total('exact') - 1)).toBeLessThan(0.01)
  const differences = gains.reduce((sum, gain) => sum + Math.abs(gain.followed - gain.exact), 0)
  expect(differences / total('exact')).toBeLessThan(0.1)
})

test('queries are asked again when their words count another tenth, or pages came and went often', () => {
  const { page, index } = randomWeb(40, 6)
  let asked = 0
  const search = index.search.bind(index)
  index.search = (...all) => {
    asked++
    return search(...all)
  }
  const kept = wholeQueries(index, tracked.slice(0, 1), defaultScoring)
  const weigh = (weight: number) => {
    kept.refresh(Float64Array.of(weight))
    return asked
  }
  expect(weigh(1)).toBe(1)
  expect([weigh(1.09), weigh(0.91)]).toEqual([1, 1])
  expect(weigh(1.11)).toBe(2)
  expect(weigh(1.11 * 0.89)).toBe(3)
  const before = index.version
  while (index.version - before < 8 * index.size) index.replace(3, page())
  expect(weigh(1.11 * 0.89)).toBe(3)
  index.replace(3, page())
  expect(weigh(1.11 * 0.89)).toBe(4)
})

test('a score counts as much as its words did when the query was asked', () => {
  const { index } = randomWeb(40, 7)
  const kept = wholeQueries(index, tracked.slice(0, 1), defaultScoring)
  kept.refresh(Float64Array.of(2))
  const then = kept.curveOf(0).gainOfResult(0.3, 1.5, 999)
  kept.refresh(Float64Array.of(2.1))
  expect(kept.curveOf(0).gainOfResult(0.3 * 1.05, 1.5 * 1.05, 999)).toBeCloseTo(then * 1.05, 9)
})

test('whole queries are worth what the gain curve through their best results says', () => {
  const { index } = randomWeb(50, 8)
  const kept = wholeQueries(index, tracked, defaultScoring)
  const { totalWeights } = new AffectedQueries(index, kept.queries, defaultScoring)
  kept.refresh(totalWeights)
  for (const [query, { text }] of tracked.entries()) {
    const results = index.search(index.prepare(text, defaultScoring), 100)
    const exact = GainCurve.from(
      results.map(({ score }) => score),
      powerVisibility,
    )
    for (const rank of [0, 1, 2])
      expect(kept.curveOf(query).gainOfResult(0, results[rank].score, 999)).toBeCloseTo(
        exact.gainOfResult(0, results[rank].score),
        9,
      )
  }
  expect([...kept.shares]).toEqual([0.1, 0.2, 0.3, 0.4])
})

test('below the floor of a query nothing is gained, and nothing is kept', () => {
  const { index } = randomWeb(600, 10)
  const kept = wholeQueries(index, tracked, defaultScoring)
  kept.refresh(new AffectedQueries(index, kept.queries, defaultScoring).totalWeights)
  const curve = kept.curveOf(0)
  const floor = curve.floor!
  const results = index.search(index.prepare('word0', defaultScoring), CURVE_DEPTH)
  expect(floor).toBeGreaterThan(0.5 * results[CURVE_DEPTH - 1].score)
  expect(floor).toBeLessThan(results[CURVE_DEPTH - 1].score)
  expect(curve.gainOfResult(0.1 * floor, 0.99 * floor, 999)).toBe(0)
  expect(curve.gainOfResult(0.99 * floor, 0.1 * floor, 999)).toBe(0)
  const last = results[CURVE_DEPTH - 1]
  const before = curve.gainOfResult(last.score, 2 * last.score, last.url)
  kept.follow!(0, 999, 0, 0.99 * floor)
  expect(curve.gainOfResult(last.score, 2 * last.score, last.url)).toBe(before)
  // Where all results are known, there is none.
  const few = wholeQueries(randomWeb(50, 10).index, tracked.slice(0, 1), defaultScoring)
  few.refresh(Float64Array.of(1))
  expect(few.curveOf(0).floor).toBeLessThan(1e-300)
})

test('a single term is asked as often as all queries that have it, and gains by its rank curve', () => {
  const { index } = randomWeb(80, 9)
  const terms = singleTerms(index, tracked, defaultScoring)
  const shareOf = new Map(
    terms.queries.map(([[term]], i) => [index.terms.at(term), terms.shares[i]]),
  )
  expect(Object.fromEntries(shareOf)).toEqual({
    word0: 0.1 + 0.3,
    word1: 0.2,
    word2: 0.2,
    word3: 0.3,
    word9: 0.4,
  })
  terms.refresh(new AffectedQueries(index, terms.queries, defaultScoring).totalWeights)
  terms.queries.forEach((query, i) => {
    const results = index.search(index.prepareWords(query, defaultScoring), CURVE_DEPTH)
    const scores = results.map(({ score }) => score)
    const curve = new RankCurve(scores)
    for (const truth of [0, scores[0] * 1.2, scores[10]])
      expect(terms.curveOf(i).gainOfResult(scores[4], truth, results[4].url)).toBe(
        Math.max(0, curve.gainOfResult(scores[4], truth)),
      )
  })
})
