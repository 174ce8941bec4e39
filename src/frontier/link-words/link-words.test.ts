import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { REL_FEED, REL_HUB, REL_SITEMAP } from '#parse/page/page.ts'
import { defaultAnalyser } from '#search/full-text/default-search.ts'
import {
  addresses,
  expectSame,
  measureAll,
  naiveMatches,
  phrase,
  plain,
  queries,
  rule,
  SmallWeb,
  steps,
  webOf,
} from './naive-link-words.test-kit.ts'
import { QueryNgrams } from './query-ngrams.ts'
import { matchesByCoverage, matchesByNgrams } from './rule.ts'

describe('against going through every text of every URL', () => {
  test('matches are the URLs the rule says, with the same measures, after any replacements', () => {
    fc.assert(
      fc.property(addresses, queries, steps, rule, (names, asked, crawl, by) => {
        const web = webOf(names, asked, crawl)
        asked.forEach((query, number) => {
          const measured = measureAll(names, web.pages, query)
          expectSame(plain(web.words.matches(number, by)), naiveMatches(measured, by))
          const everything = Uint32Array.from(names, (_, url) => names.length - 1 - url)
          expectSame(plain(web.words.measure(number, everything)), measured.all.toReversed())
        })
      }),
      { numRuns: 400 },
    )
  })

  test('what is left after replacements is what a crawl from scratch would know, to the bit', () => {
    fc.assert(
      fc.property(addresses, queries, steps, rule, (names, asked, crawl, by) => {
        const web = webOf(names, asked, crawl)
        const fresh = new SmallWeb(names, asked)
        for (const [source, found] of [...web.pages].toReversed()) fresh.link(source, found)
        asked.forEach((_, number) => {
          expect(web.words.matches(number, by)).toEqual(fresh.words.matches(number, by))
        })
        names.forEach((_, url) => {
          expect(web.words.strings(url)).toEqual(fresh.words.strings(url))
        })
      }),
    )
  })

  test('queries that come later are answered as if they had always been there', () => {
    fc.assert(
      fc.property(addresses, queries, queries, steps, (names, first, later, crawl) => {
        const web = webOf(names, first, crawl)
        web.words.setQueries(later)
        later.forEach((query, number) => {
          const expected = naiveMatches(measureAll(names, web.pages, query), matchesByCoverage())
          expectSame(plain(web.words.matches(number)), expected)
        })
      }),
    )
  })

  test('answers keep up with links and queries that change between them', () => {
    fc.assert(
      fc.property(addresses, queries, queries, steps, (names, first, later, crawl) => {
        const web = new SmallWeb(names, first)
        const expectAnswers = (asked: readonly string[]) =>
          asked.forEach((query, number) => {
            const expected = naiveMatches(measureAll(names, web.pages, query), matchesByCoverage())
            expectSame(plain(web.words.matches(number)), expected)
          })
        for (const [source, found] of crawl) {
          web.link(
            source % names.length,
            found.map(([target, ...rest]) => [target % names.length, ...rest]),
          )
          expectAnswers(first)
        }
        web.words.setQueries(later)
        expectAnswers(later)
      }),
    )
  })

  test('limits keep the best of what the rule finds among the URLs wanted', () => {
    const wanted = fc.array(fc.nat(1), { minLength: 6, maxLength: 6 })
    fc.assert(
      fc.property(addresses, phrase, steps, wanted, fc.integer({ min: 1, max: 4 }), (...given) => {
        const [names, query, crawl, only, most] = given
        const web = webOf(names, [query], crawl)
        const all = plain(web.words.matches(0)).filter(({ url }) => only[url] === 1)
        const best = all
          .toSorted((a, b) => b.coverage - a.coverage || b.closeness - a.closeness)
          .slice(0, most)
        const kept = plain(web.words.matches(0, undefined, { only: Uint8Array.from(only), most }))
        expect(kept.length).toBe(best.length)
        const worst = Math.min(1, ...kept.map(({ coverage }) => coverage))
        expect(worst).toBeCloseTo(Math.min(1, ...best.map(({ coverage }) => coverage)), 5)
        for (const match of kept) expect(all).toContainEqual(match)
        expect(kept.map(({ url }) => url)).toEqual(kept.map(({ url }) => url).toSorted())
      }),
    )
  })
})

test('n-grams never cross the border of two texts, but words may come from several', () => {
  const web = new SmallWeb(['https://a.org/', 'https://b.org/cooking'], ['hot soup cooking'])
  web.link(0, [
    [1, 'hot'],
    [1, 'soup'],
  ])
  expect([...web.words.matches(0, matchesByNgrams(1)).urls]).toEqual([])
  const half = web.words.matches(0, matchesByNgrams(0.5))
  expect([[...half.urls], [...half.ngramShare]]).toEqual([[1], [0.5]])
  expect([...web.words.matches(0, matchesByCoverage(1)).urls]).toEqual([1])
  web.link(0, [[1, 'Hot soups, cooked']])
  web.link(1, [[0, 'hot soup cooking']])
  expect([...web.words.matches(0, matchesByNgrams(1)).urls]).toEqual([0, 1])
})

test('a word that nobody says does not keep the others from being enough', () => {
  const web = new SmallWeb(['https://a.org/', 'https://b.org/'], ['thistle aquarium'])
  web.link(0, [[1, 'Thistle']])
  expect([...web.words.matches(0, matchesByCoverage(0.5)).urls]).toEqual([1])
  const [{ coverage }] = plain(web.words.matches(0, matchesByCoverage(0.5)))
  expect(coverage).toBeLessThan(0.5)
})

test('function words need not be linked with, unless by the paper’s rule', () => {
  const web = new SmallWeb(['https://a.org/', 'https://b.org/'], ['what is the history of rome'])
  web.link(0, [[1, 'Rome: a history']])
  expect([...web.words.matches(0, matchesByCoverage(1)).urls]).toEqual([1])
  expect([...web.words.matches(0, matchesByNgrams(1)).urls]).toEqual([])
})

test('a URL is known by its anchors and by what lists say of it, links and pages counted, not by its own', () => {
  const web = new SmallWeb(['https://a.org/', 'https://b.org/redShoes.html', 'https://c.org/'], [])
  web.link(0, [
    [1, 'shoes'],
    [1, 'shoes'],
    [1, 'Red'],
    [1, 'On shoes', REL_FEED],
    [1, '', REL_SITEMAP],
    [1, 'feed', REL_HUB],
  ])
  web.link(1, [[1, 'myself']])
  web.link(2, [[1, 'shoes']])
  expect(web.words.strings(1)).toEqual({
    address: 'https://b.org/redShoes.html',
    addressWords: ['b', 'red', 'shoe'],
    anchors: [
      { text: 'shoes', links: 3, sources: 2 },
      { text: 'On shoes', links: 1, sources: 1 },
      { text: 'Red', links: 1, sources: 1 },
    ],
  })
  web.link(0, [])
  expect(web.words.strings(1).anchors).toEqual([{ text: 'shoes', links: 1, sources: 1 }])
})

test('URLs and texts that come after the queries are found too', () => {
  const web = new SmallWeb(['https://a.org/'], ['green tea'])
  const late = web.urls.add('https://b.org/green')
  expect([...web.words.matches(0, matchesByCoverage(0.1)).urls]).toEqual([late])
  web.link(0, [[late, 'tea']])
  expect([...web.words.matches(0, matchesByCoverage(1)).urls]).toEqual([late])
})

test.each([
  { words: 40, again: 0, ngrams: 117 },
  { words: 11, again: 1, ngrams: 32 },
])('long questions are matched as well: $ngrams n-grams', ({ words, again, ngrams }) => {
  const distinct = Array.from({ length: words }, (_, i) => `word${i}`)
  const question = [...distinct, ...distinct.slice(0, again)].join(' ')
  const numbered = new QueryNgrams(defaultAnalyser)
  numbered.setQueries([question])
  expect(numbered.size).toBe(ngrams) // as many as a machine word has bits, and more
  const web = new SmallWeb(['https://a.org/', 'https://b.org/'], [question])
  web.link(0, [[1, question]])
  const exact = web.words.matches(0, matchesByNgrams(1))
  expect([[...exact.urls], [...exact.ngramShare]]).toEqual([[1], [1]])
  expect(exact.closeness[0]).toBeCloseTo(words / (words + again), 5)
})

test('links that never came cannot go', () => {
  const web = new SmallWeb(['https://a.org/', 'https://b.org/'], ['tea']).link(0, [[1, 'tea']])
  const row = { targets: Uint32Array.of(1), anchors: Uint32Array.of(0), rels: Uint8Array.of(0) }
  const none = { targets: new Uint32Array(), anchors: new Uint32Array(), rels: new Uint8Array() }
  web.words.replaceRow(0, row, none)
  expect(() => web.words.replaceRow(0, row, none)).toThrow('never came')
})
