import { expect, test } from 'vitest'
import type { ShownAnswer } from '#library/search/search-results.ts'
import { answerText } from './search-command.ts'

const NOW = 1_790_000_000
const answer: ShownAnswer = {
  query: 'shoes',
  words: 'shoes',
  offset: 0,
  limit: 10,
  total: 1000,
  totalIsExact: false,
  ms: 1.25,
  results: [
    {
      rank: 1,
      url: 'https://a.org/',
      title: 'Red shoes',
      titleMarks: [[4, 9]],
      snippet: { text: 'Buy shoes here', marks: [[4, 9]], moreBefore: true, moreAfter: true },
      score: 12.3456,
      fetchedAt: NOW - 7200,
    },
    {
      rank: 2,
      url: 'https://b.org/',
      title: 'Untold',
      titleMarks: [],
      snippet: { text: '', marks: [], moreBefore: false, moreAfter: false },
      score: 1,
      fetchedAt: 0,
    },
  ],
}

test('results have title, address, excerpt, age and score; words of the query stand out', () => {
  expect(answerText(answer, 5, NOW, (word) => `*${word}*`)).toBe(
    [
      ' 1. Red *shoes*',
      '    https://a.org/',
      '    … Buy *shoes* here …',
      '    (fetched 2 hours ago, score 12.35)',
      '',
      ' 2. Untold',
      '    https://b.org/',
      '    (score 1.000)',
      '',
      'at least 1,000 results in 1.3 ms',
    ].join('\n'),
  )
})

test('no results come with a hint', () => {
  const none = { ...answer, results: [], total: 0, totalIsExact: true }
  expect(answerText(none, 7, NOW, String)).toMatch(/nothing found for "shoes" among 7 pages: try/)
  expect(answerText(none, 0, NOW, String)).toMatch(/nothing is indexed yet: crawl/)
})
