import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Frontier } from '#frontier/frontier.ts'
import { cases } from '#numeric/cases.test-kit.ts'
import type { ParsedPage } from '#parse/page/page.ts'
import { defaultAnalyser, defaultScoring } from '#search/full-text/default-search.ts'
import { TextIndex } from '#search/full-text/text-index.ts'
import type { FetchOutcome } from '../entries/outcome.ts'
import { learnFrom } from '../pages/learn-from.ts'
import { anchorTexts, PageIndexer } from './index-pages.ts'
import { QueryTracker } from './track-queries.ts'

const QUERIES = ['otter', 'kite', 'badger', 'otter kite', 'p1 badger']
const urlOf = (page: number | string) => `https://s${Number(page) % 3}.org/p${page}`

/** What a fetch finds: a page with a text and links, by their targets, or none. */
interface Found {
  readonly page: number
  readonly text?: string
  readonly links?: readonly (readonly [target: number, anchor: string])[]
  readonly gone?: boolean
}

/** A crawl whose cycles are given by hand, with queries that measure gains. */
function crawlOf() {
  const frontier = new Frontier()
  const index = new TextIndex(defaultAnalyser)
  const indexer = new PageIndexer(index)
  const { meter } = new QueryTracker(
    QUERIES.map((text, i) => ({ id: `${i}`, text, weight: 1 })),
    index,
  )
  const texts = new Map<number, string>()
  let version = 0
  const outcomeOf = ({ page, text = '', links = [], gone = false }: Found): FetchOutcome => {
    const url = urlOf(page)
    const id = frontier.add(url, 'seed', 0, 1)
    const at = ++version
    if (gone) return { kind: 'gone', id, url, at, ms: 1, status: 404, bytes: 0 }
    texts.set(id, text)
    const parsed: ParsedPage = {
      ...{ form: 'page', title: '', text, noindex: false, nofollow: false },
      links: links.map(([to, anchor]) => ({ url: urlOf(to), anchor, rel: 0 })),
    }
    const contentHash = (version + 0x1000).toString(16).padEnd(16, '0')
    return { kind: 'page', id, url, at, ms: 1, status: 200, bytes: 1, page: parsed, contentHash }
  }
  const cycle = (...found: Found[]) => {
    const learnt = found.map((one) => learnFrom(outcomeOf(one), frontier, () => undefined))
    return indexer.take(learnt, frontier, meter)
  }
  const find = (query: string) =>
    index.search(index.prepare(query, defaultScoring), 99).map(({ url }) => url)
  const idOf = (page: number) => frontier.urls.find(urlOf(page))!
  const gainOf = (page: number) => meter.gainOf(idOf(page))
  return { frontier, index, texts, cycle, find, idOf, gainOf }
}

/** Pages that nothing else says the same as. */
const textOf = (page: number) =>
  Array.from({ length: 60 }, (_, i) => `w${page}x${i} v${page}x${i}`).join(' ')

test('a changed link changes at once what its target is found by, and its page has the gain', () => {
  const { cycle, find, idOf, gainOf } = crawlOf()
  const hub = (anchor: string) => ({ page: 0, text: textOf(0), links: [[1, anchor] as const] })
  cycle(hub('kite'), { page: 1, text: textOf(1) })
  expect(find('kite')).toEqual([idOf(1)])
  expect(cycle(hub('otter')).renewed).toEqual([[idOf(1), ['otter']]])
  expect(find('otter')).toEqual([idOf(1)])
  expect(find('kite')).toEqual([])
  expect(gainOf(0)).toBeGreaterThan(0)
  cycle({ page: 1, text: `${textOf(1)} and more` })
  expect(gainOf(1)).toBe(0)
  cycle({ page: 0, gone: true })
  expect(find('otter')).toEqual([])
})

test('one more link of known words brings nothing, and takes nothing from whoever brings others', () => {
  const { cycle, gainOf } = crawlOf()
  const hub = (page: number, anchor: string) => ({
    ...{ page, text: textOf(page), links: [[1, anchor] as const] },
  })
  cycle({ page: 1, text: textOf(1) }, hub(2, 'kite'))
  expect(cycle(hub(3, 'kite')).renewed).toEqual([])
  cycle(hub(4, 'kite'), hub(5, 'otter'), hub(6, 'kite'))
  expect([4, 5, 6].map((page) => gainOf(page) > 0)).toEqual([false, true, false])
})

test('after every cycle the index is the one made anew from what links call pages now', () => {
  const page = fc.nat(7)
  const word = fc.constantFrom('otter', 'kite', 'badger', 'otter kite', '')
  const found = fc.record({
    page,
    text: fc.tuple(page, word).map(([text, more]) => `${textOf(text)} ${more}`),
    // Some pages say more of others than anybody listens to.
    links: fc.oneof(
      fc.array(fc.tuple(page, word), { maxLength: 6 }),
      fc.array(
        fc.tuple(
          fc.nat(2),
          fc.nat(60).map((n) => `otter x${n}`),
        ),
        { maxLength: 60 },
      ),
    ),
    gone: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  })
  const cycles = fc.array(fc.uniqueArray(found, { selector: (one) => one.page, maxLength: 4 }), {
    maxLength: 8,
  })
  fc.assert(
    fc.property(cycles, (all) => {
      const { frontier, index, texts, cycle } = crawlOf()
      for (const some of all) {
        cycle(...some)
        const anew = new TextIndex(defaultAnalyser)
        const held = [...texts.keys()].filter((url) => index.has(url))
        for (const [url, anchors] of anchorTexts(held, frontier)) {
          const text = texts.get(url)!
          anew.replace(url, { url: frontier.urls.urlOf(url), title: '', text, anchors })
        }
        const answers = (one: TextIndex) =>
          [...QUERIES, 'x1', 'x2 x3'].map((query) =>
            one.search(one.prepare(query, defaultScoring), 99),
          )
        expect(answers(index)).toEqual(answers(anew))
      }
    }),
    { numRuns: cases(20) },
  )
})

test('a page of ten thousand links renames the targets of its first thousand', () => {
  const { cycle, find, idOf } = crawlOf()
  const pages = Array.from({ length: 50 }, (_, i) => i + 3)
  cycle(...pages.map((page) => ({ page, text: textOf(page) })))
  const targetOf = (link: number) => 3 + (link < 1_000 ? link % 40 : 40 + (link % 10))
  const shout = (word: string) => ({
    ...{ page: 1, text: textOf(1) },
    links: Array.from({ length: 10_000 }, (_, i) => [targetOf(i), `${word} x${i}`] as const),
  })
  for (const word of ['otter', 'badger']) {
    expect(cycle(shout(word)).renewed.length).toBe(40)
    expect(new Set(find(word))).toEqual(new Set(pages.slice(0, 40).map(idOf)))
  }
  expect(cycle(shout('badger')).renewed).toEqual([])
})

test('however much another site says of a page, it is found by what its own calls it', () => {
  const { cycle, find, idOf } = crawlOf()
  cycle({ page: 3, text: textOf(3) })
  const links = Array.from({ length: 500 }, (_, i) => [3, `x${i}`] as const)
  cycle({ page: 2, text: textOf(2), links })
  cycle({ page: 0, text: textOf(0), links: [[3, 'kite']] })
  expect(find('kite')).toEqual([idOf(3)])
  expect(links.filter(([, word]) => find(word).length > 0).length).toBe(5)
})
