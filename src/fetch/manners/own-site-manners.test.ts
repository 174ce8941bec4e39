import { expect, test } from 'vitest'
import type { Reaction } from './backoff.ts'
import { HostManners, type MannersOptions } from './host-manners.ts'

const FINE: Reaction = { kind: 'fine', ms: 0 }
const BUSY: Reaction = { kind: 'busy', ms: 0, reason: 'status 503', retryAfterSeconds: 60 }

function manners(options: Partial<MannersOptions>) {
  const usual = { delaySeconds: 1, responseFactor: 2, connectionsPerHost: 1 }
  return new HostManners({ ...usual, perDomain: 1, perAddress: 1, ...options })
}

test.each<[string, delay: number | undefined, crawlDelay: number, ms: number, seconds: number]>([
  ['for the delay of its own', 0.2, 0, 0, 0.2],
  ['for a longer one of its own', 9, 0, 0, 9],
  ['as others do if it has none', undefined, 0, 0, 1],
  ['for its Crawl-delay all the same', 0.2, 7, 0, 7],
  ['twice as long as its answer took all the same', 0.2, 0, 3_000, 6],
  ['not at all with a delay of 0', 0, 0, 3_000, 0],
  ['for its Crawl-delay with a delay of 0', 0, 7, 3_000, 7],
])('an own site rests %s', (_, delaySeconds, crawlDelaySeconds, ms, seconds) => {
  const host = manners({
    siteOf: (name) => (name === 'a.example' ? { delaySeconds } : undefined),
  })
  for (const name of ['a.example', 'b.example']) host.notePace(name, crawlDelaySeconds)
  expect(host.restAfter('a.example', ms)).toBe(seconds)
  expect(host.restAfter('b.example', ms)).toBe(Math.max(1, crawlDelaySeconds, ms / 500))
  host.leave(host.enter('a.example')!, BUSY, 100)
  expect(host.readyAt('a.example'), 'Retry-After holds too').toBe(160)
})

test('requests of an own site with a limit of its own take no places that others share', () => {
  const OWN: Record<string, { connections: number }> = { 'own.a.example': { connections: 2 } }
  const host = manners({ siteOf: (name) => OWN[name] })
  for (const name of ['own.a.example', 'x.a.example', 'y.example']) host.locate(name, '192.0.2.1')
  const first = host.enter('own.a.example')!
  expect(host.gate('own.a.example', 0)).toEqual({ kind: 'open' })
  expect(host.arrive('own.a.example', '192.0.2.1')).toEqual({ hasPlace: true })
  host.enter('own.a.example')!
  expect(host.gate('own.a.example', 0)).toEqual({ kind: 'busy' })
  expect(host.gate('x.a.example', 0)).toEqual({ kind: 'open' })
  host.enter('x.a.example')!
  expect(host.gate('y.example', 0)).toMatchObject({ kind: 'full' })
  // Settings may be read again at any time.
  delete OWN['own.a.example']
  expect(host.arrive('own.a.example', '192.0.2.2')).toEqual({ hasPlace: true })
  host.leave(first, FINE, 0)
  expect(host.gate('own.a.example', 9)).toEqual({ kind: 'busy' })
  OWN['own.a.example'] = { connections: 4 }
  host.notePace('own.a.example', 3)
  expect(host.gate('own.a.example', 9), 'a Crawl-delay means one at a time').toEqual({
    kind: 'busy',
  })
})
