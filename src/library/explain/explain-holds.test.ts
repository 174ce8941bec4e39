import { describe, expect, test } from 'vitest'
import type { HostState, RobotsRecord } from '#crawl/ports.ts'
import { Frontier } from '#frontier/frontier.ts'
import { outerHolds, ownHolds, storedRobots } from './explain-holds.ts'

const NOW = 1_790_000_000
const URL_OF = 'https://a.example/x'
const anywhere = () => undefined

function known(url = URL_OF) {
  const frontier = new Frontier()
  return { frontier, url: frontier.add(url, 'link', 1, 1) }
}

describe('its own past', () => {
  test('a URL never tried has nothing against it', () => {
    const { frontier, url } = known()
    expect(ownHolds(frontier, url, NOW)).toEqual([])
  })

  test('after a failure it waits; when it failed too often it waits no more', () => {
    const { frontier, url } = known()
    const retryAt = NOW + 600
    frontier.visit(url, { state: 'failed', at: NOW, retryAt })
    expect(ownHolds(frontier, url, NOW)).toMatchObject([{ kind: 'retry', until: retryAt }])
    expect(ownHolds(frontier, url, retryAt)).toEqual([])
    frontier.visit(url, { state: 'failed', at: NOW, retryAt })
    frontier.visit(url, { state: 'failed', at: NOW, retryAt })
    expect(ownHolds(frontier, url, NOW)).toEqual([
      { kind: 'outcome', state: 'failed', failures: 3, secondLookAt: retryAt },
    ])
  })
})

describe('its host', () => {
  const resting: HostState = {
    host: 'a.example',
    readyAt: NOW + 4,
    backoffUntil: 0,
    backoffSeconds: 0,
    failures: 0,
  }
  const busy = { ...resting, backoffUntil: NOW + 3_600, reason: 'status 503' }
  const holdsOf = (state: HostState, url = URL_OF) =>
    outerHolds(url, 1, anywhere, undefined, [state], NOW)

  test('rests between two requests, and a busy one for longer', () => {
    expect(holdsOf(resting)).toEqual([
      { kind: 'host', isBackoff: false, seconds: 4, until: NOW + 4 },
    ])
    expect(holdsOf(busy)).toMatchObject([
      { until: NOW + 3_600, isBackoff: true, reason: 'status 503' },
    ])
  })

  test('is told from other hosts', () => {
    expect(holdsOf(busy, 'https://b.example/x')).toEqual([])
  })
})

describe('robots.txt', () => {
  const record: RobotsRecord = {
    origin: 'https://a.example',
    kind: 'file',
    fetchedAt: NOW - 10,
    validUntil: NOW + 10,
    text: 'User-agent: *\nDisallow: /\n\nUser-agent: mybot\nAllow: /\n',
    textAt: NOW - 10,
    failures: 0,
  }

  test('speaks to each by name', () => {
    const forUs = storedRobots([record], 'forager', URL_OF, NOW)
    const forOthers = storedRobots([record], 'mybot', URL_OF, NOW)
    expect([forUs?.allowed, forOthers?.allowed]).toEqual([false, true])
    expect(outerHolds(URL_OF, 1, anywhere, forUs, [], NOW)).toMatchObject([{ kind: 'robots' }])
    expect(outerHolds(URL_OF, 1, anywhere, forOthers, [], NOW)).toEqual([])
  })

  test('that cannot be had closes the host; one never asked for does not', () => {
    const { text: _, textAt: __, ...without } = record
    const unreachable = { ...without, kind: 'unreachable' as const, reason: 'status 500' }
    const robots = storedRobots([unreachable], 'forager', URL_OF, NOW)
    expect(outerHolds(URL_OF, 1, anywhere, robots, [], NOW)).toEqual([
      { kind: 'robots', why: 'unreachable: status 500' },
    ])
    expect(storedRobots([record], 'forager', 'http://a.example/x', NOW)).toBeUndefined()
  })
})
