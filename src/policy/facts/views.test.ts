import { expect, test } from 'vitest'
import { defaultAnalyser, defaultScoring } from '#search/full-text/default-search.ts'
import { TextIndex } from '#search/full-text/text-index.ts'
import { TopAnswers } from '#search/gain/top-answers.ts'
import type { QueryAnswers } from './acquisition-facts.ts'
import { answersOf } from './query-answers.ts'
import { NO_VIEWS, viewsOfAnswers, viewsOfTopAnswers } from './views.ts'

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
  const index = bakery()
  const top = new TopAnswers(queries, defaultScoring)
  top.refresh(index)
  const views = viewsOfTopAnswers(top)
  const { byUrl } = views
  expect(byUrl.get(5)).toBeCloseTo(3 / 8)
  expect(byUrl.get(6)).toBeCloseTo((3 / 8) * 2 ** -1.5 + 1 / 8)
  expect(byUrl.size).toBe(2)
  const answers = answersOf(index, queries, defaultScoring)
  expect(viewsOfAnswers({ queries, answers })).toEqual(views)
})

test('the score that searchers see is a mean over views, and that of nobody is not known', () => {
  const answers = {
    depth: 2,
    kept: Uint32Array.of(2, 1),
    urls: Uint32Array.of(5, 6, 6, 0),
    scores: Float64Array.of(4, 2, 3, 0),
  } as unknown as QueryAnswers
  const [first, second] = [1, 2 ** -1.5]
  const asked = [{ text: 'a', weight: 1 }, { text: 'b', weight: 1 }] // biome-ignore format: one list
  const { meanScore } = viewsOfAnswers({ queries: asked, answers })
  expect(meanScore).toBeCloseTo((4 * first + 2 * second + 3 * first) / (2 * first + second), 12)
  expect(viewsOfAnswers({ queries: [], answers })).toEqual(NO_VIEWS)
})
