import { expect, test } from 'vitest'
import { analyser } from '../text/analysis.ts'
import { countIn, FIELDS } from './fields.ts'
import { conjunctive, type Scoring } from './scoring.ts'
import { TextIndex } from './text-index.ts'

const BODY = FIELDS.indexOf('body')

/**
 * Finds the best pages of one segment, and counts the terms of pages that it looked at. A term of few pages weighs 1, of
 * some 0.95, of many 0.9; a page that has it twice earns all of that, one that has it once half.
 */
function searched(
  texts: readonly string[],
  query: string,
  k: number,
  coverage: Scoring['coverage'] = () => 1,
): { urls: number[]; scores: number[]; looks: number } {
  let looks = 0
  const scoring: Scoring = {
    weight: (pages) => (pages <= 2 ? 1 : pages <= 5 ? 0.95 : 0.9),
    part: (weight, counts) => {
      looks++
      return countIn(counts, BODY) >= 2 ? weight : weight / 2
    },
    bound: (weight) => weight,
    coverage,
  }
  const index = new TextIndex(analyser({ stemming: false }))
  // Later pages have lower numbers, so that of equal ones the later is the better.
  texts.forEach((text, i) => {
    index.replace(texts.length - i, { url: 'https://a.org/', title: '', text, anchors: [] })
  })
  index.flush()
  const found = index.search(index.prepare(query, scoring), k)
  const urls = found.map(({ url }) => texts.length - url)
  return { urls, scores: found.map(({ score }) => score), looks }
}

const many = Array.from({ length: 20 }, () => 'common common')

test('pages that have only terms which cannot win are not looked at, and others no further than they can win', () => {
  // The first page has 1 + 0.45. The last can have 0.5 + 0.9 at most, so that its common word does not matter.
  const texts = ['rare rare common', ...many, 'rare common']
  expect(searched(texts, 'rare common', 1)).toEqual({ urls: [0], scores: [1.45], looks: 3 })
})

test('a page that may still win is looked at as a whole', () => {
  const texts = ['rare rare common', ...many, 'rare rare common common']
  expect(searched(texts, 'rare common', 1)).toEqual({ urls: [21], scores: [1.9], looks: 4 })
})

test('a page that has no word of a list that cannot win earns nothing by it', () => {
  const texts = ['rare common', ...many, 'rare rare']
  expect(searched(texts, 'rare common', 1)).toEqual({ urls: [21], scores: [1], looks: 3 })
})

test('where every word is wanted, only pages that have the rarest are looked at', () => {
  const texts = ['rare', ...many, 'rare common']
  expect(searched(texts, 'rare common', 9, conjunctive)).toEqual({
    urls: [21],
    scores: [0.95],
    looks: 3,
  })
})

test('where every word is wanted, a page is left at the first that it has not', () => {
  const texts = ['rare common', ...many, 'mid', 'mid', 'mid']
  expect(searched(texts, 'rare mid common', 9, conjunctive)).toEqual({
    urls: [],
    scores: [],
    looks: 1,
  })
})

test('part of a query counts for as much as it covers', () => {
  // Coverage of 1/1.9 leaves the last page 0.53 of 1: less than half of what the first has.
  const texts = ['rare rare common common', ...many, 'rare rare']
  const half = (share: number) => Math.min(share, 1)
  expect(searched(texts, 'rare common', 1, half)).toEqual({ urls: [0], scores: [1.9], looks: 3 })
})

test('of equal pages the lower number is found, wherever it stands in the segment', () => {
  expect(searched(['rare rare', 'rare rare'], 'rare', 1).urls).toEqual([1])
})
