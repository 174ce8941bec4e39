import { expect, test } from 'vitest'
import { Frontier, MAX_FAILURES } from './frontier.ts'

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
  expect(frontier.sourceOf(1)).toBe('link')
  expect(frontier.depthOf(1)).toBe(3)
  expect(frontier.firstSeenOf(1)).toBe(200)
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
  frontier.visit(0, { state: 'page', at: 150, contentHash: 'ab' })
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
  frontier.visit(0, { state: 'page', at: 100, contentHash: 'ab' })
  frontier.visit(1, { state: 'gone', at: 100 })
  for (const url of [0, 1]) frontier.askAgain(url, 200)
  expect([...frontier.unfetched(1000)]).toEqual([])
  expect(frontier.retryAtOf(0)).toBe(0)
})

test('a copy that could not be fetched again is held, and tried again when its time comes', () => {
  const frontier = frontierOf(SEED)
  frontier.visit(0, { state: 'page', at: 100, contentHash: 'ab' })
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
  frontier.visit(1, { state: 'page', at: 110, contentHash: 'ab' })
  frontier.visit(0, { state: 'page', at: 120, contentHash: 'cd' })
  frontier.visit(1, { state: 'page', at: 130, contentHash: 'ef' })
  expect([...frontier.graphFacts(0, 1).visits]).toEqual([1, 0])
})

test('content is new when its hash differs from the last', () => {
  const frontier = frontierOf(SEED)
  expect(frontier.isNewContent(0, 'ab12')).toBe(true)
  frontier.visit(0, { state: 'page', at: 100, contentHash: 'ab12' })
  expect(frontier.isNewContent(0, 'ab12')).toBe(false)
  expect(frontier.isNewContent(0, 'ab13')).toBe(true)
})
