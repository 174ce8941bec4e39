import { describe, expect, test } from 'vitest'
import { Frontier } from '#frontier/frontier.ts'
import { scopeTest } from '#frontier/scope.ts'
import { type Link, REL_HUB, REL_NOFOLLOW, REL_ROBOTS } from '#parse/page/page.ts'
import type { FetchOutcome, PageOutcome } from '../entries/outcome.ts'
import { learnFrom } from './learn-from.ts'
import { learnFound } from './learn-links.ts'

const anywhere = () => undefined
const attempt = { id: 0, url: 'https://a.org/', at: 1000, ms: 5 }

function started(): Frontier {
  const frontier = new Frontier()
  frontier.add(attempt.url, 'seed', 0, 900)
  return frontier
}

function pageWith(
  links: readonly Partial<Link>[],
  more: Partial<PageOutcome['page']> = {},
): PageOutcome {
  const full = links.map((link) => ({ url: 'https://a.org/x', anchor: '', rel: 0, ...link }))
  const page = {
    form: 'page' as const,
    title: '',
    text: '',
    links: full,
    noindex: false,
    nofollow: false,
    ...more,
  }
  const contentHash = `${links.length}`.padStart(16, '1')
  return { kind: 'page', ...attempt, status: 200, bytes: 0, page, contentHash }
}

test('links of a page become known URLs, one step deeper, and are counted once', () => {
  const frontier = started()
  const links = [{ url: 'https://a.org/x' }, { url: 'https://b.org/' }, { url: 'https://a.org/x' }]
  expect(learnFrom(pageWith(links), frontier, anywhere)).toMatchObject({
    changed: true,
    newUrls: 2,
  })
  expect(frontier.discoveries.depthOf(1)).toBe(1)
  expect(frontier.stateOf(0)).toBe('page')
  expect([...frontier.links.rowOf(0).targets]).toEqual([1, 2, 1])
})

test('an unchanged page keeps its links', () => {
  const frontier = started()
  learnFrom(pageWith([{ url: 'https://b.org/' }]), frontier, anywhere)
  expect(learnFrom(pageWith([{ url: 'https://b.org/' }]), frontier, anywhere)).toMatchObject({
    changed: false,
    newUrls: 0,
  })
  expect(frontier.links.rowOf(0).targets.length).toBe(1)
})

test('nofollow links, links of nofollow pages and links out of scope are left alone', () => {
  const frontier = started()
  learnFrom(pageWith([{ rel: REL_NOFOLLOW }, { url: 'https://b.org/' }]), frontier, () => 'outside')
  learnFrom(pageWith([{}, {}, {}], { nofollow: true }), frontier, anywhere)
  expect(frontier.size).toBe(1)
})

test('a redirect is a page with one link, no deeper than itself', () => {
  const frontier = started()
  const redirect: FetchOutcome = {
    kind: 'redirect',
    ...attempt,
    status: 301,
    bytes: 0,
    target: 'https://b.org/',
  }
  learnFrom(redirect, frontier, anywhere)
  expect(frontier.discoveries.depthOf(1)).toBe(0)
  expect(frontier.discoveries.sourceOf(1)).toBe('redirect')
  expect([...frontier.links.rowOf(0).targets]).toEqual([1])
})

describe('a chain of redirects', () => {
  const hop = (n: number) => `https://a.org/${n}`
  function follow(from: string, target: string, frontier: Frontier): void {
    const outcome = { ...attempt, id: frontier.urls.find(from)!, url: from, status: 302, bytes: 0 }
    learnFrom({ ...outcome, kind: 'redirect', target }, frontier, anywhere)
  }
  function endless(): Frontier {
    const frontier = new Frontier()
    frontier.add(hop(0), 'seed', 0, 900)
    for (let n = 0; frontier.urls.find(hop(n)) !== undefined; n++)
      follow(hop(n), hop(n + 1), frontier)
    return frontier
  }

  test('ends after ten hops', () => {
    expect(endless().size).toBe(11)
  })

  test('may still end at a page that is known', () => {
    const frontier = endless()
    frontier.add('https://a.org/page', 'link', 1, 900)
    follow(hop(10), 'https://a.org/page', frontier)
    expect([...frontier.links.rowOf(10).targets]).toEqual([11])
  })

  test('is as long for who reads the links back', () => {
    const [frontier, restored] = [endless(), new Frontier()]
    for (let n = 0; n < frontier.size; n++) {
      restored.add(hop(n), frontier.discoveries.sourceOf(n), 0, 900)
      restored.links.replace(n, frontier.links.rowOf(n))
      restored.visit(n, { state: 'redirect', at: 1000 })
    }
    restored.countRestoredLinks()
    follow(hop(10), hop(11), restored)
    expect(restored.size).toBe(11)
  })

  test('does not go round for ever', () => {
    const frontier = started()
    for (const [from, to] of [
      [attempt.url, hop(1)],
      [hop(1), hop(2)],
      [hop(2), hop(1)],
    ])
      follow(from, to, frontier)
    expect(frontier.redirects.hopsTo(2)).toBe(2)
    follow(hop(2), hop(3), frontier)
    expect(frontier.size).toBe(4)
  })
})

test('a page that is gone links to nothing any more', () => {
  const frontier = started()
  learnFrom(pageWith([{}]), frontier, anywhere)
  const learnt = learnFrom({ kind: 'gone', ...attempt, status: 404, bytes: 0 }, frontier, anywhere)
  expect(learnt.changed).toBe(true)
  expect(frontier.links.size).toBe(0)
})

test('what robots.txt forbids is asked about again after a week', () => {
  const frontier = started()
  learnFrom({ ...attempt, kind: 'disallowed', rule: 'Disallow: /' }, frontier, anywhere)
  expect([...frontier.unfetched(1000 + 7 * 86_400 - 1)]).toEqual([])
  expect([...frontier.unfetched(1000 + 7 * 86_400)]).toEqual([0])
})

test('each failure waits longer than the one before', () => {
  const frontier = started()
  const failed: FetchOutcome = { kind: 'failed', ...attempt, reason: 'timeout', sent: true }
  learnFrom(failed, frontier, anywhere)
  const first = frontier.retryAtOf(0)
  learnFrom(failed, frontier, anywhere)
  expect(first).toBeGreaterThan(attempt.at)
  expect(frontier.retryAtOf(0)).toBeGreaterThan(first)
})

test('a page that was gone and comes back as it was has its links again', () => {
  const frontier = started()
  learnFrom(pageWith([{}]), frontier, anywhere)
  learnFrom({ kind: 'gone', ...attempt, status: 404, bytes: 0 }, frontier, anywhere)
  expect(learnFrom(pageWith([{}]), frontier, anywhere).changed).toBe(true)
  expect(frontier.links.size).toBe(1)
})

test('an anchor with half a surrogate pair is kept as the tables will keep it', () => {
  const frontier = started()
  learnFrom(pageWith([{ anchor: 'x\ud83d' }, { anchor: 'x\ufffd' }]), frontier, anywhere)
  const { anchors } = frontier.links.rowOf(0)
  expect(Array.from(anchors, (anchor) => frontier.links.anchors.at(anchor))).toEqual([
    'x\ufffd',
    'x\ufffd',
  ])
})

test('a host that is to be left alone puts its URLs off, and does not use up their tries', () => {
  const frontier = started()
  const putOff: FetchOutcome = {
    kind: 'failed',
    ...attempt,
    reason: 'busy',
    sent: false,
    retryAfterSeconds: 600,
  }
  for (let time = 0; time < 5; time++)
    expect(learnFrom(putOff, frontier, anywhere)).toMatchObject({ postponed: true })
  expect(frontier.stateOf(0)).toBe('known')
  expect([...frontier.unfetched(attempt.at + 599)]).toEqual([])
  expect([...frontier.unfetched(attempt.at + 600)]).toEqual([0])
})

test('Retry-After is taken at its word the first time; after that our own pause counts if it is longer', () => {
  const frontier = started()
  const retryInSeconds = (retryAfterSeconds: number) => {
    const busy = { kind: 'failed', ...attempt, reason: 'status 503', sent: true } as const
    learnFrom({ ...busy, retryAfterSeconds }, frontier, anywhere)
    return frontier.retryAtOf(0) - attempt.at
  }
  expect(retryInSeconds(2)).toBe(2)
  expect(retryInSeconds(2)).toBe(1_200)
  expect(retryInSeconds(9_000)).toBe(9_000)
})

test('a fetch that we broke off ourselves says nothing of its URL', () => {
  const frontier = started()
  const outcome = { kind: 'failed', ...attempt, reason: 'out of time', sent: true } as const
  for (let tries = 0; tries < 5; tries++)
    learnFrom({ ...outcome, brokenOff: true }, frontier, anywhere)
  expect(frontier.failuresOf(0)).toBe(0)
  expect([...frontier.unfetched(attempt.at)]).toEqual([0])
})

test('what came beside pages is remembered by how it was found', () => {
  const frontier = started()
  const link = (url: string, rel: number) => ({ url: `https://a.org/${url}`, anchor: '', rel })
  const found = [link('feed', REL_HUB), link('map', REL_HUB), link('map', REL_HUB | REL_ROBOTS)]
  learnFound([{ ...pageWith([]), found }], frontier, anywhere)
  expect(
    [1, 2].map((url) => [frontier.urls.urlOf(url), frontier.discoveries.sourceOf(url)]),
  ).toEqual([
    ['https://a.org/feed', 'header'],
    ['https://a.org/map', 'robots'],
  ])
})

describe('a sitemap that robots.txt names out of scope', () => {
  const rules = { scope: 'host', exclude: ['*/private/*'], maxDepth: 2 } as const
  const scope = scopeTest(rules, ['https://a.org/'])
  const named = (url: string, rel = REL_HUB | REL_ROBOTS) => ({ url, anchor: '', rel })
  const foundBeside = (url: string, depth: number, found: Link[]) => {
    const frontier = started()
    const id = frontier.add(url, 'link', depth, 900)
    const before = frontier.size
    learnFound([{ ...pageWith([]), id, url, found }], frontier, scope)
    return Array.from({ length: frontier.size - before }, (_, i) => frontier.urls.urlOf(before + i))
  }
  const map = 'https://maps.net/a.xml'

  test('is let in if a URL within brought it, unless another rule is against it', () => {
    const other = named('https://maps.net/private/b.xml')
    expect(foundBeside('https://a.org/x', 1, [named(map), other])).toEqual([map])
    expect(foundBeside('https://a.org/x', 2, [named(map)])).toEqual([])
  })

  test('is let in for its robots.txt line alone, not for a Link header', () => {
    expect(foundBeside('https://a.org/x', 1, [named(map, REL_HUB)])).toEqual([])
  })

  test('lets in no others by the robots.txt of its own host', () => {
    expect(foundBeside(map, 1, [named('https://maps.net/sitemap.xml')])).toEqual([])
  })

  test('tells of pages within, and of none of its own host', () => {
    const frontier = started()
    const id = frontier.add(map, 'robots', 1, 900)
    const links = [{ url: 'https://a.org/new' }, { url: 'https://maps.net/page' }]
    learnFrom({ ...pageWith(links, { form: 'sitemap' }), id, url: map }, frontier, scope)
    expect([...frontier.links.targetsOf(id)].map((url) => frontier.urls.urlOf(url))).toEqual([
      'https://a.org/new',
    ])
    expect(frontier.urls.find('https://maps.net/page')).toBeUndefined()
  })
})
