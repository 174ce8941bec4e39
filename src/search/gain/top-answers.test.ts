import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bm25, soft, tfIdf } from '../full-text/scoring.ts'
import { TextIndex } from '../full-text/text-index.ts'
import { analyser } from '../text/analysis.ts'
import { sharesOf, TopAnswers } from './top-answers.ts'

const scoring = bm25({
  k1: 1.2,
  fieldWeights: [4, 2, 1, 1],
  lengthShares: [0.5, 0, 0.3, 0.75],
  coverage: soft(1),
})
const words = ['cat', 'dog', 'fish', 'bird', 'cow']
const aText = fc.array(fc.constantFrom(...words), { maxLength: 12 }).map((list) => list.join(' '))
const texts = fc.array(aText, { maxLength: 60 })
const queries = ['cat', 'dog fish', 'bird cow cat', 'unheard of'].map((text) => ({
  text,
  weight: 1,
}))

const page = (text: string) => ({ url: 'https://a.org/', title: '', text, anchors: [] })

function indexOf(pages: readonly string[]): TextIndex {
  const index = new TextIndex(analyser({ stemming: false }))
  pages.forEach((text, url) => {
    index.replace(url, page(text))
  })
  return index
}

test('the best ten are those of search, through additions, removals and merges', () => {
  fc.assert(
    fc.property(texts, texts, fc.array(fc.nat(60)), (first, second, removed) => {
      const index = indexOf(first)
      const kept = new TopAnswers(queries, scoring)
      kept.refresh(index)
      second.forEach((text, i) => {
        index.replace(2 * i, page(text))
      })
      for (const url of removed) index.remove(url)
      while (index.compact());
      kept.refresh(index)
      for (const [query, { text }] of queries.entries())
        expect(kept.topOf(query)).toEqual(index.search(index.prepare(text, scoring), 10))
    }),
  )
})

test('nothing is asked again while the index stays as it is', () => {
  const index = indexOf(['cat dog', 'fish', 'cat'])
  let asked = 0
  const counted = { ...tfIdf(), weight: () => ++asked }
  const top = new TopAnswers(queries, counted)
  top.refresh(index)
  const before = asked
  while (index.compact());
  top.refresh(index)
  expect(asked).toBe(before)
  index.remove(1)
  top.refresh(index)
  expect(asked).toBe(2 * before)
})

test('before anything is indexed there are no answers', () => {
  expect(new TopAnswers(queries, scoring).topOf(0)).toEqual([])
})

test('shares are of all searches, and nobody asks where no query has a weight', () => {
  expect([...sharesOf([{ weight: 1 }, { weight: 3 }])]).toEqual([0.25, 0.75])
  expect([...sharesOf([{ weight: 0 }])]).toEqual([0])
})
