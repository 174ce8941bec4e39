import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cases } from '#numeric/cases.test-kit.ts'
import { analyser, type SearchablePage } from '../text/analysis.ts'
import { defaultAnalyser } from './default-search.ts'
import { inLinkCount } from './scoring.test-kit.ts'
import { bm25, conjunctive, type Scoring, soft, tfIdf } from './scoring.ts'
import { TextIndex } from './text-index.ts'

const words = ['cat', 'dog', 'fish', 'bird', 'cow', 'ant', 'bee', 'the']
const text = fc.array(fc.constantFrom(...words), { maxLength: 12 }).map((list) => list.join(' '))
const aPage: fc.Arbitrary<SearchablePage> = fc.record({
  url: fc.constantFrom('https://a.org/cat', 'https://a.org/dog-fish', 'https://bee.org/'),
  title: text,
  text,
  anchors: fc.array(text, { maxLength: 3 }),
})
const URLS = 14
const changes = fc.array(
  fc.record({
    url: fc.nat(URLS - 1),
    page: fc.option(aPage, { nil: undefined }),
    flush: fc.boolean(),
  }),
  { maxLength: 30 },
)
const aQuery = fc
  .uniqueArray(fc.constantFrom(...words, 'unknown'), { minLength: 1, maxLength: 4 })
  .map((list) => list.join(' '))

const shared = { k1: 1.2, fieldWeights: [4, 2, 1, 1], lengthShares: [0.5, 0, 0.3, 0.75] } as const
const inLinks = Uint32Array.from({ length: URLS }, (_, url) => (url * 7) % 5)
const scorings: [string, Scoring][] = [
  ['BM25, soft', bm25({ ...shared, coverage: soft(3) })],
  [
    'BM25, conjunctive, with a prior',
    bm25({ ...shared, coverage: conjunctive, prior: { of: (url) => 1 + (url % 3), most: 3 } }),
  ],
  ['TF-IDF', tfIdf()],
  ['TF-IDF, soft', tfIdf(soft(2))],
  ['in-link count', inLinkCount(inLinks)],
]

function apply(
  index: TextIndex,
  steps: readonly { url: number; page?: SearchablePage; flush: boolean }[],
): Map<number, SearchablePage> {
  const held = new Map<number, SearchablePage>()
  for (const { url, page, flush } of steps) {
    if (page) index.replace(url, page)
    else index.remove(url)
    if (page) held.set(url, page)
    else held.delete(url)
    if (flush) index.flush()
  }
  return held
}

const newIndex = () => new TextIndex(analyser({ stemming: false }))

describe.each(scorings)('%s', (_, scoring) => {
  test('the best k are what scoring every page and sorting gives', () => {
    fc.assert(
      fc.property(changes, aQuery, fc.integer({ min: 1, max: 16 }), (steps, query, k) => {
        const index = newIndex()
        const held = apply(index, steps)
        const prepared = index.prepare(query, scoring)
        const everyone = [...held.keys()]
          .map((url) => ({ url, score: index.scoreOf(url, prepared) }))
          .filter(({ score }) => score > 0)
          .sort((a, b) => b.score - a.score || a.url - b.url)
        expect(index.search(prepared, k)).toEqual(everyone.slice(0, k))
        const guesses = [...everyone.map(({ score }) => score), 1e9]
        for (const guess of guesses)
          expect(index.best(prepared, k, undefined, guess).sorted()).toEqual(everyone.slice(0, k))
      }),
      { numRuns: cases(25) },
    )
  })

  test('an index that lived through changes and merges answers as one built afresh', () => {
    fc.assert(
      fc.property(changes, aQuery, (steps, query) => {
        const lived = newIndex()
        const held = apply(lived, steps)
        while (lived.compact());
        const fresh = newIndex()
        for (const [url, page] of held) fresh.replace(url, page)
        const answer = (index: TextIndex) =>
          index.search(index.prepare(query, scoring), 20).map(({ url, score }) => [url, score])
        expect(answer(lived)).toEqual(answer(fresh))
        expect(lived.size).toBe(held.size)
      }),
      { numRuns: cases(15) },
    )
  })
})

function indexOf(...texts: string[]): TextIndex {
  const index = newIndex()
  texts.forEach((words, url) => {
    index.replace(url, { url: `https://a.org/${url}`, title: '', text: words, anchors: [] })
  })
  return index
}

test('conjunctive scoring wants every telling word, soft scoring puts those that miss one far behind', () => {
  const index = indexOf('cat dog', 'cat cat cat cat', 'bird')
  const found = (scoring: Scoring) => index.search(index.prepare('the cat and the dog', scoring), 9)
  expect(found(bm25({ ...shared, coverage: conjunctive })).map(({ url }) => url)).toEqual([0])
  const [first, second] = found(bm25({ ...shared, coverage: soft(3) }))
  expect([first.url, second.url]).toEqual([0, 1])
  expect(second.score).toBeLessThan(first.score / 2)
})

test('in-link scores are the in-link counts of the pages that have every word', () => {
  const index = indexOf('cat dog', 'cat dog', 'cat')
  const scoring = inLinkCount(Uint32Array.of(3, 8, 100))
  expect(index.search(index.prepare('cat dog', scoring), 9)).toEqual([
    { url: 1, score: 8 },
    { url: 0, score: 3 },
  ])
})

test('the 2005 form of TF-IDF, by hand', () => {
  const index = indexOf('cat cat dog', 'dog')
  const [{ score }] = index.search(index.prepare('cat', tfIdf()), 1)
  const lengthOfPage = 3 + 2 // the words, and `a` and `0` of its address
  expect(score).toBeCloseTo(Math.sqrt(2 / lengthOfPage) * (1 + Math.log(2 / 2)) ** 2, 12)
})

test('merging keeps few segments however many there were', () => {
  const index = newIndex()
  for (let url = 0; url < 200; url++) {
    index.replace(url, { url: 'https://a.org/', title: '', text: `word${url} cat`, anchors: [] })
    index.flush()
    index.compact()
  }
  expect(index.segments.length).toBeLessThan(14)
  expect(index.search(index.prepare('word77', tfIdf()), 5).map(({ url }) => url)).toEqual([77])
})

test('new anchor texts change a held page as indexing it anew would', () => {
  fc.assert(
    fc.property(aPage, fc.array(text, { maxLength: 3 }), aQuery, (page, anchors, query) => {
      const changed = newIndex()
      changed.replace(0, page)
      const terms = changed.replaceAnchors(new Map([[0, anchors]])).get(0)
      const countsOf = (all: readonly string[]) =>
        Map.groupBy(changed.termsOf(all.join(' '), 0), (term) => term)
      const [before, after] = [countsOf(page.anchors), countsOf(anchors)]
      const differs = (term: number) => before.get(term)?.length !== after.get(term)?.length
      const expected = [...new Set([...before.keys(), ...after.keys()])].filter(differs)
      expect([...(terms ?? [])].sort()).toEqual(expected.sort())
      expect([...changed.replaceAnchors(new Map([[0, anchors]])).keys()]).toEqual([])
      const fresh = newIndex()
      fresh.replace(0, { ...page, anchors })
      const score = (index: TextIndex) => index.scoreOf(0, index.prepare(query, scorings[0][1]))
      expect(score(changed)).toBeCloseTo(score(fresh), 12)
    }),
  )
})

test('many pages get new anchor texts in one pass as each would alone', () => {
  const somePages = fc.array(fc.tuple(aPage, fc.array(text, { maxLength: 3 })), { minLength: 20 })
  fc.assert(
    fc.property(somePages, aQuery, fc.integer({ min: 1, max: 19 }), (pages, query, share) => {
      const [atOnce, oneByOne] = [newIndex(), newIndex()]
      const named = new Map<number, readonly string[]>()
      for (const [url, [page, anchors]] of pages.entries()) {
        atOnce.replace(url, page)
        oneByOne.replace(url, page)
        if (url % share === 0) named.set(url, anchors)
      }
      const changed = atOnce.replaceAnchors(named)
      for (const [url, anchors] of named) {
        const alone = oneByOne.replaceAnchors(new Map([[url, anchors]]))
        expect(new Set(changed.get(url))).toEqual(new Set(alone.get(url)))
      }
      const found = (index: TextIndex) => index.search(index.prepare(query, scorings[0][1]), 30)
      expect(found(atOnce)).toEqual(found(oneByOne))
      expect(atOnce.statistics()).toEqual(oneByOne.statistics())
    }),
  )
})

test('a page in a script without spaces is found by a word inside its sentences', () => {
  const index = new TextIndex(analyser({ stemming: true }))
  const page = { url: 'https://a.org/', title: '', anchors: [] }
  index.replace(0, { ...page, text: 'โรงงานผลิตน้ำประปาของกรุงเทพมหานคร' })
  index.replace(1, { ...page, text: 'ภาษาไทยมีระดับเสียง' })
  const found = (query: string) =>
    index.search(index.prepare(query, scorings[0][1]), 10).map(({ url }) => url)
  expect(found('น้ำ')).toEqual([0])
  expect(found('ระดับเสียง')).toEqual([1])
})

test('only rules of languages that some page is in are tried, and that changes no answer', () => {
  const index = new TextIndex(defaultAnalyser)
  const page = (text: string, language?: string) => ({
    url: 'https://a.org/',
    title: '',
    text,
    anchors: [],
    language,
  })
  const scoring = bm25({ ...shared, coverage: soft(1) })
  const isRight = (query: string) => {
    const prepared = index.prepare(query, scoring)
    const inAll = index.prepareWords(index.queryWords(query), scoring)
    expect(index.search(prepared, 9)).toEqual(index.search(inAll, 9))
    return prepared.terms.length
  }
  index.replace(1, page('neural networks', 'en'))
  expect(isRight('netzwerken networks')).toBe(1)
  index.replace(2, page('ein Netzwerk aus Netzwerken', 'de-AT'))
  expect(isRight('netzwerken networks')).toBe(2)
  index.replace(2, page('nothing of it', 'en'))
  expect(isRight('netzwerken networks')).toBe(1)
})
