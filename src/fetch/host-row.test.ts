import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HostManners, type Visit } from './host-manners.ts'
import { HostRow } from './host-row.ts'

const NOW = 1_000

interface Site {
  readonly domain: number
  readonly address: number
  readonly requests: number
}

/** Hosts without rests, so that nothing but places holds them back. */
function begin(
  sites: readonly Site[],
  places: { connectionsPerHost: number; perDomain: number; perAddress: number },
) {
  const manners = new HostManners({ delaySeconds: 0, responseFactor: 0, ...places })
  const flights: Visit[] = []
  const names = sites.map(({ domain }, site) => `h${site}.domain${domain}.com`)
  const waiting = new Map(names.map((name, site) => [name, sites[site].requests]))
  const row = new HostRow<string>({
    manners,
    concurrency: 5,
    patienceSeconds: 60,
    now: () => NOW,
    maySend: () => true,
    serve: (host) => {
      host.takeBest()
      waiting.set(host.name, waiting.get(host.name)! - 1)
      flights.push(row.enter(host.name))
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
    const address = `192.0.2.${sites[names.indexOf(visit.host)].address}`
    row.leave(visit, { kind: 'fine', ms: 0, address })
  }
  const isOpen = (name: string) => manners.gate(name, NOW).kind === 'open'
  /** Those that could send, and do not. */
  const idle = () =>
    flights.length < 5 ? names.filter((n) => waiting.get(n)! > 0 && isOpen(n)) : []
  const start = () => row.add(requests, 'owner')
  return { start, answer, flights, waiting, idle }
}

test('no place stays free while somebody waits for it, whatever domains and addresses hosts share', () => {
  const few = fc.integer({ min: 1, max: 3 })
  const site = fc.record({ domain: fc.nat(3), address: fc.nat(3), requests: few })
  const places = fc.record({ connectionsPerHost: few, perDomain: few, perAddress: few })
  fc.assert(
    fc.property(
      fc.array(site, { minLength: 1, maxLength: 20 }),
      places,
      fc.array(fc.nat(100), { minLength: 60, maxLength: 60 }),
      (sites, limits, lots) => {
        const { start, answer, flights, waiting, idle } = begin(sites, limits)
        start()
        for (const lot of lots) {
          expect(idle()).toEqual([])
          if (flights.length > 0) answer(lot)
        }
        expect(flights).toEqual([])
        expect([...waiting.values()].every((left) => left === 0)).toBe(true)
      },
    ),
  )
})

test('hosts that wait for one domain are served in the order they came', () => {
  const sites = Array.from({ length: 6 }, (_, site) => ({ domain: 0, address: site, requests: 1 }))
  const { start, answer, flights } = begin(sites, {
    connectionsPerHost: 1,
    perDomain: 1,
    perAddress: 1,
  })
  const served: string[] = []
  for (start(); flights.length > 0; answer(0)) served.push(flights[0].host)
  expect(served).toEqual(sites.map((_, site) => `h${site}.domain0.com`))
})
