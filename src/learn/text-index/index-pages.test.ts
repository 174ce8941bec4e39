import { expect, test } from 'vitest'
import { Frontier } from '#frontier/frontier.ts'
import type { ParsedPage } from '#parse/page/page.ts'
import { defaultAnalyser, defaultScoring } from '#search/full-text/default-search.ts'
import { TextIndex } from '#search/full-text/text-index.ts'
import type { FetchOutcome } from '../entries/outcome.ts'
import { learnFrom } from '../pages/learn-from.ts'
import { PageIndexer } from './index-pages.ts'

/** A long text of its own for each subject. */
const words = (subject: string) =>
  Array.from({ length: 80 }, (_, i) => `${subject} ${subject}${i}`).join(' ')

/** A crawl of handmade pages: fetches one, learns and indexes it. */
function crawlOf() {
  const frontier = new Frontier()
  const indexer = new PageIndexer(new TextIndex(defaultAnalyser))
  let version = 0
  const learn = (path: string, page: Partial<ParsedPage>, links: Record<string, string> = {}) => {
    const url = `https://a.org/${path}`
    const id = frontier.add(url, 'seed', 0, 1)
    const full = {
      form: 'page' as const,
      title: '',
      text: '',
      noindex: false,
      nofollow: false,
      links: Object.entries(links).map(([to, anchor]) => ({
        url: `https://a.org/${to}`,
        anchor,
        rel: 0,
      })),
      ...page,
    }
    const contentHash = (++version + 0x1000).toString(16).padEnd(16, '0')
    const outcome: FetchOutcome = {
      kind: 'page',
      id,
      url,
      at: 1,
      ms: 1,
      status: 200,
      bytes: 1,
      page: full,
      contentHash,
    }
    return learnFrom(outcome, frontier, () => undefined)
  }
  const fetch = (...page: Parameters<typeof learn>) => {
    const learnt = learn(...page)
    indexer.take([learnt], frontier)
    return learnt.outcome.id
  }
  const lose = (id: number) => {
    const outcome: FetchOutcome = {
      kind: 'gone',
      id,
      url: frontier.urls.urlOf(id),
      at: 2,
      ms: 1,
      status: 404,
      bytes: 0,
    }
    indexer.take([learnFrom(outcome, frontier, () => undefined)], frontier)
  }
  const fail = (id: number) => {
    const url = frontier.urls.urlOf(id)
    const outcome: FetchOutcome = {
      ...{ kind: 'failed', id, url, at: 2, ms: 1, reason: 'timeout', sent: true },
    }
    indexer.take([learnFrom(outcome, frontier, () => undefined)], frontier)
  }
  const find = (query: string) => {
    const { index } = indexer
    return index.search(index.prepare(query, defaultScoring), 10).map(({ url }) => url)
  }
  return { learn, fetch, lose, fail, find, indexer, frontier }
}

test('a page is found by what it says and by what links call it, whichever came first', () => {
  const { fetch, find } = crawlOf()
  fetch('hub', { text: words('hub') }, { target: 'wonderful telescopes' })
  const target = fetch('target', { text: words('lenses') })
  expect(find('telescopes')).toContain(target)
  fetch('other', { text: words('other') }, { target: 'stargazing kit', hub: 'x' })
  fetch('third', { text: words('third') }, { target: 'night sky viewer' })
  expect(find('stargazing')).toContain(target)
  expect(find('lenses')[0]).toBe(target)
})

test('duplicates, error pages and pages that ask for it are not shown, and gone ones go', () => {
  const { fetch, lose, find, indexer } = crawlOf()
  const first = fetch('one', { title: 'Same', text: words('unique') })
  fetch('two', { title: 'Same', text: words('unique') })
  fetch('shy', { title: 'Shy', text: words('unique too'), noindex: true })
  fetch('error', { title: '404 Not Found', text: 'The page you asked for was not found.' })
  expect(find('unique')).toEqual([first])
  expect(indexer.index.size).toBe(1)
  lose(first)
  expect(find('unique')).toEqual([])
})

test('a page is shown until the time it names, also if nobody fetches it again', () => {
  const { fetch, lose, find } = crawlOf()
  const offer = fetch('offer', { text: words('bargain'), unavailableAfter: 1.5 })
  const stays = fetch('stays', { text: words('treasure'), unavailableAfter: 3 })
  expect(find('bargain')).toEqual([offer])
  lose(fetch('other', { text: words('other') })) // at a later time
  expect(find('bargain')).toEqual([])
  expect(find('treasure')).toEqual([stays])
})

test('a page that cannot be had is shown for some time, but not for ever', () => {
  const { fetch, fail, find } = crawlOf()
  const page = fetch('page', { text: words('bargain') })
  for (let failure = 1; failure <= 8; failure++) fail(page)
  expect(find('bargain')).toEqual([page])
  fail(page)
  expect(find('bargain')).toEqual([])
})

test('the first of those who name a better address is shown until that is held', () => {
  const { fetch, lose, find, indexer } = crawlOf()
  const better = 'https://a.org/better'
  const first = fetch('one', { text: words('kites'), canonical: better })
  fetch('two', { text: words('kites'), canonical: better })
  expect(find('kites')).toEqual([first])
  expect(fetch('one', { text: words('otters'), canonical: better })).toBe(first)
  expect(find('otters')).toEqual([first])
  const held = fetch('better', { text: words('kites and otters') })
  expect(find('otters')).toEqual([held])
  fetch('one', { text: words('badgers'), canonical: better })
  expect(find('badgers')).toEqual([])
  lose(held)
  expect(indexer.index.size).toBe(0)
})

test('a page that stood in for a lost one, and cannot be had again, is not shown for ever', () => {
  const { fetch, fail, find, frontier } = crawlOf()
  const better = 'https://a.org/better'
  const standIn = fetch('one', { text: words('kites'), canonical: better })
  expect(frontier.releaseDuplicatesOf(frontier.urls.find(better)!)).toEqual([standIn])
  for (let failure = 1; failure <= 2; failure++) fail(standIn)
  expect(find('kites')).toEqual([standIn])
  fail(standIn)
  expect(find('kites')).toEqual([])
})

test('nobody stands in for a page that robots.txt forbids while its copy is shown', () => {
  const { fetch, find, frontier } = crawlOf()
  const better = fetch('better', { text: words('kites') })
  frontier.visit(better, { state: 'disallowed', at: 2, retryAt: 9 })
  fetch('one', { text: words('otters'), canonical: 'https://a.org/better' })
  expect(find('kites')).toEqual([better])
  expect(find('otters')).toEqual([])
})

test('a page that only says it has moved stands in for nobody', () => {
  const { fetch, indexer } = crawlOf()
  const better = 'https://a.org/better'
  fetch('old', { text: 'Redirecting you there', canonical: better, refreshTo: better })
  expect(indexer.index.size).toBe(0)
})

test('of pages that one cycle brought, too, only one stands in for their better address', () => {
  const { learn, find, indexer, frontier } = crawlOf()
  const canonical = 'https://a.org/better'
  const learnt = ['one', 'two'].map((path) => learn(path, { text: words('kites'), canonical }))
  indexer.take(learnt, frontier)
  expect(find('kites')).toEqual([learnt[0].outcome.id])
})
