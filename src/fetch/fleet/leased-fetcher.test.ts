import { expect, test } from 'vitest'
import type { Lease } from '#crawl/leases/leases.ts'
import { MemoryLeases } from '#crawl/leases/memory-leases.test-kit.ts'
import { MemorySegments } from '#crawl/segments/memory-segments.test-kit.ts'
import { unpackedBatch } from './batch-payload.ts'
import { LeasedFetcher } from './leased-fetcher.ts'
import { packedLines, segmentFiles } from './segment.ts'
import { FIRST_CURSOR, type FleetCursor } from './segment-reader.ts'

const LASTS_SECONDS = 60

/** Leases and a store, planners that come and go, and a worker that does as it is told. */
function fleet() {
  let seconds = 1_000
  let turn = 0
  const leases = new MemoryLeases(() => seconds)
  const store = new MemorySegments()
  const sleep = async (some: number) => {
    seconds += some
  }
  const plan = (cursor: FleetCursor) =>
    LeasedFetcher.open({
      ...{ leases, store, cursor, sleep, total: 20, memory: {}, usualPace: 0 },
      ...{ clock: { now: () => seconds }, perAddress: Number.POSITIVE_INFINITY },
    })
  const asking = () => ({ worker: 'w', seconds: LASTS_SECONDS, turn: ++turn })
  const lease = (most: number) => leases.lease({ ...asking(), most, fromRank: 0, openSeconds: 9 })
  /** Stores and reports what came of these requests. */
  const report = async (of: Lease, done: readonly number[], end?: 'ended') => {
    const { epoch, rank, token, payload } = of
    const { requests } = unpackedBatch(payload)
    const outcomes = done.map((position) => {
      const { id, url } = requests[position]
      const outcome = {
        kind: 'failed',
        id,
        url,
        at: seconds,
        ms: 1,
        sent: true,
        reason: 'timeout',
      } as const
      return { epoch, rank, position, outcome }
    })
    const memory = { hostStates: [], hostTrusts: [], robotsRecords: [] }
    const told = { worker: 'w', memory, forgotten: [], paces: {}, addresses: {} }
    const warc = new Uint8Array()
    const segment = `w-${++turn}`
    await store.put(segmentFiles(segment).lines, packedLines({ ...told, outcomes, warc }))
    await store.put(segmentFiles(segment).warc, warc)
    await leases.report({
      ...asking(),
      segment,
      leases: [{ epoch, rank, token, done, open: 0, end }],
    })
  }
  return { plan, lease, report, store }
}

function requestsTo(...domains: string[]) {
  return domains.flatMap((domain, nth) =>
    [1, 2].map((page) => {
      const id = 10 * (nth + 1) + page
      return { id, url: `https://${domain}/${page}`, priority: 100 - id }
    }),
  )
}

function idsOf(leases: readonly Lease[]): number[] {
  return leases.flatMap(({ payload }) => unpackedBatch(payload).requests.map(({ id }) => id))
}

test('a planner that starts again publishes nothing that came, or is leased, while it was away', async () => {
  const { plan, lease, report } = fleet()
  const board = { requests: requestsTo('a.example', 'b.example', 'c.example'), sends: 20 }
  const first = await plan(FIRST_CURSOR)
  first.post(board)
  await first.inForce()
  const [a, b] = await lease(2)
  await report(a, [0, 1], 'ended')
  await report(b, [0])

  const second = await plan(FIRST_CURSOR)
  expect(second.inFlight().toSorted()).toEqual([11, 12, 21, 22])
  // What was queued is the new planner's to publish.
  expect(await lease(9)).toEqual([])
  second.post(board)
  await second.inForce()
  expect(idsOf(await lease(9))).toEqual([31, 32])
  for (const id of [11, 12, 21]) expect(await second.next()).toMatchObject({ id })
  expect(second.inFlight()).toEqual([22])

  // What a planner before had read is not under way for good.
  const third = await plan(second.commitCursor())
  expect(third.inFlight().toSorted()).toEqual([22, 31, 32])
  await report(b, [1], 'ended')
  expect(await third.next()).toMatchObject({ id: 22 })
  expect(third.inFlight().toSorted()).toEqual([31, 32])
})

test('a planner that starts again within a segment waits for the rest of it', async () => {
  const { plan, lease, report } = fleet()
  const first = await plan(FIRST_CURSOR)
  first.post({ requests: requestsTo('a.example'), sends: 20 })
  await first.inForce()
  const [a] = await lease(1)
  await report(a, [0, 1], 'ended')
  expect(await first.next()).toMatchObject({ id: 11 })
  const second = await plan(first.commitCursor())
  expect(second.inFlight()).toEqual([12])
  expect(await second.next()).toMatchObject({ id: 12 })
  expect(await second.next()).toBeUndefined()
})

test('a planner that starts while the store lacks a segment waits for it, and fetches nothing twice', async () => {
  const { plan, lease, report, store } = fleet()
  const board = { requests: requestsTo('a.example', 'b.example'), sends: 20 }
  const first = await plan(FIRST_CURSOR)
  first.post(board)
  await first.inForce()
  const [a, b] = await lease(2)
  await report(a, [0, 1], 'ended')
  await report(b, [0, 1], 'ended')
  const [name] = await store.list()
  const { get } = store
  let reads = 0
  store.get = async (file) => (file === name && ++reads < 5 ? undefined : get.call(store, file))
  const second = await plan(FIRST_CURSOR)
  expect(second.inFlight().toSorted()).toEqual([11, 12, 21, 22])
  second.post(board)
  await second.inForce()
  expect(await lease(9)).toEqual([])

  // For good: it is skipped, also if it comes back, since its pages are the planner's to publish.
  store.get = async (file) => (file === name ? undefined : get.call(store, file))
  const third = await plan(FIRST_CURSOR)
  store.get = get
  expect(third.inFlight().toSorted()).toEqual([21, 22])
  third.post(board)
  await third.inForce()
  expect(idsOf(await lease(9))).toEqual([11, 12])
  expect(await third.next()).toMatchObject({ id: 21 })
})

test('a planner whose store has nothing of what workers reported says so, and plans nothing', async () => {
  const { plan, lease, report, store } = fleet()
  const first = await plan(FIRST_CURSOR)
  first.post({ requests: requestsTo('a.example'), sends: 20 })
  await first.inForce()
  const [a] = await lease(1)
  await report(a, [0, 1], 'ended')
  const files = await store.list()
  for (const file of files) await store.remove(file)
  await expect(plan(FIRST_CURSOR)).rejects.toThrow(/has nothing of what workers put there/)
  // As the message says: an empty file tells that it is lost.
  await store.put(files[0], new Uint8Array())
  const second = await plan(FIRST_CURSOR)
  expect(second.inFlight()).toEqual([])
})
