import { expect, test } from 'vitest'
import { candidateValues, linkValue, unaskedValues } from './candidate-values.ts'
import { learnAcquisition, learnWithoutLog } from './learn-acquisition.ts'
import { noQueryValue, predictPageValue, queryWeights, repeatShare } from './page-value.ts'
import { fitPairs, halfOf, pairWorths, predictPairs } from './pairs/pair-model.ts'
import { topicWeb } from './paper/topic-web.test-kit.ts'
import { surveyOf } from './survey.ts'

const { facts } = topicWeb(3, { pages: 600, fetched: 420 })

test('too few fetched pages teach nothing', () => {
  const { facts: few } = topicWeb(3, { pages: 80, fetched: 20 })
  expect(learnAcquisition(few)).toBeUndefined()
  expect(learnWithoutLog(few)).toBeUndefined()
})

test('the same facts teach the same', () => {
  expect(learnAcquisition(facts)).toEqual(learnAcquisition(facts))
  expect(learnWithoutLog(facts)).toEqual(learnWithoutLog(facts))
})

test('what is predicted of pages not seen adds up', () => {
  const survey = surveyOf(facts, facts.visits.slice().sort())
  const pairs = survey.finder.find(facts.queries.keys(), survey.isSurveyed)
  const worths = pairWorths(facts, pairs)
  const { predicted } = fitPairs(pairs, worths)
  const sum = (values: Float64Array) => values.reduce((total, value) => total + value, 0)
  expect(sum(predicted) / sum(worths)).toBeGreaterThan(0.9)
  expect(sum(predicted) / sum(worths)).toBeLessThan(1.1)
})

test('a page is judged by what the other half of the pages taught', () => {
  const survey = surveyOf(facts, facts.visits.slice().sort())
  const pairs = survey.finder.find(facts.queries.keys(), survey.isSurveyed)
  const worths = pairWorths(facts, pairs)
  const turned = worths.map((worth, row) => (halfOf(pairs.urls[row]) === 0 ? 9 - worth : worth))
  const [before, after] = [fitPairs(pairs, worths), fitPairs(pairs, turned)]
  // Turning the outcomes of half 0 changes what is learnt for half 1, and nothing learnt for half 0.
  expect(after.model.pairs[0]).toEqual(before.model.pairs[0])
  expect(after.model.pairs[1]).not.toEqual(before.model.pairs[1])
})

const UNLEARNT = { answers: { ...facts.answers, meanGain: 0.4 }, model: undefined }

/** Guesses for pairs of the first query, each described by what matters to a guess. */
function guesses(rows: readonly Record<string, number>[]) {
  const names = ['coverage', 'closeness', 'best score', 'score of the last place', 'results']
  const columns = names.map((name) => Float32Array.from(rows, (row) => row[name] ?? 0))
  const table = { names, columns, rows: rows.length }
  return [...predictPairs(UNLEARNT, { table, queries: new Uint32Array(rows.length) })]
}

test('before anything is learnt, more of the words promise more, and better answers leave less', () => {
  const answered = { 'best score': 0.4, 'score of the last place': 0.2, results: Math.log1p(50) }
  const words = [1, 0.7, 0.4].map((said) => ({ coverage: said, closeness: said, ...answered }))
  const guessed = guesses([...words, {}])
  expect(guessed).toEqual(guessed.toSorted((a, b) => b - a))
  expect(guessed[2]).toBeGreaterThan(0)
  expect(guessed[3]).toBe(0)
  const better = { 'best score': 0.8, 'score of the last place': 0.6 }
  const [unanswered, poor, good] = guesses([
    { coverage: 1 },
    { coverage: 1, ...answered },
    { coverage: 1, ...answered, ...better },
  ])
  expect(unanswered).toBeGreaterThan(poor)
  expect(poor).toBeGreaterThan(good)
})

test('a guessed score above all results is worth itself beyond the best one', () => {
  const one = { 'best score': 0.25, results: Math.log1p(1) }
  const [worth] = guesses([{ coverage: 1, closeness: 1, ...one }])
  const gain = (0.25 + 0.25 * 2 ** -1.5) * facts.answers.bounds[0]
  expect(worth).toBeCloseTo(0.5 + (0.5 * gain) / 0.4, 6)
})

test('learnt values are numbers of at least 0, and tell pages apart', () => {
  const model = learnAcquisition(facts)
  expect(model).toBeDefined()
  const { value } = candidateValues({ ...facts, model })
  expect(value.every((one) => Number.isFinite(one) && one >= 0)).toBe(true)
  expect(new Set(value).size).toBeGreaterThan(20)
})

test('queries asked once tell how many new ones there will be', () => {
  const asked = (...weights: number[]) => weights.map((weight) => ({ text: 'x', weight }))
  expect(repeatShare(asked(1, 1, 1))).toBe(0)
  expect(repeatShare(asked(0.002, 0.0001))).toBe(0)
  expect(repeatShare(asked(6, 2, 1, 1))).toBe(0.8)
  expect(repeatShare([])).toBe(0)
})

test('a lower power brings weights nearer to each other, and they still sum to 1', () => {
  const weights = queryWeights(
    [
      { text: 'a', weight: 9 },
      { text: 'b', weight: 1 },
    ],
    0.5,
  )
  expect([...weights]).toEqual([0.75, 0.25])
})

test('without a log, a page is worth something between what links say and what its cohort is worth', () => {
  const model = learnWithoutLog(facts)!
  const survey = surveyOf(facts, facts.candidates)
  const values = unaskedValues(survey, model)
  const learnt = predictPageValue(model, survey, noQueryValue(values.length))
  const links = linkValue(survey, learnt)
  values.forEach((value, i) => {
    expect(value).toBeGreaterThanOrEqual(Math.min(learnt[i], links[i]) * (1 - 1e-9))
    expect(value).toBeLessThanOrEqual(Math.max(learnt[i], links[i]) * (1 + 1e-9))
  })
  expect(new Set(learnt).size).toBeGreaterThan(5)
})

test('without a log, pages that lie among good ones are worth more than those among poor ones', () => {
  // Two sections, and queries whose answers all lie in one of them.
  const sections = facts.sections.map((_, url) => url % 2)
  const { answers } = facts
  const urls = answers.urls.map((url) => url - (url % 2))
  const parted = { ...facts, sections, answers: { ...answers, urls } }
  const { candidates } = facts
  const values = candidateValues({
    ...parted,
    withoutLog: { model: learnWithoutLog(parted) },
  }).value
  const meanOf = (section: number) => {
    const some = values.filter((_, i) => sections[candidates[i]] === section)
    return some.reduce((sum, value) => sum + value, 0) / some.length
  }
  expect(meanOf(0)).toBeGreaterThan(1.5 * meanOf(1))
})
