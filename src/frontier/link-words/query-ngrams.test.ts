import { expect, test } from 'vitest'
import { defaultAnalyser } from '#search/full-text/default-search.ts'
import { QueryNgrams } from './query-ngrams.ts'

const termsOf = (text: string) => defaultAnalyser.terms(text)

test('a query has all its n-grams up to three words, and its content words apart', () => {
  const ngrams = new QueryNgrams(defaultAnalyser)
  ngrams.setQueries(['history of the cats'])
  const { words, ngrams: all } = ngrams.query(0)
  expect(words.length).toBe(2)
  expect(all.length).toBe(4 + 3 + 2)
  expect([...words].every((word) => all.includes(word) && ngrams.isWord(word))).toBe(true)
  expect([...all].filter((gram) => ngrams.isWord(gram)).length).toBe(4)
})

test('texts are read as the n-grams of queries, each once, whatever the form of the words', () => {
  const ngrams = new QueryNgrams(defaultAnalyser)
  ngrams.setQueries(['red shoes', 'shoe shop'])
  const [red, redShoe] = [ngrams.gramsOf(['red']), ngrams.gramsOf(termsOf('Red Shoe'))]
  expect(redShoe).toEqual(expect.arrayContaining(red))
  expect(redShoe).toEqual([...ngrams.query(0).ngrams])
  expect(ngrams.gramsOf(termsOf('blue réd shoes and red shoes'))).toEqual(redShoe)
  expect(ngrams.gramsOf(termsOf('shoes, blue'))).toEqual([redShoe[2]])
})

test('longer n-grams are left out if the longest asked for is shorter', () => {
  const ngrams = new QueryNgrams(defaultAnalyser, 1)
  ngrams.setQueries(['one two three'])
  expect(ngrams.query(0).ngrams.length).toBe(3)
})

test('queries of n-grams met before bring nothing new to look for', () => {
  const ngrams = new QueryNgrams(defaultAnalyser)
  expect(ngrams.setQueries(['one two three'])).toBe(true)
  expect(ngrams.setQueries(['two three', 'one'])).toBe(false)
  expect(ngrams.setQueries(['three two'])).toBe(true)
  expect(ngrams.queryCount).toBe(1)
})

test('a query of function words alone still has words', () => {
  const ngrams = new QueryNgrams(defaultAnalyser)
  ngrams.setQueries(['to be or not to be', ''])
  expect(ngrams.query(0).words.length).toBe(4)
  expect(ngrams.query(1)).toEqual({ words: new Uint32Array(), ngrams: new Uint32Array() })
})
