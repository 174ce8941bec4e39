import { expect, it } from 'vitest'
import type { Batch, Lease, LeaseReport, Leases, PublishedPlan } from './leases.ts'

/** Leases that begin with nothing, and a clock that they go by. */
export interface LeasesToTry {
  readonly leases: Leases
  /** Lets so many seconds go by. */
  pass(seconds: number): Promise<void>
}

export function batchOf(domain: string, size = 4, address = ''): Batch {
  return { domain, address, size, restSeconds: 2, payload: Buffer.from(`requests to ${domain}`) }
}

export const SECONDS = 10
export const ask = { worker: 'a', most: 10, seconds: SECONDS, fromRank: 0, turn: 0 }

/** What tests of leases begin with. */
export function contractTools(begin: () => Promise<LeasesToTry>) {
  async function published(
    plan: Partial<PublishedPlan> & Pick<PublishedPlan, 'batches'>,
    budget = 100,
  ): Promise<LeasesToTry> {
    const made = await begin()
    await made.leases.setBudget(budget)
    await made.leases.publish({ epoch: 0, ...plan })
    return made
  }
  return { published }
}

export const report = (
  lease: Lease,
  said: Partial<
    Pick<LeaseReport, 'done' | 'free' | 'open' | 'end' | 'restSeconds' | 'hosts' | 'address'>
  > = {},
  worker = 'a',
) => ({
  worker,
  seconds: SECONDS,
  turn: 1,
  leases: [
    { epoch: lease.epoch, rank: lease.rank, token: lease.token, done: [], open: 0, ...said },
  ],
})

/** What holds for every implementation. */
export function leasesContract(begin: () => Promise<LeasesToTry>): void {
  const { published } = contractTools(begin)

  it('leases the best batches first, with all that was published of them', async () => {
    const { leases } = await published({
      batches: [batchOf('a.test'), batchOf('b.test', 2), batchOf('c.test')],
    })
    const got = await leases.lease({ ...ask, most: 2 })
    expect(got.map(({ rank, domain }) => [rank, domain])).toEqual([
      [0, 'a.test'],
      [1, 'b.test'],
    ])
    expect(got[1]).toMatchObject({
      size: 2,
      restSeconds: 2,
      opened: 0,
      done: [false, false],
      epoch: 0,
    })
    expect(Buffer.from(got[1].payload).toString()).toBe('requests to b.test')
    expect((await leases.lease({ ...ask, worker: 'b' })).map(({ domain }) => domain)).toEqual([
      'c.test',
    ])
  })

  it('leases from a rank on, and those before it if that is not enough', async () => {
    const batches = ['a.test', 'b.test', 'c.test'].map((domain) => batchOf(domain))
    const { leases } = await published({ batches })
    const ranks = async (most: number) =>
      (await leases.lease({ ...ask, fromRank: 1, most })).map(({ rank }) => rank)
    expect(await ranks(1)).toEqual([1])
    expect(await ranks(10)).toEqual([0, 2])
  })

  it('never gives a domain to two, though a later plan has it again', async () => {
    const { leases } = await published({ batches: [batchOf('a.test')] })
    const [first] = await leases.lease(ask)
    await leases.publish({ epoch: 1, batches: [batchOf('a.test')] })
    expect(await leases.lease({ ...ask, worker: 'b' })).toEqual([])
    await leases.report(report(first, { end: 'ended' }))
    expect(await leases.lease({ ...ask, worker: 'b' })).toMatchObject([{ epoch: 1 }])
  })

  it('refuses a plan that the budget does not allow, and changes nothing', async () => {
    const { leases } = await published({ batches: [batchOf('a.test', 60)] })
    await expect(leases.publish({ epoch: 1, batches: [batchOf('b.test', 101)] })).rejects.toThrow(
      'budget',
    )
    expect(await leases.lease(ask)).toMatchObject([{ domain: 'a.test', epoch: 0 }])
    await expect(leases.publish({ epoch: 1, batches: [batchOf('b.test', 41)] })).rejects.toThrow(
      'budget',
    )
    await leases.publish({ epoch: 1, batches: [batchOf('b.test', 40)] })
    expect(await leases.ledger()).toEqual({ total: 100, spent: 0, lost: 0, escrow: 100 })
  })

  it('refuses a plan that is no newer', async () => {
    const { leases } = await published({ batches: [] })
    await expect(leases.publish({ epoch: 0, batches: [] })).rejects.toThrow('older')
  })

  it('takes the budget of a queued batch back when the next plan replaces it', async () => {
    const { leases } = await published({ batches: [batchOf('a.test', 70)] })
    await leases.publish({ epoch: 1, batches: [batchOf('b.test', 90)] })
    expect(await leases.ledger()).toEqual({ total: 100, spent: 0, lost: 0, escrow: 90 })
  })

  it('opens no more than a batch has', async () => {
    const { leases } = await published({ batches: [batchOf('a.test', 5)] })
    const [lease] = await leases.lease(ask)
    const granted = async (open: number) =>
      (await leases.report(report(lease, { open }))).answers[0].granted
    expect([await granted(3), await granted(3), await granted(3)]).toEqual([3, 2, 0])
  })

  it('takes back what was opened and never sent', async () => {
    const { leases } = await published({ batches: [batchOf('a.test', 5)] })
    const [lease] = await leases.lease(ask)
    await leases.report(report(lease, { open: 4 }))
    await leases.report(report(lease, { done: [0], open: -3, end: 'ended' }))
    expect(await leases.ledger()).toEqual({ total: 100, spent: 1, lost: 0, escrow: 0 })
  })

  it('counts what is done once, however often it is reported', async () => {
    const { leases } = await published({ batches: [batchOf('a.test', 5)] })
    const [lease] = await leases.lease(ask)
    await leases.report(report(lease, { open: 4 }))
    await leases.report(report(lease, { done: [0, 2] }))
    await leases.report(report(lease, { done: [2, 1] }))
    expect(await leases.ledger()).toEqual({ total: 100, spent: 3, lost: 0, escrow: 2 })
    await leases.report(report(lease, { end: 'ended' }))
    expect(await leases.ledger()).toEqual({ total: 100, spent: 3, lost: 1, escrow: 0 })
  })

  it('hands a batch on when its time is over, after the rest of its domain, and what was opened stays paid for', async () => {
    const { leases, pass } = await published({ batches: [batchOf('a.test', 4)] })
    const [first] = await leases.lease(ask)
    await leases.report(report(first, { open: 3, done: [] }))
    await leases.report(report(first, { done: [1] }))
    await pass(SECONDS - 1)
    expect(await leases.expire()).toBe(0)
    await pass(1)
    expect(await leases.expire()).toBe(1)
    expect(await leases.lease({ ...ask, worker: 'b' })).toEqual([])
    await pass(2)
    const [second] = await leases.lease({ ...ask, worker: 'b' })
    expect(second).toMatchObject({ opened: 3, done: [false, true, false, false] })
    expect((await leases.report(report(second, { open: 4 }, 'b'))).answers[0].granted).toBe(1)
    expect(await leases.ledger()).toEqual({ total: 100, spent: 1, lost: 0, escrow: 3 })
  })

  it('tells who comes late that the lease is lost, and takes none of its work: somebody else is at it', async () => {
    const { leases, pass } = await published({ batches: [batchOf('a.test', 4)] })
    const [first] = await leases.lease(ask)
    await leases.report(report(first, { open: 2 }))
    await pass(SECONDS + 2)
    const [second] = await leases.lease({ ...ask, worker: 'b' })
    await leases.report(report(second, { open: 2 }, 'b'))
    await leases.report(report(second, { done: [0] }, 'b'))
    expect(await leases.report(report(first, { done: [0, 1], open: 1 }))).toMatchObject({
      answers: [{ isLost: true, granted: 0 }],
    })
    expect(await leases.ledger()).toEqual({ total: 100, spent: 1, lost: 0, escrow: 3 })
    await leases.report(report(second, { end: 'ended' }, 'b'))
    expect(await leases.ledger()).toEqual({ total: 100, spent: 1, lost: 3, escrow: 0 })
    await leases.report({ ...report(first, { done: [3] }), segment: 'late' })
    expect(await leases.ledger()).toEqual({ total: 100, spent: 1, lost: 3, escrow: 0 })
    expect(await leases.segments(0)).toMatchObject([
      { name: 'late', repeated: [{ epoch: 0, rank: 0, positions: [3] }] },
    ])
  })

  it('renews a lease with every report', async () => {
    const { leases, pass } = await published({ batches: [batchOf('a.test')] })
    const [lease] = await leases.lease(ask)
    for (let i = 0; i < 3; i++) {
      await pass(SECONDS - 1)
      expect(await leases.report(report(lease))).toMatchObject({
        answers: [{ isLost: false }],
        epoch: 0,
      })
    }
    expect(await leases.open()).toMatchObject([{ domain: 'a.test', worker: 'a', opened: 0 }])
  })

  it('takes back leases that a worker never heard of, and none that it took since', async () => {
    const { leases, pass } = await published({
      batches: [batchOf('a.test'), batchOf('b.test'), batchOf('c.test')],
    })
    const [first] = await leases.lease({ ...ask, most: 1, turn: 1 })
    await leases.lease({ ...ask, most: 1, turn: 2 })
    const [third] = await leases.lease({ ...ask, most: 1, turn: 4 })
    await leases.report({ ...report(first), turn: 3, held: [first.token] })
    expect((await leases.open()).map(({ domain }) => domain).toSorted()).toEqual([
      'a.test',
      'c.test',
    ])
    await pass(2)
    expect(await leases.lease({ ...ask, worker: 'b' })).toMatchObject([{ domain: 'b.test' }])
    await leases.report({ ...report(first), turn: 5, held: [first.token, third.token] })
    expect(await leases.open()).toHaveLength(3)
  })

  it('lets a lease send at once what its domain takes in some seconds', async () => {
    const { leases } = await published({
      batches: [
        batchOf('a.test', 9),
        batchOf('b.test', 2),
        { ...batchOf('c.test'), restSeconds: 0 },
      ],
    })
    const got = await leases.lease({ ...ask, openSeconds: 7 })
    expect(got.map(({ granted, opened }) => [granted, opened])).toEqual([
      [4, 4],
      [2, 2],
      [4, 4],
    ])
    expect((await leases.report(report(got[0], { open: 9 }))).answers[0].granted).toBe(5)
  })

  it('ends a batch that is out of time when a newer plan is there', async () => {
    const { leases, pass } = await published({ batches: [batchOf('a.test', 4)] })
    const [lease] = await leases.lease(ask)
    await leases.report(report(lease, { open: 1 }))
    await leases.publish({ epoch: 1, batches: [] })
    await pass(SECONDS)
    await leases.expire()
    expect(await leases.ledger()).toEqual({ total: 100, spent: 0, lost: 1, escrow: 0 })
    expect(await leases.open()).toEqual([])
  })

  it('goes on elsewhere when a worker hands its lease back', async () => {
    const { leases, pass } = await published({ batches: [batchOf('a.test', 4)] })
    const [lease] = await leases.lease(ask)
    await leases.report(report(lease, { end: 'handed back', restSeconds: 5 }))
    await pass(4)
    expect(await leases.lease(ask)).toEqual([])
    await pass(1)
    expect(await leases.lease({ ...ask, worker: 'b' })).toHaveLength(1)
  })

  it('pays back what cost nothing', async () => {
    const { leases, pass } = await published({ batches: [batchOf('a.test', 5)] })
    const [lease] = await leases.lease(ask)
    await leases.report(report(lease, { open: 4 }))
    await leases.report(report(lease, { done: [0, 1], free: [1] }))
    expect(await leases.ledger()).toEqual({ total: 100, spent: 1, lost: 0, escrow: 3 })
    await leases.report(report(lease, { done: [1, 2], free: [1, 2] }))
    expect(await leases.ledger()).toEqual({ total: 100, spent: 1, lost: 0, escrow: 2 })
    await leases.publish({ epoch: 1, batches: [] })
    await pass(SECONDS)
    await leases.expire()
    expect(await leases.ledger()).toEqual({ total: 100, spent: 1, lost: 1, escrow: 0 })
  })

  it('ends what is queued when it is withdrawn, and opens nothing more if that is for good', async () => {
    const { leases, pass } = await published({
      batches: [batchOf('a.test', 4), batchOf('b.test', 4)],
    })
    const [lease] = await leases.lease({ ...ask, most: 1 })
    await leases.withdraw(false)
    expect(await leases.lease(ask)).toEqual([])
    expect(await leases.ledger()).toMatchObject({ escrow: 4 })
    expect((await leases.report(report(lease, { open: 2 }))).answers[0].granted).toBe(2)
    await leases.withdraw(true)
    expect((await leases.report(report(lease, { open: 2 }))).answers[0].granted).toBe(0)
    expect((await leases.look([0, 7])).batches).toEqual([
      { epoch: 0, rank: 0, state: 'leased', opened: 2, done: [false, false, false, false] },
    ])
    await pass(SECONDS)
    expect(await leases.look([0])).toMatchObject({
      ledger: { lost: 2, escrow: 0 },
      batches: [{ state: 'ended', opened: 2 }],
    })
    expect(await leases.look([])).toMatchObject({ ledger: { lost: 2 }, batches: [] })
    await leases.publish({ epoch: 1, batches: [batchOf('b.test', 4)] })
    expect(await leases.epoch()).toBe(1)
    expect(await leases.lease(ask)).toMatchObject([{ domain: 'b.test' }])
  })

  it('tells whoever is next what the last worker knew of the hosts', async () => {
    const { leases, pass } = await published({ batches: [batchOf('a.test', 4)] })
    const [first] = await leases.lease(ask)
    expect(first.hosts).toBe('')
    const hosts = { text: 'a.test rests', seconds: 60 }
    await leases.report(report(first, { end: 'handed back', restSeconds: 1, hosts }))
    await pass(1)
    const [second] = await leases.lease(ask)
    expect(second.hosts).toBe('a.test rests')
    await pass(SECONDS + 2)
    await leases.publish({ epoch: 1, batches: [batchOf('a.test')] })
    expect(await leases.lease({ ...ask, worker: 'b' })).toMatchObject([{ hosts: 'a.test rests' }])
  })

  it('remembers what it was told to announce', async () => {
    const { leases } = await published({ batches: [] })
    expect(await leases.announced()).toBe('')
    await leases.announce('delay 1')
    expect(await leases.announced()).toBe('delay 1')
    expect(await leases.now()).toBe(1000)
  })

  it('notes with a segment what was reported before, or too late', async () => {
    const { leases, pass } = await published({ batches: [batchOf('a.test', 4)] })
    const [first] = await leases.lease(ask)
    await leases.report(report(first, { open: 2 }))
    await pass(SECONDS + 2)
    const [second] = await leases.lease({ ...ask, worker: 'b' })
    await leases.report(report(second, { open: 2 }, 'b'))
    await leases.report({ ...report(second, { done: [0] }, 'b'), segment: 'b/1' })
    await leases.report({ ...report(first, { done: [0, 1] }), segment: 'a/1' })
    await leases.report({ ...report(second, { done: [1] }, 'b'), segment: 'b/2' })
    const gone = { epoch: 99, rank: 3, token: 1, done: [1], open: 0 }
    await leases.report({ worker: 'a', seconds: 1, segment: 'a/2', turn: 1, leases: [gone] })
    expect((await leases.segments(0)).map(({ name, repeated }) => [name, repeated])).toEqual([
      ['b/1', []],
      ['a/1', [{ epoch: 0, rank: 0, positions: [0, 1] }]],
      ['b/2', []],
      ['a/2', [{ epoch: 99, rank: 3, positions: [1] }]],
    ])
  })

  it('numbers segments in the order in which they came, each once', async () => {
    const { leases } = await published({ batches: [] })
    const tell = (worker: string, segment: string) =>
      leases.report({ worker, seconds: SECONDS, segment, turn: 1, leases: [] })
    await tell('a', 'a/1')
    await tell('b', 'b/1')
    await tell('a', 'a/1')
    await tell('a', 'a/2')
    expect((await leases.segments(0)).map(({ name }) => name)).toEqual(['a/1', 'b/1', 'a/2'])
    expect(await leases.segments(2)).toMatchObject([{ sequence: 3, name: 'a/2', worker: 'a' }])
    await leases.forgetSegments(9)
    await tell('b', 'b/2')
    expect((await leases.segments(0)).map(({ sequence }) => sequence)).toEqual([3, 4])
  })

  it('lowers the budget no further than what is promised', async () => {
    const { leases } = await published({ batches: [batchOf('a.test', 30)] })
    await leases.setBudget(10)
    expect((await leases.ledger()).total).toBe(30)
  })
}
