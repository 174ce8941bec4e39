import { beforeEach, describe, expect, test } from 'vitest'
import { Frontier } from '#frontier/frontier.ts'
import { NOBODY } from '#frontier/urls/url-states.ts'
import { REL_SITEMAP } from '#parse/page/page.ts'
import type { PageOutcome } from '../entries/outcome.ts'
import { learnFrom } from './learn-from.ts'

const HOME = 'https://a.org/'
const NEWS = 'https://a.org/news'
const words = (count: number) => Array.from({ length: count }, (_, i) => `word${(i * 37) % 1009}`)
const anywhere = () => undefined

let frontier: Frontier
let time: number
let versions: number
beforeEach(() => {
  frontier = new Frontier()
  for (const url of [HOME, NEWS]) frontier.add(url, 'seed', 0, 1)
  time = 100
  versions = 0
})

/** Fetches a page that has changed; time goes on. */
function fetched(url: string, links: readonly string[], page: Partial<PageOutcome['page']> = {}) {
  const id = frontier.urls.find(url)!
  const outcome: PageOutcome = {
    ...{ kind: 'page', id, url, at: ++time, ms: 1, status: 200, bytes: 1 },
    contentHash: String(++versions).padEnd(16, 'a'),
    page: {
      ...{ form: 'page', title: url, text: '', noindex: false, nofollow: false },
      links: links.map((target) => ({ url: target, anchor: '', rel: 0 })),
      ...page,
    },
  }
  return learnFrom(outcome, frontier, anywhere)
}

describe('links', () => {
  test('of a first fetch are all new; later those that the page did not have', () => {
    expect(fetched(HOME, [NEWS, 'https://a.org/x', NEWS])).toMatchObject({
      newLinks: 2,
      newUrls: 1,
    })
    expect(fetched(HOME, ['https://a.org/x', 'https://a.org/y'])).toMatchObject({
      newLinks: 1,
      newUrls: 1,
    })
  })

  test('are counted at their targets', () => {
    fetched(HOME, [NEWS, NEWS])
    expect(fetched(NEWS, [HOME]).inLinks).toBe(1)
    fetched(HOME, [])
    expect(fetched(NEWS, []).inLinks).toBe(0)
  })
})

test('a URL remembers who found it, and a redirect passes that on', () => {
  fetched(HOME, ['https://a.org/old'])
  const old = frontier.urls.find('https://a.org/old')!
  const attempt = { id: old, url: 'https://a.org/old', at: ++time, ms: 1 }
  const moved = { kind: 'redirect', ...attempt, status: 301, bytes: 0, target: 'https://a.org/new' }
  learnFrom(moved as never, frontier, anywhere)
  const home = frontier.urls.find(HOME)
  expect(frontier.discoveries.finderOf(old)).toBe(home)
  expect(frontier.discoveries.finderOf(frontier.urls.find('https://a.org/new')!)).toBe(home)
  expect(frontier.discoveries.finderOf(home!)).toBe(NOBODY)
})

test('other links around the same words are no change of content, another paragraph is', () => {
  const text = words(300)
  expect(fetched(HOME, [], { text: text.join(' ') }).contentChanged).toBe(true)
  expect(fetched(HOME, [NEWS], { text: text.join('\n') })).toMatchObject({
    changed: true,
    contentChanged: false,
  })
  const more = [...words(400).slice(340), ...text]
  expect(fetched(HOME, [], { text: more.join(' ') }).contentChanged).toBe(true)
})

test('a sitemap that names a page without a new date was silent, and the next fetch tells how that came out', () => {
  const map = 'https://a.org/sitemap.xml'
  frontier.add(map, 'robots', 1, 1)
  const listed = (changedAt: number) => {
    const link = { url: NEWS, anchor: '', rel: REL_SITEMAP, lastModified: changedAt }
    return { form: 'sitemap' as const, links: [link] }
  }
  fetched(map, [], listed(50))
  fetched(NEWS, [], { text: words(200).join(' ') })
  expect(fetched(NEWS, [], { text: words(99).join(' ') }).unclaimed).toBeUndefined() // read before
  fetched(map, [], listed(60))
  const host = frontier.urls.hosts()[frontier.urls.find(NEWS)!]
  expect(fetched(NEWS, [], { text: 'quite other words' })).toMatchObject({
    contentChanged: true,
    unclaimed: true,
  })
  expect(frontier.claims.oddsFactor(host, false)).toBeGreaterThan(1)
  fetched(map, [], listed(1e9))
  expect(fetched(NEWS, [], { text: 'and others again' })).toMatchObject({ claimRight: true })
})
