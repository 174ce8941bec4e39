import { expect, test } from 'vitest'
import { archiveOf } from '#archive/format/assemble-archive.ts'
import { RecordedWeb } from '#archive/recorded-web.ts'
import { seededRandom } from '#numeric/random.ts'
import { defaultAnalyser, defaultScoring } from '#search/full-text/default-search.ts'
import { topVisibility } from '#search/gain/visibility.ts'
import { repositoryQuality } from '../metrics/repository-quality.test-kit.ts'
import { generateModelWeb } from '../model-web/generate.ts'
import { AnswerTruth } from './answer-truth.ts'
import { indexArchive } from './archive-index.ts'

const records = generateModelWeb({ seed: 5, pages: 500, weeks: 2 })
const archive = archiveOf(records)
const queries = records.workload!.queries.slice(0, 40)
const truth = new AnswerTruth(new RecordedWeb(archive, 1), queries)
const weights = Float64Array.from(queries, ({ weight }) => weight)
const index = indexArchive(archive, 1, defaultAnalyser)
const resultsOf = (text: string) => index.search(index.prepare(text, defaultScoring), 1000)

test('the impact of a page is how often it is among the first results', () => {
  const impacts = truth.impacts(weights, topVisibility(3))
  const naive = new Float64Array(archive.pageCount)
  queries.forEach(({ text, weight }) => {
    for (const { url } of resultsOf(text).slice(0, 3)) naive[url] += weight
  })
  expect(impacts).toEqual(naive)
})

test('quality is that of a repository that holds some pages and not others', () => {
  const random = seededRandom(2)
  for (const share of [0, 0.2, 0.7, 1]) {
    const isHeld = Uint8Array.from({ length: archive.pageCount }, () =>
      random.chance(share) ? 1 : 0,
    )
    const scored = queries.map(({ text, weight }) => {
      const results = resultsOf(text)
      return {
        weight,
        pages: results.map(({ url }) => url),
        storedScores: results.map(({ url, score }) => isHeld[url] * score),
        liveScores: results.map(({ score }) => score),
      }
    })
    expect(truth.quality(weights, isHeld)).toBeCloseTo(repositoryQuality(scored).quality!, 12)
  }
})

test('only the proportions of how often queries are asked count', () => {
  const isHeld = Uint8Array.from({ length: archive.pageCount }, (_, page) => page % 2)
  const asked = (times: number) =>
    truth.quality(new Float64Array(queries.length).fill(times), isHeld)!
  expect(asked(1)).toBeGreaterThan(0)
  for (const times of [1e-9, 7]) expect(asked(times)).toBeCloseTo(asked(1), 12)
  expect(truth.quality(new Float64Array(queries.length), isHeld)).toBeUndefined()
})

test('the gain of a page is the quality that answers lose without it', () => {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const ideal = truth.contributions(weights).reduce((sum, worth) => sum + worth, 0)
  truth.gains(weights).forEach((gain, page) => {
    const isHeld = new Uint8Array(archive.pageCount).fill(1)
    isHeld[page] = 0
    const lost = 1 - truth.quality(weights, isHeld)!
    expect(gain).toBeCloseTo((ideal / total) * lost, 9)
  })
})

test('what all pages contribute is the quality of everything', () => {
  const everything = new Uint8Array(archive.pageCount).fill(1)
  expect(truth.quality(weights, everything)).toBe(1)
  const whole = truth.contributions(weights).reduce((sum, worth) => sum + worth, 0)
  const first = queries.findIndex(({ text }) => resultsOf(text).length > 0)
  const only = weights.map((weight, query) => (query === first ? weight : 0))
  const part = truth.contributions(only).reduce((sum, worth) => sum + worth, 0)
  expect(part).toBeGreaterThan(0)
  expect(whole).toBeGreaterThan(part)
})

test('a query that nobody asks has no say', () => {
  const nobody = new Float64Array(queries.length)
  expect(truth.quality(nobody, new Uint8Array(archive.pageCount))).toBeUndefined()
  expect(truth.impacts(nobody, topVisibility(10)).some((impact) => impact > 0)).toBe(false)
})

test('every page has an address that leads to it', () => {
  expect(truth.pages.length).toBeGreaterThan(200)
  for (const page of truth.pages) expect(truth.pageAt(truth.urlOf(page))).toBe(page)
})
