import { expect, test } from 'vitest'
import { Frontier } from '#frontier/frontier.ts'
import type { Instruction } from '#frontier/instructions.ts'
import { scopeTest } from '#frontier/scope.ts'
import { defaultAnalyser } from '#search/full-text/default-search.ts'
import { TextIndex } from '#search/full-text/text-index.ts'
import { obey } from './obey.ts'
import { PageIndexer } from './text-index/index-pages.ts'

const PAGE = 'https://a.example/page'
const OTHER = 'https://a.example/print/other'

/** Two URLs, the first of which is held and indexed. */
function smallCrawl() {
  const frontier = new Frontier()
  const [page, other] = [PAGE, OTHER].map((url) => frontier.add(url, 'link', 1, 1))
  frontier.visit(page, { state: 'page', at: 10, contentKey: 5 })
  const indexer = new PageIndexer(new TextIndex(defaultAnalyser))
  indexer.index.replace(page, { url: PAGE, title: 'one', text: 'words', anchors: [] })
  const scope = scopeTest({ scope: 'host' }, ['https://a.example/'], frontier.instructed)
  const told: Instruction[] = []
  const tell = (...more: Instruction[]) => {
    told.push(...more)
    obey(told, { frontier, scope, indexer })
  }
  return { frontier, indexer, scope, page, other, tell }
}

test('a forgotten page has no copy, is not found, and waits for nobody', () => {
  const { frontier, indexer, page, tell } = smallCrawl()
  tell({ at: 20, kind: 'forget', url: PAGE })
  expect(frontier.stateOf(page)).toBe('known')
  expect(indexer.index.has(page)).toBe(false)
  expect(indexer.takeForgotten()).toEqual([page])
  expect([...frontier.unfetched(100)]).not.toContain(page)
})

test('asked for again, it may be fetched, and its new copy is not forgotten', () => {
  const { frontier, page, tell } = smallCrawl()
  tell({ at: 20, kind: 'forget', url: PAGE })
  tell({ at: 30, kind: 'fetch', url: PAGE })
  expect([...frontier.unfetched(100)]).toContain(page)
  frontier.visit(page, { state: 'page', at: 40, contentKey: 5 })
  tell({ at: 50, kind: 'exclude', pattern: 'b.example/*' })
  expect(frontier.stateOf(page)).toBe('page')
})

test('an excluded pattern keeps known URLs and links out, copies stay held, and it can be taken back', () => {
  const { frontier, scope, page, other, tell } = smallCrawl()
  tell({ at: 20, kind: 'exclude', pattern: 'a.example/p*' })
  expect([...frontier.unfetched(100)]).toEqual([])
  expect(frontier.stateOf(page)).toBe('page')
  expect([...frontier.refreshFacts(100).pages]).toEqual([])
  expect(scope('https://a.example/paper', 1)).toBe('excluded')
  expect(scope('https://a.example/else', 1)).toBeUndefined()
  tell({ at: 30, kind: 'readmit', pattern: 'a.example/p*' })
  expect([...frontier.unfetched(100)]).toEqual([other])
  expect(scope('https://a.example/paper', 1)).toBeUndefined()
})

test('an address that nobody knew comes in if it is in scope', () => {
  const { frontier, tell } = smallCrawl()
  tell(
    { at: 20, kind: 'fetch', url: 'https://a.example/new' },
    { at: 20, kind: 'fetch', url: 'https://elsewhere.example/' },
  )
  const number = frontier.urls.find('https://a.example/new')!
  expect(frontier.discoveries.sourceOf(number)).toBe('operator')
  expect([...frontier.instructed.askedAt]).toEqual([[number, 20]])
  expect(frontier.urls.find('https://elsewhere.example/')).toBeUndefined()
})
