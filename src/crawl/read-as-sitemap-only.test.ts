import { expect, test } from 'vitest'
import { Frontier } from '#frontier/frontier.ts'
import { scopeTest } from '#frontier/scope.ts'
import type { PageOutcome } from '#learn/entries/outcome.ts'
import { readAsSitemapOnly } from './read-as-sitemap-only.ts'

const [MAP, INSIDE] = ['https://maps.net/a.xml', 'https://a.org/list.xml']

test('a sitemap elsewhere that robots.txt names is read as a sitemap, and never as a page', () => {
  const seeds = ['https://a.org/']
  const frontier = new Frontier()
  const numberOf = new Map([MAP, INSIDE].map((url) => [url, frontier.add(url, 'robots', 1, 900)]))
  const answered = (url: string, form: 'page' | 'sitemap'): PageOutcome => ({
    ...{ kind: 'page', id: numberOf.get(url)!, url, at: 1000, ms: 5, status: 200, bytes: 0 },
    page: { form, title: 'Page', text: '', links: [], noindex: false, nofollow: false },
    ...{ contentHash: '1'.repeat(16), etag: '"1"' },
  })
  const scope = scopeTest({ scope: 'host' }, seeds)
  const read = (outcome: PageOutcome) => readAsSitemapOnly(outcome, frontier, scope)
  const list = answered(MAP, 'sitemap')
  expect(read(list)).toBe(list)
  const { page: _, contentHash: __, etag: ___, ...html } = answered(MAP, 'page')
  expect(read(answered(MAP, 'page'))).toEqual({
    ...html,
    kind: 'unreadable',
    reason: 'out of scope, and not the sitemap it was said to be',
  })
  const page = answered(INSIDE, 'page')
  expect(read(page)).toBe(page)
})
