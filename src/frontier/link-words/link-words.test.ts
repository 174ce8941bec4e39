import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { StringTable } from '#numeric/string-table.ts'
import { REL_FEED, REL_HUB, REL_SITEMAP } from '#parse/page/page.ts'
import { defaultAnalyser } from '#search/full-text/default-search.ts'
import { isFunctionWord } from '#search/text/function-words.ts'
import type { LinkRow } from '../links/link-store.ts'
import { UrlTable } from '../urls/url-table.ts'
import { LinkWords } from './link-words.ts'
import type { WordMatches } from './match.ts'
import { QueryNgrams } from './query-ngrams.ts'
import { type MatchRule, matchesByCoverage, matchesByNgrams } from './rule.ts'

/** A link as people would write it down: where to, with which words, and its rel bits. */
type PlainLink = readonly [target: number, anchor: string, rel?: number]
type Pages = ReadonlyMap<number, readonly PlainLink[]>

/** A web of a few pages, with what LinkWords knows of it. */
class SmallWeb {
  readonly urls = new UrlTable()
  readonly anchors = new StringTable()
  readonly words: LinkWords
  readonly pages = new Map<number, readonly PlainLink[]>()

  constructor(addresses: readonly string[], queries: readonly string[], longest?: number) {
    for (const address of addresses) this.urls.add(address)
    this.words = new LinkWords(defaultAnalyser, this.urls, this.anchors, longest)
    this.words.setQueries(queries)
  }

  link(source: number, links: readonly PlainLink[]): this {
    const oldRow = this.#rowOf(this.pages.get(source) ?? [])
    this.words.replaceRow(source, oldRow, this.#rowOf(links))
    this.pages.set(source, links)
    return this
  }

  #rowOf(links: readonly PlainLink[]): LinkRow {
    return {
      targets: Uint32Array.from(links, ([target]) => target),
      anchors: Uint32Array.from(links, ([, anchor]) => this.anchors.add(anchor)),
      rels: Uint8Array.from(links, ([, , rel]) => rel ?? 0),
    }
  }
}

interface PlainMatch {
  readonly url: number
  readonly coverage: number
  readonly ngramShare: number
  readonly urlCoverage: number
  readonly bestAnchor: number
  readonly meanAnchor: number
  readonly closeness: number
  readonly anchorHits: number
}

interface PlainMatches {
  readonly all: PlainMatch[]
  /** The weight of the words that any text has, of all words. */
  readonly said: number
}

const ngramsOf = (terms: readonly string[], longest: number): string[] => {
  const found = terms.flatMap((_, start) =>
    Array.from({ length: longest }, (_, more) => terms.slice(start, start + more + 1)),
  )
  return [...new Set(found.map((gram) => gram.join(' ')))]
}

/** The naive twin: every URL's texts are gone through for every query. */
function measureAll(
  addresses: readonly string[],
  pages: Pages,
  query: string,
  longest = 3,
): PlainMatches {
  const speaking = [...pages].flatMap(([source, links]) =>
    links
      .filter(([target, , rel]) => target !== source && rel !== REL_HUB)
      .filter(([, text, rel]) => !rel || text !== '')
      .map(([to, text]) => ({ to, text })),
  )
  const anchorsOf = (url: number) => speaking.filter(({ to }) => to === url).map(({ text }) => text)
  const texts = addresses.flatMap((address, url) => [
    defaultAnalyser.urlTerms(address),
    ...[...new Set(anchorsOf(url))].map((text) => defaultAnalyser.terms(text)),
  ])
  const words = defaultAnalyser.queryTerms(query)
  const queryNgrams = ngramsOf(defaultAnalyser.terms(query), longest)
  const idf = words.map((word) => {
    const holders = texts.filter((terms) => terms.includes(word)).length
    return Math.log(1 + (texts.length - holders + 0.5) / (holders + 0.5))
  })
  const coverageBy = (terms: readonly string[]) =>
    words.reduce((sum, word, i) => sum + (terms.includes(word) ? idf[i] : 0), 0) /
    (idf.reduce((sum, weight) => sum + weight, 0) || 1)
  const all = addresses.map((address, url) => {
    const addressTerms = defaultAnalyser.urlTerms(address)
    const anchors = anchorsOf(url).map((text) => {
      const terms = defaultAnalyser.terms(text)
      const inQuery = words.filter((word) => terms.includes(word)).length
      const wordCount = terms.filter((term) => !isFunctionWord(term)).length || terms.length
      const coverage = coverageBy(terms)
      return {
        terms,
        inQuery,
        coverage,
        closeness: coverage * Math.min(1, inQuery / (wordCount || 1)),
      }
    })
    const all = [addressTerms, ...anchors.map(({ terms }) => terms)]
    const grams = new Set(all.flatMap((terms) => ngramsOf(terms, longest)))
    return {
      url,
      coverage: coverageBy(all.flat()),
      ngramShare: queryNgrams.filter((gram) => grams.has(gram)).length / (queryNgrams.length || 1),
      urlCoverage: coverageBy(addressTerms),
      bestAnchor: Math.max(0, ...anchors.map(({ coverage }) => coverage)),
      meanAnchor:
        anchors.reduce((sum, { coverage }) => sum + coverage, 0) / Math.max(1, anchors.length),
      closeness: Math.max(0, ...anchors.map(({ closeness }) => closeness)),
      anchorHits: anchors.filter(({ inQuery }) => inQuery > 0).length,
    }
  })
  return { all, said: coverageBy(texts.flat()) }
}

function naiveMatches({ all, said }: PlainMatches, { counts, share }: MatchRule): PlainMatch[] {
  const measure = (match: PlainMatch) =>
    counts === 'words' ? match.coverage / said : match.ngramShare
  return all.filter((match) => measure(match) > 0 && measure(match) >= share - 1e-9)
}

function plain({ urls, ...columns }: WordMatches): PlainMatch[] {
  return [...urls].map((url, i) => {
    const values = Object.entries(columns).map(([name, column]) => [name, column[i]])
    return { url, ...Object.fromEntries(values) }
  })
}

function expectSame(actual: readonly PlainMatch[], expected: readonly PlainMatch[]): void {
  expect(actual.map(({ url }) => url)).toEqual(expected.map(({ url }) => url))
  actual.forEach((match, i) => {
    for (const [name, value] of Object.entries(expected[i]))
      expect(match[name as keyof PlainMatch], `${name} of URL ${match.url}`).toBeCloseTo(value, 5)
  })
}

// Few words, so that texts share them; some are function words, some share an ending.
const word = fc.constantFrom('cat', 'cats', 'dog', 'the', 'of', 'home', 'Café', 'red', 'blue')
const phrase = fc.array(word, { maxLength: 5 }).map((words) => words.join(' '))
const addresses = fc
  .array(fc.array(word, { maxLength: 3 }), { minLength: 1, maxLength: 6 })
  .map((paths) => paths.map((path, i) => `https://site.org/${path.join('-')}/${i}`))
const queries = fc.array(phrase, { minLength: 1, maxLength: 4 })
const rule = fc.oneof(
  fc.constantFrom(0, 0.34, 0.5, 0.66, 1).map(matchesByNgrams),
  fc.constantFrom(0, 0.3, 0.5, 0.8, 1).map(matchesByCoverage),
)
const links = fc.array(fc.tuple(fc.nat(5), phrase, fc.constantFrom(0, 0, REL_FEED, REL_HUB)), {
  maxLength: 5,
})
const steps = fc.array(fc.tuple(fc.nat(5), links), { maxLength: 8 })

function webOf(
  names: readonly string[],
  asked: readonly string[],
  crawl: readonly (readonly [number, readonly PlainLink[]])[],
): SmallWeb {
  const web = new SmallWeb(names, asked)
  for (const [source, found] of crawl)
    web.link(
      source % names.length,
      found.map(([target, ...rest]) => [target % names.length, ...rest]),
    )
  return web
}

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
