import fc from 'fast-check'
import { expect } from 'vitest'
import { StringTable } from '#numeric/string-table.ts'
import { isFunctionWord } from '#parse/language/function-words.ts'
import { REL_FEED, REL_HUB } from '#parse/page/page.ts'
import { defaultAnalyser } from '#search/full-text/default-search.ts'
import type { LinkRow } from '../links/link-store.ts'
import { UrlTable } from '../urls/url-table.ts'
import { LinkWords } from './link-words.ts'
import type { WordMatches } from './match.ts'
import { type MatchRule, matchesByCoverage, matchesByNgrams } from './rule.ts'

/** A link as people would write it down: where to, with which words, and its rel bits. */
export type PlainLink = readonly [target: number, anchor: string, rel?: number]
export type Pages = ReadonlyMap<number, readonly PlainLink[]>

/** A web of a few pages, with what LinkWords knows of it. */
export class SmallWeb {
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

export interface PlainMatch {
  readonly url: number
  readonly coverage: number
  readonly ngramShare: number
  readonly urlCoverage: number
  readonly bestAnchor: number
  readonly meanAnchor: number
  readonly closeness: number
  readonly anchorHits: number
}

export interface PlainMatches {
  readonly all: PlainMatch[]
  /** The weight of the words that any text has, of all words. */
  readonly said: number
}

export const ngramsOf = (terms: readonly string[], longest: number): string[] => {
  const found = terms.flatMap((_, start) =>
    Array.from({ length: longest }, (_, more) => terms.slice(start, start + more + 1)),
  )
  return [...new Set(found.map((gram) => gram.join(' ')))]
}

/** The naive twin: every URL's texts are gone through for every query. */
export function measureAll(
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

export function naiveMatches(
  { all, said }: PlainMatches,
  { counts, share }: MatchRule,
): PlainMatch[] {
  const measure = (match: PlainMatch) =>
    counts === 'words' ? match.coverage / said : match.ngramShare
  return all.filter((match) => measure(match) > 0 && measure(match) >= share - 1e-9)
}

export function plain({ urls, ...columns }: WordMatches): PlainMatch[] {
  return [...urls].map((url, i) => {
    const values = Object.entries(columns).map(([name, column]) => [name, column[i]])
    return { url, ...Object.fromEntries(values) }
  })
}

export function expectSame(actual: readonly PlainMatch[], expected: readonly PlainMatch[]): void {
  expect(actual.map(({ url }) => url)).toEqual(expected.map(({ url }) => url))
  actual.forEach((match, i) => {
    for (const [name, value] of Object.entries(expected[i]))
      expect(match[name as keyof PlainMatch], `${name} of URL ${match.url}`).toBeCloseTo(value, 5)
  })
}

// Few words, so that texts share them; some are function words, some share an ending.
export const word = fc.constantFrom(
  'cat',
  'cats',
  'dog',
  'the',
  'of',
  'home',
  'Café',
  'red',
  'blue',
)
export const phrase = fc.array(word, { maxLength: 5 }).map((words) => words.join(' '))
export const addresses = fc
  .array(fc.array(word, { maxLength: 3 }), { minLength: 1, maxLength: 6 })
  .map((paths) => paths.map((path, i) => `https://site.org/${path.join('-')}/${i}`))
export const queries = fc.array(phrase, { minLength: 1, maxLength: 4 })
export const rule = fc.oneof(
  fc.constantFrom(0, 0.34, 0.5, 0.66, 1).map(matchesByNgrams),
  fc.constantFrom(0, 0.3, 0.5, 0.8, 1).map(matchesByCoverage),
)
export const links = fc.array(
  fc.tuple(fc.nat(5), phrase, fc.constantFrom(0, 0, REL_FEED, REL_HUB)),
  {
    maxLength: 5,
  },
)
export const steps = fc.array(fc.tuple(fc.nat(5), links), { maxLength: 8 })

export function webOf(
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
