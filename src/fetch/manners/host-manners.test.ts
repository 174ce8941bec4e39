import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { HostState } from '#crawl/ports.ts'
import type { Reaction } from './backoff.ts'
import { HostManners, type MannersOptions } from './host-manners.ts'

const FINE: Reaction = { kind: 'fine', ms: 0 }
const BUSY: Reaction = { kind: 'busy', ms: 0, reason: 'status 503' }
const FAILING: Reaction = { kind: 'failing', ms: 0, reason: 'status 500' }
const FLOODING: Reaction = { kind: 'flooding', ms: 0, reason: 'flood around the body' }
const UNREACHED: Reaction = { kind: 'unreached', ms: 0, reason: 'connection refused' }

function manners(options: Partial<MannersOptions> = {}, states: HostState[] = []) {
  return new HostManners(
    {
      delaySeconds: 1,
      responseFactor: 2,
      connectionsPerHost: 1,
      perDomain: 2,
      perAddress: 1,
      ...options,
    },
    states,
  )
}

/** Sends one request and gives when the next may follow. */
function ask(manners: HostManners, host: string, reaction: Reaction, now: number): number {
  manners.leave(manners.enter(host)!, reaction, now)
  return manners.readyAt(host)
}

describe('a host rests after an answer', () => {
  test.each<[string, crawlDelaySeconds: number, ms: number, seconds: number]>([
    ['for the configured delay', 0, 0, 1],
    ['for its Crawl-delay when that is longer', 7, 0, 7],
    ['not less than configured', 0.1, 0, 1],
    ['five minutes at most, though it asks for an hour', 3600, 0, 300],
    ['twice as long as its answer took', 0, 3_000, 6],
    ['not for ever because it was slow', 0, 60_000, 30],
    ['for the longest of them', 5, 3_000, 6],
  ])('%s', (_, crawlDelaySeconds, ms, seconds) => {
    const host = manners()
    host.notePace('a.example', crawlDelaySeconds)
    expect(host.restAfter('a.example', ms)).toBe(seconds)
    expect(ask(host, 'a.example', { ...FINE, ms }, 100)).toBe(100 + seconds)
    expect(host.gate('a.example', 100 + seconds - 0.01)).toMatchObject({ kind: 'rests' })
    expect(host.gate('a.example', 100 + seconds)).toEqual({ kind: 'open' })
  })

  test('but not when nothing was sent', () => {
    expect(ask(manners(), 'a.example', { kind: 'unasked', ms: 9_000 }, 100)).toBe(0)
  })

  test('from the end of its robots.txt on, at the pace it asks for there', () => {
    const host = manners()
    ask(host, 'a.example', FINE, 100)
    host.keepPace('a.example', 9, 100)
    expect(host.readyAt('a.example')).toBe(109)
  })
})

describe('the pace of a host', () => {
  test('is our delay, shared by its connections, as long as nothing is known', () => {
    expect(manners().paceOf('a.example')).toBe(1)
    expect(manners({ connectionsPerHost: 4 }).paceOf('a.example')).toBe(0.25)
  })

  test('follows its latest rest and how long its answers take lately', () => {
    const host = manners()
    ask(host, 'a.example', { ...FINE, ms: 200 }, 100)
    expect(host.paceOf('a.example')).toBeCloseTo(1.2)
    for (let n = 0; n < 50; n++) ask(host, 'a.example', { ...FINE, ms: 3_000 }, 200)
    expect(host.paceOf('a.example')).toBeCloseTo(9)
  })

  test('that asks for a Crawl-delay is kept by one connection', () => {
    const host = manners({ connectionsPerHost: 4 })
    host.keepPace('a.example', 7, 100)
    expect(host.paceOf('a.example')).toBe(7)
  })
})

describe('places', () => {
  test('a host has one, or as many as configured', () => {
    const one = manners()
    one.enter('a.example')!
    expect(one.gate('a.example', 0)).toEqual({ kind: 'busy' })
    const two = manners({ connectionsPerHost: 2 })
    two.enter('a.example')!
    expect(two.gate('a.example', 0)).toEqual({ kind: 'open' })
  })

  test('a host with a pace of its own has one, whatever is configured', () => {
    const two = manners({ connectionsPerHost: 2, delaySeconds: 0 })
    two.keepPace('a.example', 3, 0)
    two.enter('a.example')!
    expect(two.gate('a.example', 100)).toEqual({ kind: 'busy' })
  })

  test('hosts of one registrable domain share two', () => {
    const site = manners()
    site.enter('a.site.co.uk')!
    const second = site.enter('b.site.co.uk:8080')!
    expect(site.gate('c.site.co.uk', 0)).toEqual({ kind: 'full', group: 'site.co.uk' })
    expect(site.gate('other.co.uk', 0)).toEqual({ kind: 'open' })
    site.leave(second, FINE, 0)
    expect(site.gate('c.site.co.uk', 0)).toEqual({ kind: 'open' })
  })

  test('blogs at one provider are sites of their own', () => {
    const blogs = manners()
    for (const name of ['ann', 'bob', 'cy']) {
      expect(blogs.gate(`${name}.github.io`, 0)).toEqual({ kind: 'open' })
      blogs.enter(`${name}.github.io`)!
    }
  })

  test('hosts at one address share one, from the first request on', () => {
    const machine = manners()
    for (const host of ['a.example', 'b.example']) machine.locate(host, '192.0.2.1')
    const visit = machine.enter('a.example')!
    expect(machine.gate('b.example', 10)).toEqual({ kind: 'full', group: 'at 192.0.2.1' })
    expect(machine.gate('c.example', 10)).toEqual({ kind: 'open' })
    machine.leave(visit, FINE, 10)
    expect(machine.gate('b.example', 10)).toEqual({ kind: 'open' })
  })

  test('a request that goes to another address than expected takes its place there', () => {
    const machine = manners()
    for (const host of ['a.example', 'b.example']) machine.locate(host, '192.0.2.1')
    machine.locate('c.example', '192.0.2.2')
    const moved = machine.enter('a.example')!
    const there = machine.enter('c.example')!
    expect(machine.arrive('a.example', '192.0.2.1')).toEqual({ hasPlace: true })
    expect(machine.arrive('a.example', '192.0.2.2')).toEqual({
      hasPlace: false,
      left: 'at 192.0.2.1',
    })
    expect(machine.gate('b.example', 10)).toEqual({ kind: 'open' })
    machine.leave(there, FINE, 10)
    expect(machine.arrive('a.example', '192.0.2.2')).toEqual({ hasPlace: true })
    expect(machine.gate('c.example', 20)).toEqual({ kind: 'full', group: 'at 192.0.2.2' })
    machine.leave(moved, FINE, 20)
    expect(machine.gate('c.example', 20)).toEqual({ kind: 'open' })
    expect(machine.arrive('a.example', '192.0.2.2'), 'nobody asks').toEqual({ hasPlace: false })
  })

  test.each([
    [1, 1],
    [20, 1],
    [21, 2],
    [100, 5],
  ])('an address that serves %i domains has %i', (domains, places) => {
    const farm = manners()
    const hosts = Array.from({ length: domains }, (_, n) => `www.site${n}.example`)
    for (const host of hosts) farm.locate(host, '192.0.2.1')
    const taken = hosts.filter((host) => {
      const isOpen = farm.gate(host, 10).kind === 'open'
      if (isOpen) farm.enter(host)!
      return isOpen
    })
    expect(taken).toHaveLength(places)
  })

  test('are never more than allowed, and all come back, whatever happens', () => {
    const host = fc.constantFrom('a.x.com', 'b.x.com', 'c.x.com', 'y.com', 'z.org')
    const kind = fc.constantFrom<Reaction['kind']>(
      'fine',
      'busy',
      'failing',
      'unreached',
      'unasked',
    )
    const address = fc.constantFrom(undefined, '192.0.2.1', '192.0.2.2')
    fc.assert(
      fc.property(fc.array(fc.tuple(host, kind, address)), fc.nat(), (steps, seed) => {
        const all = manners({ delaySeconds: 0, responseFactor: 0 })
        const visits: NonNullable<ReturnType<HostManners['enter']>>[] = []
        let now = 0
        for (const [i, [name, kind, address]] of steps.entries()) {
          now += 1_000_000
          if (all.gate(name, now).kind === 'open') visits.push(all.enter(name)!)
          if (address !== undefined) all.arrive(name, address)
          const perHost = visits.filter(({ host }) => host === name).length
          const perDomain = visits.filter(({ host }) => host.endsWith('x.com')).length
          expect(perHost).toBeLessThanOrEqual(1)
          expect(perDomain).toBeLessThanOrEqual(2)
          if ((seed + i) % 3 > 0 && visits.length > 0)
            all.leave(visits.shift()!, { kind, ms: 0 }, now)
        }
        for (const visit of visits) all.leave(visit, FINE, now)
        for (const name of ['a.x.com', 'z.org'])
          expect(all.gate(name, now + 1e6)).toEqual({ kind: 'open' })
      }),
    )
  })
})

describe('a busy host', () => {
  const pauses = (reactions: Reaction[], options: Partial<MannersOptions> = {}) => {
    const host = manners({ delaySeconds: 0, responseFactor: 0, ...options })
    let now = 1_000
    return reactions.map((reaction) => {
      const until = ask(host, 'a.example', reaction, now)
      const pause = Math.max(0, until - now)
      now = Math.max(now, until)
      return pause
    })
  }

  test('is left alone for ever longer, up to an hour and a half', () => {
    const [first, second, third, ...rest] = pauses(Array(12).fill(BUSY))
    expect(first).toBeGreaterThanOrEqual(10)
    expect(first).toBeLessThan(15)
    expect(second).toBeGreaterThanOrEqual(20)
    expect(second).toBeLessThan(30)
    expect(third).toBeGreaterThanOrEqual(40)
    expect(rest.at(-1)).toBeGreaterThanOrEqual(3_600)
    expect(rest.at(-1)).toBeLessThan(5_400)
  })

  test('is forgiven by halves when it answers well', () => {
    const pauseAfter = (good: number) =>
      pauses([BUSY, BUSY, BUSY, ...Array(good).fill(FINE), BUSY]).at(-1)
    expect(pauseAfter(0)).toBeGreaterThanOrEqual(80)
    expect(pauseAfter(1)).toBeGreaterThanOrEqual(40)
    expect(pauseAfter(1)).toBeLessThan(60)
    expect(pauseAfter(9)).toBeLessThan(15)
  })

  test('is taken at its word when it says how long', () => {
    expect(pauses([{ ...BUSY, retryAfterSeconds: 120 }])).toEqual([120])
    expect(pauses([{ ...BUSY, retryAfterSeconds: 2 }])).toEqual([2])
    expect(pauses([{ ...BUSY, retryAfterSeconds: 1e9 }])).toEqual([86_400])
  })

  test('is left alone for longer than it says when that was not enough before', () => {
    const [, second] = pauses([BUSY, { ...BUSY, retryAfterSeconds: 2 }])
    expect(second).toBeGreaterThanOrEqual(20)
  })

  test('that says it twice at once has said it once', () => {
    const two = manners({ connectionsPerHost: 2 })
    const visits = [two.enter('a.example')!, two.enter('a.example')!]
    for (const visit of visits) two.leave(visit, BUSY, 100)
    expect(two.readyAt('a.example')).toBeLessThan(115)
  })

  test('comes back at another time than the next one', () => {
    const many = manners()
    const times = Array.from({ length: 100 }, (_, n) => ask(many, `h${n}.example`, BUSY, 0))
    expect(new Set(times).size).toBeGreaterThan(95)
    expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(4)
  })

  test('gets one request at a time until it is forgiven', () => {
    const two = manners({ connectionsPerHost: 2, delaySeconds: 0 })
    const later = ask(two, 'a.example', BUSY, 0)
    two.enter('a.example')!
    expect(two.gate('a.example', later)).toEqual({ kind: 'busy' })
  })
})

describe('a host that fails again and again', () => {
  /** Failures until it is left alone. */
  const endurance = (reaction: Reaction) => {
    const host = manners({ delaySeconds: 0 })
    for (let failures = 1; ; failures++)
      if (ask(host, 'a.example', reaction, 0) > 0) return failures
  }

  test('is left alone after six failures, three without a connection, or one flood', () => {
    expect(endurance(FAILING)).toBe(6)
    expect(endurance(UNREACHED)).toBe(3)
    expect(endurance(FLOODING)).toBe(1)
  })

  test('that answers in between is not', () => {
    const host = manners({ delaySeconds: 0 })
    for (let n = 0; n < 50; n++)
      expect(ask(host, 'a.example', n % 5 === 4 ? FINE : FAILING, 0)).toBe(0)
  })

  test('gets one probe after the pause, and a pause twice as long if that fails', () => {
    const host = manners({ delaySeconds: 0, connectionsPerHost: 3 })
    for (let n = 0; n < 3; n++) ask(host, 'a.example', UNREACHED, 0)
    const first = host.readyAt('a.example')
    expect(first).toBeGreaterThanOrEqual(60)
    expect(host.backoff('a.example', 1)).toEqual({ until: first, reason: 'connection refused' })
    const probe = host.enter('a.example')!
    expect(host.gate('a.example', first)).toEqual({ kind: 'busy' })
    host.leave(probe, FAILING, first)
    const second = host.readyAt('a.example') - first
    expect(second).toBeGreaterThanOrEqual(120)
    expect(second).toBeLessThan(180)
  })

  test('is as good as new once a probe works', () => {
    const host = manners({ delaySeconds: 0 })
    for (let n = 0; n < 3; n++) ask(host, 'a.example', UNREACHED, 0)
    ask(host, 'a.example', FINE, 100)
    expect(host.backoff('a.example', 100)).toBeUndefined()
    expect(ask(host, 'a.example', FAILING, 100)).toBeLessThanOrEqual(100)
  })
})

describe('what survives a restart', () => {
  test('is plain data, and all there is to know', () => {
    const before = manners()
    before.notePace('rests.example', 50)
    ask(before, 'rests.example', FINE, 1_000)
    ask(before, 'busy.example', BUSY, 1_000)
    for (let n = 0; n < 3; n++) ask(before, 'dead.example', UNREACHED, 1_000)
    ask(before, 'well.example', FINE, 900)
    const states = JSON.parse(JSON.stringify(before.states(1_001)))
    expect(states.map(({ host }: { host: string }) => host)).toEqual([
      'rests.example',
      'busy.example',
      'dead.example',
    ])
    const after = manners({}, states)
    for (const { host } of states) expect(after.readyAt(host)).toBe(before.readyAt(host))
    expect(after.backoff('dead.example', 1_001)).toEqual(before.backoff('dead.example', 1_001))
    const later = 1_100
    for (const each of [before, after]) ask(each, 'dead.example', UNREACHED, later)
    expect(after.states(later)).toEqual(before.states(later))
  })

  test('knows of requests that a restart may cut off: their hosts rest all the same', () => {
    const before = manners()
    before.notePace('slow.example', 30)
    for (const host of ['a.example', 'slow.example']) before.enter(host)!
    const after = manners({}, before.states(1_000))
    expect(after.readyAt('a.example')).toBe(1_001)
    expect(after.readyAt('slow.example')).toBe(1_030)
  })

  test('is little, however many hosts were seen', () => {
    const many = manners({ delaySeconds: 0, responseFactor: 0 })
    for (let n = 0; n < 12_000; n++) {
      many.locate(`h${n}.example`, `192.0.2.${n % 9}`)
      ask(many, `h${n}.example`, FINE, 0)
    }
    ask(many, 'busy.example', BUSY, 0)
    many.forgetClean(1)
    expect(many.states(1)).toHaveLength(1)
    expect(many.gate('h1.example', 1)).toEqual({ kind: 'open' })
  })
})
