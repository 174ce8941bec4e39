import { expect, test } from 'vitest'
import type { ShownAnswer, ShownResult } from '#library/search/search-results.ts'
import { homePage, messagePage } from './page-frame.ts'
import { type ResultsPage, resultsPage } from './results-page.ts'

const NOW = 1_790_000_000
const result: ShownResult = {
  rank: 1,
  url: 'https://a.org/red%20shoes/',
  title: 'Red shoes',
  titleMarks: [[4, 9]],
  snippet: { text: 'Buy red shoes & more', marks: [[8, 13]], moreBefore: true, moreAfter: false },
  score: 3,
  fetchedAt: NOW - 2 * 86_400,
}
const answer: ShownAnswer = {
  query: 'shoes',
  words: 'shoes',
  offset: 0,
  limit: 10,
  total: 1,
  totalIsExact: true,
  ms: 1.23,
  results: [result],
}
const show = (change: Partial<ShownAnswer> = {}, page: Partial<ResultsPage> = {}) =>
  resultsPage({
    answer: { ...answer, ...change },
    pages: 7,
    isLogged: true,
    isNoted: true,
    hrefOf: ({ url }) => url,
    mostResults: 1000,
    now: NOW,
    ...page,
  })

const back = { path: '/nowhere', isLogged: true }

test('a result has its title, address, marked excerpt and the age of the copy', () => {
  const page = show()
  expect(page).toContain('<a href="https://a.org/red%20shoes/">Red <mark>shoes</mark></a>')
  expect(page).toContain('>a.org</bdi>')
  expect(page).toContain('>/red shoes/</bdi>')
  expect(page).toContain('… Buy red <mark>shoes</mark> &amp; more</p>')
  expect(page).toMatch(
    /<time datetime="2026-09-\S+Z" title="19 September 2026, \S+ UTC">2 days ago/,
  )
  expect(page).toContain('1 result · 1.2 ms')
})

test('nothing that came from the web or the question becomes markup', () => {
  const evil = '"><script>alert(1)</script>\'<img src=x onerror=alert(1)>'
  const page = show({
    query: evil,
    results: [
      {
        ...result,
        url: `https://a.org/${evil}`,
        title: evil,
        titleMarks: [[2, 9]],
        snippet: { text: evil, marks: [[0, 5]], moreBefore: false, moreAfter: false },
      },
      { ...result, url: 'javascript:alert(1)', title: 'No link' },
    ],
  })
  expect(page.match(/<script/g)?.length).toBe(1) // our own
  expect(page).not.toMatch(/<img|javascript:/)
  expect(page).toContain('<h2 dir="auto">No l<mark>ink</mark></h2>')
  for (const other of [messagePage(evil, evil, back), show({ query: evil, results: [], total: 0 })])
    expect(other).not.toMatch(/<img|<script>/)
})

test('pages are linked around the current one, and the ends', () => {
  const page = show({ offset: 60, total: 200, query: 'a&b c' })
  expect(page).toContain('<span aria-current="page" aria-label="Page 7">7</span>')
  const numbers = [...page.matchAll(/aria-label="Page (\d+)"/g)].map(([, number]) => Number(number))
  expect(numbers).toEqual([1, 5, 6, 7, 8, 9, 20])
  expect(page).toContain('href="/search?q=a%26b+c&amp;page=8" aria-label="Next page"')
  expect(page).toContain('Page 7 of 200 results')
  expect(show({ total: 10 })).not.toContain('<nav')
  expect(show({ total: 5000, offset: 990 })).not.toContain('Next page')
})

test('without results there is advice, and never a blank page', () => {
  const none = { results: [], total: 0 }
  expect(show(none)).toMatch(/Nothing found for “shoes”.*None of the 7 pages.*has been noted/s)
  expect(show(none, { isNoted: false })).not.toMatch(/has been noted/)
  expect(show(none, { pages: 0 })).toMatch(/Nothing has been indexed yet.*forager crawl/s)
  expect(show({ results: [], total: 3, offset: 90 })).toMatch(/No more results.*first page/s)
  expect(homePage(0, true)).toMatch(/Nothing has been indexed yet/)
  expect(homePage(1, true)).toMatch(/1 page to search/)
})

test('who went astray is led back to where he was', () => {
  expect(messagePage('Oh', 'Well', back)).toContain('<a href="/">Back to the search page</a>')
  expect(messagePage('Oh', 'Well', { ...back, path: '/control/nowhere' })).toContain(
    '<a href="/control">Back to the control room</a>',
  )
})

test('every page has a language, a title, one main part, one field with a label, and one heading', () => {
  for (const page of [
    homePage(3, true),
    show(),
    show({ results: [] }),
    messagePage('Oh', 'Well', back),
  ]) {
    expect(page).toMatch(/<html lang="en">/)
    expect(page).toMatch(/<title>[^<]+<\/title>/)
    for (const once of [/<main/g, /<h1/g, /<search>/g, /<label[^>]* for="q"/g, /<footer/g])
      expect(page.match(once)?.length, String(once)).toBe(1)
    expect(page).not.toMatch(/ style=| on[a-z]+=/) // the policy forbids them
  }
})
