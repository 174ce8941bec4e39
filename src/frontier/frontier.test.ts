import { describe, expect, test } from 'vitest'
import { Frontier } from './frontier.ts'
import { MAX_FAILURES } from './waiting-urls.ts'

const SEED = 'https://a.example.org/'
const OTHER = 'https://b.example.org/x'

function frontierOf(...urls: string[]): Frontier {
  const frontier = new Frontier()
  for (const url of urls) frontier.add(url, 'seed', 0, 100)
  return frontier
}

test('a URL keeps its number, and how it was first found', () => {
  const frontier = frontierOf(SEED)
  expect(frontier.add(OTHER, 'link', 3, 200)).toBe(1)
  expect(frontier.add(OTHER, 'redirect', 1, 300)).toBe(1)
  expect(frontier.discoveries.sourceOf(1)).toBe('link')
  expect(frontier.discoveries.depthOf(1)).toBe(3)
  expect(frontier.discoveries.firstSeenOf(1)).toBe(200)
})

test('hosts of one registrable domain share its number', () => {
  const frontier = frontierOf(SEED, OTHER, 'https://elsewhere.net/')
  const domains = frontier.urls.domains()
  expect(domains[0]).toBe(domains[1])
  expect(domains[2]).not.toBe(domains[0])
  expect(new Set(frontier.urls.hosts()).size).toBe(3)
})

test('a fetched URL is no candidate any more', () => {
  const frontier = frontierOf(SEED, OTHER)
  frontier.visit(0, { state: 'page', at: 150, contentKey: 0xab })
  expect([...frontier.unfetched(1000)]).toEqual([1])
})

test('a failed URL may be tried again when its time comes, but not for ever', () => {
  const frontier = frontierOf(SEED)
  for (let failure = 1; failure <= MAX_FAILURES; failure++) {
    frontier.visit(0, { state: 'failed', at: 100, retryAt: 500 })
    expect([...frontier.unfetched(499)]).toEqual([])
    expect([...frontier.unfetched(500)]).toEqual(failure < MAX_FAILURES ? [0] : [])
  }
})

test.each(['disallowed', 'forbidden'] as const)(
  'a URL that is %s is asked about again when its time comes, or at once if somebody wants it',
  (state) => {
    const frontier = frontierOf(SEED, OTHER)
    for (const url of [0, 1]) frontier.visit(url, { state, at: 100, retryAt: 500 })
    frontier.askAgain(1, 200)
    expect([...frontier.unfetched(199)]).toEqual([])
    expect([...frontier.unfetched(499)]).toEqual([1])
    expect([...frontier.unfetched(500)]).toEqual([0, 1])
  },
)

test('nobody asks again for what is held or gone', () => {
  const frontier = frontierOf(SEED, OTHER)
  frontier.visit(0, { state: 'page', at: 100, contentKey: 0xab })
  frontier.visit(1, { state: 'gone', at: 100 })
  for (const url of [0, 1]) frontier.askAgain(url, 200)
  expect([...frontier.unfetched(1000)]).toEqual([])
  expect(frontier.retryAtOf(0)).toBe(0)
})

test('a copy that could not be fetched again is held, and tried again when its time comes', () => {
  const frontier = frontierOf(SEED)
  frontier.visit(0, { state: 'page', at: 100, contentKey: 0xab })
  for (let failure = 1; failure <= 2 * MAX_FAILURES; failure++)
    frontier.visit(0, { state: 'failed', at: 200, retryAt: 500 })
  expect(frontier.stateOf(0)).toBe('page')
  expect(frontier.failuresOf(0)).toBe(2 * MAX_FAILURES)
  expect([...frontier.unfetched(1000)]).toEqual([])
  expect([...frontier.refreshFacts(499).pages]).toEqual([])
  expect(frontier.refreshFacts(600)).toEqual({
    pages: Uint32Array.of(0),
    ages: Float64Array.of(500),
  })
})

test('visits are listed in the order of the first answer', () => {
  const frontier = frontierOf(SEED, OTHER)
  frontier.visit(0, { state: 'failed', at: 100, retryAt: 0 })
  frontier.visit(1, { state: 'page', at: 110, contentKey: 0xab })
  frontier.visit(0, { state: 'page', at: 120, contentKey: 0xcd })
  frontier.visit(1, { state: 'page', at: 130, contentKey: 0xef })
  expect([...frontier.graphFacts(0, 1).visits]).toEqual([1, 0])
})

test('content is new when its hash differs from the last', () => {
  const frontier = frontierOf(SEED)
  expect(frontier.isNewContent(0, 'ab12')).toBe(true)
  frontier.visit(0, { state: 'page', at: 100, contentKey: 0xab12 })
  expect(frontier.isNewContent(0, 'ab12')).toBe(false)
  expect(frontier.isNewContent(0, 'ab13')).toBe(true)
})

describe('a second look', () => {
  const DAY = 86_400
  test.each(['gone', 'denied', 'unreadable', 'redirect'] as const)(
    'is taken at what was %s after a month, and then ever later',
    (state) => {
      const frontier = frontierOf(SEED)
      frontier.visit(0, { state, at: 0 })
      expect([...frontier.secondLooks(30 * DAY - 1)]).toEqual([])
      expect([...frontier.secondLooks(30 * DAY)]).toEqual([0])
      expect([...frontier.unfetched(1e12)]).toEqual([])
      frontier.visit(0, { state, at: 40 * DAY })
      expect(frontier.retryAtOf(0)).toBe(100 * DAY)
      for (let look = 0; look < 9; look++) frontier.visit(0, { state, at: 0 })
      expect(frontier.retryAtOf(0)).toBe(365 * DAY)
    },
  )

  test('is taken sooner at what was a page before', () => {
    const frontier = frontierOf(SEED)
    frontier.visit(0, { state: 'page', at: 0, contentKey: 0xab12 })
    frontier.visit(0, { state: 'gone', at: DAY })
    expect(frontier.retryAtOf(0)).toBe(8 * DAY)
    frontier.visit(0, { state: 'gone', at: 8 * DAY })
    expect(frontier.retryAtOf(0)).toBe(38 * DAY)
  })

  test('is taken at what failed too often', () => {
    const frontier = frontierOf(SEED)
    for (let failure = 0; failure < 300; failure++)
      frontier.visit(0, { state: 'failed', at: 100, retryAt: 500 })
    expect([...frontier.secondLooks(499)]).toEqual([])
    expect([...frontier.secondLooks(500)]).toEqual([0])
    expect([...frontier.unfetched(500)]).toEqual([])
  })

  test('is not needed for what only waits for its host, if somebody names it', () => {
    const frontier = frontierOf(SEED)
    frontier.postpone(0, 500)
    expect([...frontier.unfetched(200)]).toEqual([])
    frontier.askAgain(0, 200)
    expect([...frontier.unfetched(200)]).toEqual([0])
  })

  test('is taken at once if somebody names the URL, unless it has told where to go', () => {
    const frontier = frontierOf(SEED, OTHER)
    frontier.visit(0, { state: 'denied', at: 100 })
    frontier.visit(1, { state: 'redirect', at: 100 })
    for (const url of [0, 1]) frontier.askAgain(url, 200)
    expect([...frontier.secondLooks(200)]).toEqual([0])
    frontier.visit(0, { state: 'denied', at: 200 })
    expect(frontier.retryAtOf(0)).toBe(200 + 30 * DAY)
  })

  test('that finds the page again finds all of it new', () => {
    const frontier = frontierOf(SEED)
    frontier.validators.set(0, { etag: '"1"' })
    frontier.visit(0, { state: 'page', at: 100, contentKey: 0xab12 })
    frontier.visit(0, { state: 'denied', at: 200 })
    expect(frontier.isNewContent(0, 'ab12')).toBe(true)
    expect(frontier.validators.of(0)).toBeUndefined()
  })
})

test('a copy that failed for a month is given up, and gets second looks', () => {
  const frontier = frontierOf(SEED)
  frontier.visit(0, { state: 'page', at: 100, contentKey: 0xab12 })
  const fail = () => frontier.visit(0, { state: 'failed', at: 200, retryAt: 500 })
  for (let failure = 1; failure <= 8; failure++) fail()
  expect([frontier.stateOf(0), frontier.isLost(0)]).toEqual(['page', false])
  fail()
  expect([frontier.stateOf(0), frontier.isLost(0)]).toEqual(['failed', true])
  expect([...frontier.secondLooks(500)]).toEqual([0])
  expect(frontier.isNewContent(0, 'ab12')).toBe(true)
})

test('what robots.txt forbids is lost only if there is no copy', () => {
  const frontier = frontierOf(SEED, OTHER)
  frontier.visit(0, { state: 'page', at: 100, contentKey: 0xab12 })
  for (const url of [0, 1]) frontier.visit(url, { state: 'disallowed', at: 200, retryAt: 500 })
  expect([0, 1].map((url) => frontier.isLost(url))).toEqual([false, true])
  for (let failure = 1; failure <= 3; failure++)
    frontier.visit(0, { state: 'failed', at: 600, retryAt: 700 })
  expect(frontier.isLost(0)).toBe(true)
  expect(frontier.isNewContent(0, 'ab12')).toBe(true)
})

test('the first duplicate of a lost page is fetched as if it had never been, for all of them', () => {
  const frontier = frontierOf(SEED, OTHER, 'https://c.example.org/')
  for (const url of [1, 2]) {
    frontier.visit(url, { state: 'page', at: 100, contentKey: 0xab12 })
    frontier.duplicates.note(url, 0)
  }
  expect(frontier.releaseDuplicatesOf(1)).toEqual([])
  expect(frontier.releaseDuplicatesOf(0)).toEqual([1])
  expect([...frontier.unfetched(200)]).toEqual([0, 1])
  expect(frontier.isNewContent(1, 'ab12')).toBe(true)
  expect(frontier.duplicates.notedOriginal(2)).toBe(1)
})
