import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { archiveOf } from '#archive/format/assemble-archive.ts'
import { MemoryLeases } from '#crawl/leases/memory-leases.test-kit.ts'
import type { Board, Fetcher } from '#crawl/ports.ts'
import { MemorySegments } from '#crawl/segments/memory-segments.test-kit.ts'
import { LeasedFetcher } from '#fetch/fleet/leased-fetcher.ts'
import { FIRST_CURSOR } from '#fetch/fleet/segment-reader.ts'
import { FleetWorker } from '#fetch/fleet/worker/fleet-worker.ts'
import { SegmentWriter } from '#fetch/fleet/worker/segment-writer.ts'
import { generateModelWeb } from '#lab/model-web/generate.ts'
import { WorldCrawl } from '#lab/worlds/world-crawl.ts'
import type { FetchOutcome } from '#learn/entries/outcome.ts'

/** Time that passes only while everybody sleeps. */
class VirtualTime {
  seconds = 1_000
  readonly #sleepers: { readonly at: number; readonly wake: () => void }[] = []
  #isOver = false

  readonly now = (): number => this.seconds
  readonly sleep = (seconds: number): Promise<void> =>
    new Promise((wake) => this.#sleepers.push({ at: this.seconds + seconds, wake }))

  async run(): Promise<void> {
    while (!this.#isOver) {
      for (let turns = 0; turns < 3; turns++) await turn()
      this.#sleepers.sort((a, b) => a.at - b.at)
      const next = this.#sleepers.shift()
      if (!next) continue
      this.seconds = Math.max(this.seconds, next.at)
      next.wake()
    }
    for (const { wake } of this.#sleepers) wake()
  }

  end(): void {
    this.#isOver = true
  }
}

/** Gives what came of a board in its order, once all of it has come: who fetched what, and when, does not matter then. */
function inBoardOrder(ready: Promise<Fetcher>): Fetcher {
  let fetcher: Fetcher | undefined
  let places = new Map<number, number>()
  let isDrained = true
  let outcomes: FetchOutcome[] = []
  let posted: Promise<void> = Promise.resolve()
  return {
    post(board: Board) {
      places = new Map(board.requests.map(({ id }, place) => [id, place]))
      isDrained = false
      posted = posted.then(async () => {
        fetcher ??= await ready
        fetcher.post(board)
        await fetcher.inForce?.()
      })
    },
    async next() {
      await posted
      if (!isDrained) {
        const came: FetchOutcome[] = []
        for (let each = await fetcher!.next(); each; each = await fetcher!.next()) came.push(each)
        outcomes.push(...came.sort((a, b) => places.get(a.id)! - places.get(b.id)!))
        isDrained = true
      }
      return outcomes.shift()
    },
    inFlight: () => outcomes.map(({ id }) => id),
    lost: () => fetcher?.lost?.() ?? 0,
    async close() {
      outcomes = []
    },
  }
}

const archive = archiveOf(generateModelWeb({ seed: 11, pages: 500, weeks: 1 }))

/** What a crawl of the model web fetches, in order, with so many workers. */
async function fetchedBy(workers: number, policy: string, budget: number) {
  const time = new VirtualTime()
  const leases = new MemoryLeases(time.now)
  const store = new MemorySegments()
  const stop = new AbortController()
  const running: Promise<void>[] = []
  const team: FleetWorker[] = []
  const crawl = new WorldCrawl({
    ...{ archive, week: 0, log: [], seed: 1 },
    fetchedBy: (open) => {
      for (let number = 0; number < workers; number++) {
        const warc = { spanOf: () => [0, 0] as const, takeTo: () => new Uint8Array() }
        const name = `w${number}`
        const fetcher = { ...open(), memory: async () => NOTHING, remember: () => {} }
        const writer = new SegmentWriter({ worker: name, store, warc, takeAddresses: () => ({}) })
        const worker = new FleetWorker({
          ...{ name, leases, writer, now: time.now, sleep: time.sleep, concurrency: 2 },
          open: () => fetcher,
        })
        team.push(worker)
        running.push(worker.run(stop.signal))
      }
      return inBoardOrder(
        LeasedFetcher.open({
          ...{ leases, store, cursor: FIRST_CURSOR, total: budget, memory: {} },
          ...{ clock: { now: time.now }, usualPace: 0, perAddress: Number.POSITIVE_INFINITY },
          sleep: time.sleep,
        }),
      )
    },
  })
  const passing = time.run()
  const fetches = await crawl.spend(policy, budget, { batch: 40 })
  stop.abort()
  await Promise.all(running)
  time.end()
  await passing
  const ledger = await leases.ledger()
  const share = team.map(({ done }) => done)
  return { urls: fetches.map(({ outcome }) => outcome.url), ledger, share }
}

const NOTHING = { hostStates: [], hostTrusts: [], robotsRecords: [] }

test.each(['bfs', 'unified'])(
  '%s fetches the same URLs with one, two and eight workers',
  async (policy) => {
    const one = await fetchedBy(1, policy, 200)
    expect(one.urls.length).toBeGreaterThanOrEqual(200)
    expect(one.ledger).toMatchObject({ spent: 200, lost: 0, escrow: 0 })
    for (const workers of [2, 8]) {
      const several = await fetchedBy(workers, policy, 200)
      expect(several.urls).toEqual(one.urls)
      expect(several.share.filter((done) => done > 0).length).toBeGreaterThan(1)
    }
  },
  60_000,
)
