import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { HostManners, type Visit } from '../manners/host-manners.ts'
import { HostRow } from './host-row.ts'

const NOW = 1_000
const CONCURRENCY = 5

interface Site {
  readonly domain: number
  readonly address: number
  readonly requests: number
}

const addressOf = (number: number) => `192.0.2.${number}`

/** Hosts without rests, so that nothing but places and look-ups hold them back. */
function begin(
  sites: readonly Site[],
  places: { connectionsPerHost: number; perDomain: number; perAddress: number },
  lookUp: (name: string) => Promise<unknown> = async () => {},
  sendsLeft = Number.POSITIVE_INFINITY,
) {
  const manners = new HostManners({ delaySeconds: 0, responseFactor: 0, ...places })
  const flights: Visit[] = []
  const names = sites.map(({ domain }, site) => `h${site}.domain${domain}.com`)
  const waiting = new Map(names.map((name, site) => [name, sites[site].requests]))
  let lookUps = 0
  let mostLookUps = 0
  const row = new HostRow({
    manners,
    concurrency: () => CONCURRENCY,
    patienceSeconds: 60,
    now: () => NOW,
    locator: {
      isLocated: (name) => manners.isLocated(name),
      locate: async (name) => {
        mostLookUps = Math.max(mostLookUps, ++lookUps)
        await lookUp(name)
        lookUps--
        manners.locate(name, addressOf(sites[names.indexOf(name)].address))
      },
    },
    maySend: () => true,
    sendsLeft: () => sendsLeft,
    serve: (host) => {
      host.takeBest()
      sendsLeft--
      waiting.set(host.name, waiting.get(host.name)! - 1)
      flights.push(row.enter(host.name)!)
    },
    postpone: () => {},
  })
  const requests = sites.flatMap(({ requests }, site) =>
    Array.from({ length: requests }, (_, i) => ({
      id: 10 * site + i,
      url: `https://${names[site]}/${i}`,
      priority: i,
    })),
  )
  const answer = (lot: number) => {
    const [visit] = flights.splice(lot % flights.length, 1)
    row.leave(visit, { kind: 'fine', ms: 0 })
  }
  const isOpen = (name: string) => manners.gate(name, NOW).kind === 'open'
  /** Those that could send, and do not. */
  const idle = () =>
    flights.length < CONCURRENCY ? names.filter((n) => waiting.get(n)! > 0 && isOpen(n)) : []
  const start = () => row.replace(requests)
  return { start, answer, flights, waiting, idle, row, mostLookUps: () => mostLookUps }
}

test('no place stays free while somebody waits for it, whatever hosts share and wherever they move', async () => {
  const few = fc.integer({ min: 1, max: 3 })
  const site = fc.record({ domain: fc.nat(3), address: fc.nat(3), requests: few })
  const places = fc.record({ connectionsPerHost: few, perDomain: few, perAddress: few })
  const lot = fc.record({ lot: fc.nat(100), moves: fc.boolean(), to: fc.nat(3) })
  await fc.assert(
    fc.asyncProperty(
      fc.array(site, { minLength: 1, maxLength: 20 }),
      places,
      fc.array(lot, { minLength: 60, maxLength: 60 }),
      async (sites, limits, lots) => {
        const { start, answer, flights, waiting, idle, row } = begin(sites, limits)
        // A host that moves while more of its requests wait goes on when the old address has room.
        const mayMove = limits.connectionsPerHost === 1
        start()
        for (const { lot, moves, to } of lots) {
          await turn()
          expect(idle()).toEqual([])
          if (flights.length === 0) continue
          if (moves && mayMove) row.arrive(flights[lot % flights.length].host, addressOf(to))
          expect(idle()).toEqual([])
          answer(lot)
        }
        expect(flights).toEqual([])
        expect([...waiting.values()].every((left) => left === 0)).toBe(true)
      },
    ),
  )
})

test('hosts that wait for one domain are served in the order they came', async () => {
  const sites = Array.from({ length: 6 }, (_, site) => ({ domain: 0, address: site, requests: 1 }))
  const { start, answer, flights } = begin(sites, {
    connectionsPerHost: 1,
    perDomain: 1,
    perAddress: 1,
  })
  const served: string[] = []
  start()
  for (await turn(); flights.length > 0; answer(0)) served.push(flights[0].host)
  expect(served).toEqual(sites.map((_, site) => `h${site}.domain0.com`))
})

test('a host whose answer takes long to read waits for that, and keeps no others waiting', async () => {
  const sites = Array.from({ length: 7 }, (_, n) => ({ domain: n, address: n, requests: 2 }))
  const places = { connectionsPerHost: 1, perDomain: 1, perAddress: 1 }
  const { start, flights, row } = begin(sites, places)
  start()
  await turn()
  expect(flights).toHaveLength(CONCURRENCY)
  const [slow] = flights
  row.setAside(slow)
  expect(flights).toHaveLength(CONCURRENCY + 1)
  row.setAside(flights[1])
  expect(flights.filter(({ host }) => host === slow.host)).toHaveLength(1)
  row.leave(slow, { kind: 'fine', ms: 0 })
  row.leave(flights[2], { kind: 'fine', ms: 0 })
  expect(flights.filter(({ host }) => host === slow.host)).toHaveLength(2)
})

describe('look-ups', () => {
  const ONE_EACH = { connectionsPerHost: 1, perDomain: 1, perAddress: 1 }
  const sites = Array.from({ length: 9 }, (_, n) => ({ domain: n, address: 0, requests: 1 }))

  test('come before the first place is taken: nine hosts at one address are asked one by one', async () => {
    const { start, answer, flights } = begin(sites, ONE_EACH)
    start()
    for (let round = 0; round < sites.length; round++) {
      await turn()
      expect(flights).toHaveLength(1)
      answer(0)
    }
    expect(flights).toEqual([])
  })

  test('that never end hold up nobody who is known, and are as many as requests at most', async () => {
    const never = new Promise<unknown>(() => {})
    const slow = (name: string) => (name.startsWith('h8') ? Promise.resolve() : never)
    const { start, flights, mostLookUps, row } = begin(sites, ONE_EACH, slow)
    row.replace([{ id: 1_000, url: 'https://h8.domain8.com/', priority: 0 }])
    await turn()
    expect(flights.map(({ host }) => host)).toEqual(['h8.domain8.com'])
    start()
    await turn()
    expect(mostLookUps()).toBe(CONCURRENCY)
    row.leave(flights[0], { kind: 'fine', ms: 0 })
    expect(flights.map(({ host }) => host)).toEqual(['h8.domain8.com', 'h8.domain8.com'])
  })
})

describe('hosts that nothing is known of', () => {
  const FREE = { connectionsPerHost: 1, perDomain: 1, perAddress: 1 }
  const sites = Array.from({ length: 9 }, (_, n) => ({ domain: n, address: n, requests: 1 }))

  test('begin only as far as sends are left for them', async () => {
    const begun: string[] = []
    const lookUp = async (name: string) => void begun.push(name)
    const { start, flights } = begin(sites, FREE, lookUp, 3)
    start()
    for (let n = 0; n < 20; n++) await turn()
    expect(begun).toHaveLength(3)
    expect(flights).toHaveLength(3)
  })

  test('let others begin in their place when they have nothing to send, or wait for a place', async () => {
    const begun: string[] = []
    const lookUp = async (name: string) => void begun.push(name)
    const sharing = sites.map((site, n) => ({ ...site, address: Math.max(0, n - 4) }))
    const { start, flights } = begin(sharing, FREE, lookUp, 3)
    start()
    for (let n = 0; n < 20; n++) await turn()
    expect(flights.map(({ host }) => host)).toEqual(
      ['h0', 'h5', 'h6'].map((name) => `${name}.domain${name.slice(1)}.com`),
    )
    expect(begun).toHaveLength(7)
  })
})

test('an answer takes a place of its host until it is read, or for a moment', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const sites = [{ domain: 0, address: 0, requests: 3 }]
  const limits = { connectionsPerHost: 1, perDomain: 1, perAddress: 1 }
  const { start, answer, flights, row } = begin(sites, limits)
  start()
  await vi.advanceTimersByTimeAsync(0)
  for (const passes of ['read', 'a moment'] as const) {
    expect(flights).toHaveLength(1)
    const release = row.hold(flights[0].host)
    answer(0)
    expect(flights).toHaveLength(0)
    if (passes === 'a moment') vi.advanceTimersByTime(300)
    release()
    row.sendMore()
  }
  expect(flights).toHaveLength(1)
})
