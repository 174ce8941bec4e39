import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rebuildIndex } from '#repository/check/rebuild-index.ts'
import { IndexStore } from '#repository/text-index/index-store.ts'
import { PageStore } from '#repository/text-index/page-store.ts'
import { defaultAnalyser } from '#search/full-text/default-search.ts'
import { askAndShow } from './search-results.ts'
import { openSearchService } from './search-service.ts'
import { searchableCrawl } from './searchable-crawl.test-kit.ts'

const DE =
  'Der Leuchtturm steht auf einem Felsen vor der Küste, und seine Lampe weist den Schiffen den Weg. Er ist nicht neu, aber sehr hoch.'
const EN =
  'The lighthouse stands on a rock off the coast, and its lamp shows ships the way. It is not new, but it is very high. Lampe is a surname.'
const PAGES = [
  { url: 'https://docs.a.org/en', title: 'Lighthouse', text: EN, language: 'en' },
  { url: 'https://www.a.org/de', title: 'Leuchtturm', text: DE, language: 'de' },
  { url: 'https://b.org/at', title: 'Leuchttürme', text: DE, language: 'de-at' },
  {
    url: 'https://b.org/x',
    title: 'Ways of ships',
    text: 'way of ships. the ships',
    language: 'en',
  },
]

const UNSPACED = Object.entries({
  ja: 'サーバーを設定する。',
  ja2: '設定はサーバーで行う。',
  ja3: 'サービスの設定を行う。',
  ko: '여기서 네트워크 설정을 합니다. Linux에서도 됩니다.',
  ko2: '워크플로를 설정하는 방법.',
  zh: '如何安装系统。',
  zh2: '系统装好了，安全。',
  th: 'วิธีตั้งค่าเครือข่ายของคุณ',
  th2: 'วิธีตั้งค่าเครื่องพิมพ์',
}).map(([path, text]) => ({
  ...{ url: `https://a.org/${path}`, title: '', text, language: path.slice(0, 2) },
}))

let dir: string
beforeAll(() => {
  dir = searchableCrawl(PAGES)
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

function found(query: string): string[] {
  const service = openSearchService(dir)
  const { hits } = service.search(query, 0, 10)
  service.close()
  return hits.map(({ url }) => new URL(url).pathname.slice(1)).sort()
}

const CASES: [query: string, paths: string[]][] = [
  ['Lampe', ['at', 'de', 'en']],
  ['Lampe site:a.org', ['de', 'en']],
  ['Lampe site:docs.a.org', ['en']],
  ['Lampe site:docs.a.org,b.org', ['at', 'en']],
  ['Lampe lang:de', ['at', 'de']],
  ['Lampe site:c.org', []],
  ['"way of ships"', ['x']],
  ['"ships the way"', ['en']],
  ['"Schiffen den Weg" lang:de site:b.org', ['at']],
  ['ships', ['en', 'x']],
]

describe('search', () => {
  test.each([
    ...CASES,
    ['Lampe -site:a.org', ['at']],
    ['Lampe lang:de-at', ['at']],
    ['Lampe -lang:de', ['en']],
    ['ships -lamp', ['x']],
    ['ships -"way of ships"', ['en']],
    ['lang:en', ['en', 'x']],
    ['site:b.org', ['at', 'x']],
  ] as typeof CASES)('for %s finds %j', (query, paths) => {
    expect(found(query)).toEqual(paths)
  })

  test('marks forms of words in the language of the page, and no operators', () => {
    const service = openSearchService(dir)
    const { results, words } = askAndShow(service, 'Lampen schiff lang:de', 0, 10)
    service.close()
    expect(words).toBe('Lampen schiff')
    for (const { snippet, language } of results) {
      const marked = snippet.marks.map(([start, end]) => snippet.text.slice(start, end))
      expect(marked).toEqual(['Lampe', 'Schiffen'])
      expect(language).toMatch(/^de/)
    }
  })
})

describe('in scripts that part words by no spaces, or not from their endings,', () => {
  beforeAll(() => {
    dir = searchableCrawl(UNSPACED)
  })
  afterAll(() => rmSync(dir, { recursive: true, force: true }))

  test.each([
    ['サーバー', ['ja', 'ja2', 'ja3']],
    ['"サーバーを設定"', ['ja']],
    ['設定 -サーバー', ['ja3']],
    ['설정', ['ko', 'ko2']],
    ['"네트워크 설정"', ['ko']],
    ['설정 -네트워크', ['ko2']],
    ['"安装系统"', ['zh']],
    ['系统 -安装', ['zh2']],
    ['ตั้งค่า -เครือข่าย', ['th2']],
    ['"ตั้งค่าเครือข่าย"', ['th']],
    ['linux', ['ko']],
  ] as typeof CASES)('%s finds %j', (query, paths) => {
    expect(found(query)).toEqual(paths)
  })
})

describe('an index of an older format', () => {
  beforeAll(() => {
    dir = olderIndex()
  })

  test.each(CASES)('answers as far as words go: %s', (query, paths) => {
    expect(found(query)).toEqual(paths)
  })

  test('stays in it when more comes, and is read anew by one command', async () => {
    const store = new IndexStore(dir)
    const index = store.load(defaultAnalyser)
    expect(index.analyser).toBe(defaultAnalyser.earlier)
    const pages = PageStore.open(dir)
    store.save(index, pages.bounds)
    pages.close()
    expect(found('Schiffe')).toEqual([])
    expect(await rebuildIndex(dir, undefined, { readsAnew: true })).toEqual([])
    expect(new IndexStore(dir).load(defaultAnalyser).analyser).toBe(defaultAnalyser)
    expect(found('Schiffe')).toEqual(['at', 'de'])
    expect(found('Lampe -lang:de')).toEqual(['en'])
  })
})

/** As an earlier version left it: all pages read as English, no language known. */
function olderIndex(): string {
  const older = searchableCrawl([])
  const store = new IndexStore(older)
  store.load(defaultAnalyser)
  const manifest = join(older, 'index', 'manifest.json')
  const { crc: _, ...content } = JSON.parse(readFileSync(manifest, 'utf8'))
  const changed = { ...content, format: 2 }
  writeFileSync(manifest, JSON.stringify({ ...changed, crc: crc32(JSON.stringify(changed)) }))
  const again = new IndexStore(older)
  const index = again.load(defaultAnalyser)
  const pages = PageStore.open(older)
  for (const [id, { url, title, text }] of PAGES.entries()) {
    index.replace(id, { url, title, text, anchors: [] })
    pages.put([[id, { url, title, text, fetchedAt: 5 }, { anchors: [], isHidden: false }]])
  }
  again.save(index, pages.bounds)
  pages.close()
  return older
}
