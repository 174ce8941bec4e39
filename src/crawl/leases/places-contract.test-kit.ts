import { expect, it } from 'vitest'
import {
  ask,
  batchOf,
  contractTools,
  type LeasesToTry,
  report,
  SECONDS,
} from './leases-contract.test-kit.ts'

/** What holds for places at addresses in every implementation. */
export function placesContract(begin: () => Promise<LeasesToTry>): void {
  const { published } = contractTools(begin)

  it('leases a batch that comes back because of its address only to who has a place there', async () => {
    const { leases } = await published({ batches: [batchOf('a.test')] })
    await leases.arrive({ worker: 'b', seconds: SECONDS, addresses: ['192.0.2.1'], turn: 0 })
    const [lease] = await leases.lease({ ...ask, openSeconds: 4 })
    const back = { open: -2, end: 'handed back', restSeconds: 0, address: '192.0.2.1' } as const
    await leases.report(report(lease, back))
    expect(await leases.lease(ask)).toEqual([])
    expect(await leases.lease({ ...ask, worker: 'b' })).toMatchObject([
      { domain: 'a.test', opened: 0, address: '192.0.2.1' },
    ])
  })

  it('lets no more workers at an address than it has places, and each ask all domains there', async () => {
    const at = (domain: string) => batchOf(domain, 1, '192.0.2.1')
    const { leases } = await published({
      batches: [at('a.test'), at('b.test'), at('c.test'), at('d.test'), at('e.test')],
      places: new Map([['192.0.2.1', 2]]),
    })
    const domains = async (worker: string, most: number) =>
      (await leases.lease({ ...ask, worker, most })).map(({ domain }) => domain)
    expect(await domains('a', 2)).toEqual(['a.test', 'b.test'])
    expect(await domains('b', 1)).toEqual(['c.test'])
    expect(await domains('c', 1)).toEqual([])
    await leases.report({ worker: 'b', seconds: SECONDS, leases: [], turn: 1, at: [] })
    expect(await domains('c', 1)).toEqual(['d.test'])
    expect(await domains('b', 1)).toEqual([])
    expect(await domains('a', 1)).toEqual(['e.test'])
  })

  it('gives whoever wants nothing elsewhere only leases of addresses where it has a place', async () => {
    const batches = [
      batchOf('a.test', 1, '192.0.2.1'),
      batchOf('b.test', 1, '192.0.2.2'),
      batchOf('c.test', 1, '192.0.2.1'),
      batchOf('d.test', 1, ''),
    ]
    const { leases } = await published({ batches })
    const here = { ...ask, onlyHere: true }
    expect(await leases.lease(here)).toEqual([])
    await leases.lease({ ...ask, most: 1 })
    const wants = { most: 10, fromRank: 0, onlyHere: true, newerThan: -1 }
    const { leases: got } = await leases.report({
      ...{ worker: 'a', seconds: SECONDS, turn: 1, leases: [], wants },
    })
    expect(got.map(({ domain }) => domain)).toEqual(['c.test'])
    expect(await leases.lease(here)).toEqual([])
  })

  it('gives a place at an address to who arrives, until it leaves or is lost', async () => {
    const { leases, pass } = await published({ batches: [] })
    const [one, two] = ['192.0.2.1', '192.0.2.2']
    const arrive = (worker: string, addresses: readonly string[]) =>
      leases.arrive({ worker, seconds: SECONDS, addresses, turn: 0 })
    expect(await arrive('a', [one])).toEqual([one])
    expect(await arrive('b', [one, two])).toEqual([two])
    expect(await arrive('a', [two, one])).toEqual([one])
    await pass(SECONDS - 1)
    await leases.report({ worker: 'b', seconds: SECONDS, leases: [], turn: 1 })
    await pass(1)
    await leases.expire()
    expect(await arrive('c', [one, two])).toEqual([one])
    expect(await leases.workers()).toMatchObject([
      { name: 'c', isLost: false, silentSeconds: 0 },
      { name: 'a', isLost: true, ageSeconds: SECONDS },
      { name: 'b', isLost: false, silentSeconds: 1 },
    ])
  })

  it('gives back by a report that comes late only what the worker had when it sent it', async () => {
    const { leases } = await published({ batches: [batchOf('a.test', 1, '192.0.2.2')] })
    const [one, two] = ['192.0.2.1', '192.0.2.2']
    const arrive = (worker: string, turn: number) =>
      leases.arrive({ worker, seconds: SECONDS, addresses: [one, two], turn })
    const leave = (turn: number, at: readonly string[]) =>
      leases.report({ worker: 'a', seconds: SECONDS, leases: [], turn, at })
    expect(await arrive('a', 1)).toEqual([one, two])
    // Turn 2 gives both back, and is not heard of until 'a' has one again by leaving and one by a lease.
    await leases.arrive({ worker: 'a', seconds: SECONDS, addresses: [one], turn: 3 })
    expect(await leases.lease({ ...ask, turn: 4 })).toHaveLength(1)
    await leave(2, [])
    expect(await arrive('b', 1)).toEqual([])
    // What 'a' does not know that it has is not kept from others for good.
    await leave(5, [two])
    expect(await arrive('b', 2)).toEqual([one])
    await leave(6, [])
    expect(await arrive('b', 3)).toEqual([one, two])
  })
}
