import { expect, it } from 'vitest'
import {
  ask,
  batchOf,
  contractTools,
  type LeasesToTry,
  report,
} from './leases-contract.test-kit.ts'

/** What holds of the next batch of a domain, which whoever has it may have before the first is done. */
export function aheadContract(begin: () => Promise<LeasesToTry>): void {
  const { published } = contractTools(begin)

  it('lets who has a domain have the next batch of it ahead, and nobody else until both are done', async () => {
    const { leases, pass } = await published({ batches: [batchOf('a.test')] })
    const [first] = await leases.lease(ask)
    await leases.publish({ epoch: 1, batches: [batchOf('a.test', 2)] })
    const ahead = new Map([['a.test', 0]])
    expect(await leases.lease({ ...ask, worker: 'b', ahead })).toEqual([])
    expect(await leases.lease(ask)).toEqual([])
    const [next] = await leases.lease({ ...ask, ahead, openSeconds: 60 })
    expect(next).toMatchObject({ epoch: 1, rank: 0, domain: 'a.test' })
    expect(next.token).not.toBe(first.token)
    expect((await leases.open()).map(({ epoch }) => epoch).toSorted()).toEqual([0, 1])
    await leases.report(report(first, { end: 'ended' }))
    await leases.publish({ epoch: 2, batches: [batchOf('a.test', 2)] })
    expect(await leases.lease({ ...ask, worker: 'b' })).toEqual([])
    const { answers } = await leases.report(report(next, { done: [0, 1], end: 'ended' }))
    expect(answers[0].isLost).toBe(false)
    await pass(0.1)
    expect(await leases.lease({ ...ask, worker: 'b' })).toHaveLength(1)
  })

  it('takes back a batch ahead that a worker never heard of, and leaves it the one before', async () => {
    const { leases } = await published({ batches: [batchOf('a.test')] })
    const [first] = await leases.lease(ask)
    await leases.publish({ epoch: 1, batches: [batchOf('a.test', 2)] })
    await leases.lease({ ...ask, turn: 1, ahead: new Map([['a.test', 0]]) })
    const said = { ...report(first, { open: 1 }), turn: 2, held: [first.token] }
    expect((await leases.report(said)).answers[0]).toMatchObject({ isLost: false, granted: 1 })
    expect((await leases.open()).map(({ epoch }) => epoch)).toEqual([0])
  })

  it('lets a batch ahead send only what the one before leaves time for', async () => {
    const { leases } = await published({ batches: [batchOf('a.test')] })
    await leases.lease(ask)
    await leases.publish({ epoch: 1, batches: [batchOf('a.test', 9)] })
    const [next] = await leases.lease({ ...ask, ahead: new Map([['a.test', 6]]), openSeconds: 10 })
    expect(next.granted).toBe(2)
  })
}
