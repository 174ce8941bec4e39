import { expect, test } from 'vitest'
import type { PageOutcome } from '#learn/entries/outcome.ts'
import { costOf } from '#learn/entries/outcome.ts'
import { parsePage } from '#parse/parse-page.ts'
import { renderedOutcome } from './rendered-outcome.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const USED = { requests: 3, refused: 1, bytes: 5000, ms: 900 }
const FRAME =
  '<meta name=robots content=noindex><div id=root></div><a href="/a">a</a><script src=x></script>'
const TEXT = 'All about hiking in the hills. '.repeat(20)

function fetched(html = FRAME): PageOutcome {
  const url = 'http://a.example/app'
  const page = parsePage(bytes(html), 'text/html', url)
  const answer = { id: 1, url, at: 10, ms: 100, status: 200, bytes: 300 }
  const kept = { contentHash: 'aa', etag: '"1"', source: bytes(html) }
  return { ...answer, kind: 'page', page, ...kept }
}

test('a page is what its scripts have made of it, with what it asked for before, and costs what was agreed', () => {
  const dom = bytes(`<title>App</title><p>${TEXT}</p><a href="/b">b</a>`)
  const outcome = renderedOutcome(fetched(), { dom, ...USED }, 6, 'forager')
  expect(outcome.page.text).toContain('hiking in the hills')
  expect(outcome.page.noindex).toBe(true)
  expect(outcome.page.links.map(({ url }) => url)).toEqual(['http://a.example/b'])
  expect(outcome.rendering).toMatchObject({ state: 'done', cost: 6, requests: 3, refused: 1 })
  expect(outcome).toMatchObject({ ms: 1000, bytes: 5300, dom })
  expect(outcome.etag).toBeUndefined()
  expect(outcome.source).toBeUndefined()
  expect(costOf(outcome)).toBe(6)
})

test('the same text under other markup is the same content', () => {
  const made = (id: string) =>
    renderedOutcome(
      fetched(),
      { dom: bytes(`<p id="${id}">${TEXT}</p><a href="/b">b</a>`), ...USED },
      6,
      'forager',
    )
  expect(made('x1').contentHash).toBe(made('x2').contentHash)
})

test('scripts that make nothing more of a page leave it as it was', () => {
  const dom = bytes(`${FRAME}<p>ready</p>`)
  const outcome = renderedOutcome(fetched(), { dom, ...USED }, 6, 'forager')
  expect(outcome.rendering?.state).toBe('fruitless')
  expect(outcome).toMatchObject({ contentHash: 'aa', etag: '"1"' })
  expect(outcome.dom).toBeUndefined()
})

test('a rendering that fails costs what was agreed, one that never began a fetch', () => {
  const failed = renderedOutcome(fetched(), { reason: 'the page has crashed', ...USED }, 6, '')
  expect(failed.rendering).toMatchObject({ state: 'failed', reason: 'the page has crashed' })
  expect(costOf(failed)).toBe(6)
  const never = renderedOutcome(fetched(), { reason: 'no browser', ...USED, ms: 0 }, 6, '')
  expect(costOf(never)).toBe(1)
})
