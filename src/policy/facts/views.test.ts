import { expect, test } from 'vitest'
import { answersOf } from './query-answers.ts'
import { defaultAnalyser, defaultScoring } from '#search/full-text/default-search.ts'
import { TextIndex } from '#search/full-text/text-index.ts'
import { QuerySketches } from '#search/gain/query-sketches.ts'
import { powerVisibility } from '#search/gain/visibility.ts'
import { clicksOfAnswers, clicksOfSketches, NO_CLICKS } from './views.ts'

const queries = [
  { text: 'bread', weight: 3 },
  { text: 'oven', weight: 1 },
  { text: 'nobody knows', weight: 4 },
]

function bakery(): TextIndex {
  const index = new TextIndex(defaultAnalyser)
  const add = (url: number, title: string, text: string) =>
    index.replace(url, { url: `https://a.org/${url}`, title, text, anchors: [] })
  add(5, 'Bread', 'bread and butter')
  add(6, 'Ovens', 'an oven for bread, among many other things that are sold here')
  return index
}

test('a page is seen as often as queries that show it are asked, times the visibility of its rank', () => {
  const options = { scoring: defaultScoring, visibility: powerVisibility }
  const index = bakery()
  const sketches = new QuerySketches(queries, options)
  sketches.refresh(index)
  const clicks = clicksOfSketches(sketches)
  const { byUrl } = clicks
  expect(byUrl.get(5)).toBeCloseTo(3 / 8)
  expect(byUrl.get(6)).toBeCloseTo((3 / 8) * 2 ** -1.5 + 1 / 8)
  expect(byUrl.size).toBe(2)
  expect(clicksOfAnswers(queries, answersOf(index, queries, defaultScoring))).toEqual(clicks)
})

test('the score that searchers see is a mean over clicks, and that of nobody is not known', () => {
  const answers = {
    depth: 2,
    kept: Uint32Array.of(2, 1),
    urls: Uint32Array.of(5, 6, 6, 0),
    scores: Float64Array.of(4, 2, 3, 0),
  }
  const [first, second] = [1, 2 ** -1.5]
  const { meanScore } = clicksOfAnswers([{ text: 'a', weight: 1 }, { text: 'b', weight: 1 }], answers) // biome-ignore format: one list
  expect(meanScore).toBeCloseTo((4 * first + 2 * second + 3 * first) / (2 * first + second), 12)
  expect(clicksOfAnswers([], answers)).toEqual(NO_CLICKS)
})
