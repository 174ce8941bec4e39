import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LiveFetcherOptions } from '#fetch/fetcher-options.ts'
import { usualPaceOf } from '#fetch/fetcher-options.ts'
import { FleetWorker } from '#fetch/fleet/worker/fleet-worker.ts'
import type { WorkerFetcher, WorkerNote } from '#fetch/fleet/worker/fleet-worker-options.ts'
import type { LeasedBounds } from '#fetch/fleet/worker/leased-bounds.ts'
import { SegmentWriter } from '#fetch/fleet/worker/segment-writer.ts'
import { OutcomeReader } from '#fetch/outcome-reader.ts'
import { PoliteSender } from '#fetch/polite-sender.ts'
import { steadyClock } from '#fetch/steady-clock.ts'
import { type FetchOutcome, textFactsOf } from '#learn/entries/outcome.ts'
import { hostOf } from '#parse/url/canonical-url.ts'
import { registrableDomain } from '#parse/url/registrable-domain.ts'
import { MemoryWarc } from '#repository/worker/memory-warc.ts'
import { warcInfoOf } from '../open/warc-files.ts'
import { liveFetcherOptions } from '../open/web.ts'
import type { Settings } from '../settings/settings.ts'
import { type Announcement, workerSettings } from './announcement.ts'
import { openFleetPlaces } from './open-leases.ts'

/** A worker waits so long for a planner to say how to fetch, before it asks again; and looks so often whether that has changed. */
const WAIT_SECONDS = 1
const LOOK_SECONDS = 15

export type WorkerRunNote =
  | WorkerNote
  | { readonly kind: 'waiting for planner' }
  | { readonly kind: 'began'; readonly name: string }

interface WorkerRun {
  /** What holds on this machine, whatever the planner says. */
  readonly own: Partial<Settings>
  readonly signal: AbortSignal
  readonly note: (note: WorkerRunNote) => void
  /** The worker that runs, for those who measure it. */
  readonly onWorker?: (worker: FleetWorker) => void
}

/** Fetches for a planner elsewhere until it is told to stop; gives how many requests it answered. */
export async function runWorker(
  settings: Pick<Settings, 'leases' | 'store'>,
  { own, signal, note, onWorker }: WorkerRun,
): Promise<number> {
  const { leases, store } = await openFleetPlaces(settings, {
    signal,
    onAway: (error) => note({ kind: 'trouble', with: 'database', error }),
  })
  const name = `${hostname().replace(/[^\w.-]/g, '')}-${process.pid}-${randomBytes(3).toString('hex')}`
  let done = 0
  try {
    note({ kind: 'began', name })
    // Only forwards, and on while the machine sleeps: leases end meanwhile.
    const now = steadyClock({ now: () => Date.now() / 1000 })
    for (let round = 0; !signal.aborted; round++) {
      const text = await announced()
      if (text === '') continue
      const announcement: Announcement = JSON.parse(text)
      const changed = new AbortController()
      const ends = AbortSignal.any([signal, changed.signal])
      const worker = makeWorker(workerSettings(announcement, own), `${name}-${round}`)
      onWorker?.(worker)
      const looking = look(text, changed, ends)
      await worker.run(ends)
      await looking
      done += worker.done
    }

    function makeWorker(all: Settings, called: string): FleetWorker {
      const options = liveFetcherOptions({ ...all, maxTime: undefined }, { now })
      const { fetch, writer } = workerParts(all, options, called)
      return new FleetWorker({
        ...{ name: called, leases, now, note },
        writer: new SegmentWriter({ worker: called, store, ...writer }),
        open: fetch,
        concurrency: all.concurrency,
        sleep: nap,
      })
    }
    return done
  } finally {
    await leases.close()
    await store.close()
  }

  async function announced(): Promise<string> {
    const text = await leases.announced().catch((error: Error) => {
      note({ kind: 'trouble', with: 'database', error })
      return ''
    })
    if (text === '') {
      note({ kind: 'waiting for planner' })
      await nap(WAIT_SECONDS, signal)
    }
    return text
  }

  /** A planner that starts again may fetch otherwise. */
  async function look(text: string, changed: AbortController, ends: AbortSignal): Promise<void> {
    while (!ends.aborted) {
      await nap(LOOK_SECONDS, ends)
      const now = await leases.announced().catch(() => text)
      if (now !== text) changed.abort()
    }
  }
}

async function nap(seconds: number, signal?: AbortSignal): Promise<void> {
  await sleep(1000 * seconds, undefined, { signal }).catch(() => {})
}

/** Today's fetcher on the bounds of leases, and where what it keeps goes. */
function workerParts(settings: Settings, options: LiveFetcherOptions, worker: string) {
  const info = warcInfoOf(settings)
  let addresses: Record<string, string> = {}
  let warc: MemoryWarc | undefined
  const keptIn = (now: () => number) => {
    warc ??= new MemoryWarc({ info, name: worker, now })
    return warc
  }
  const fetch = (bounds: LeasedBounds, clock: () => number): WorkerFetcher => {
    const keep = (outcome: FetchOutcome, keptWith?: Parameters<MemoryWarc['keep']>[1]) => {
      const ip = outcome.exchange?.ip
      if (ip !== undefined) addresses[registrableDomain(hostOf(outcome.url))] = ip
      const { exchange: _, robots: __, ...plain } = outcome
      const kept = settings.warc ? keptIn(clock).keep(outcome, keptWith) : plain
      return kept.kind === 'page' ? { ...kept, textFacts: textFactsOf(kept) } : kept
    }
    const all = { ...options, clock: { now: clock }, keepExchange: true, keep }
    let sender: PoliteSender
    const reader = new OutcomeReader(
      { clock: all.clock, bounds, usualPace: usualPaceOf(all), sites: all.sites },
      (tell) => {
        sender = new PoliteSender(all, tell, bounds)
        return sender
      },
    )
    return Object.assign(reader, {
      remember: (memory: Parameters<PoliteSender['remember']>[0]) => sender.remember(memory),
      addressOf: (host: string) => sender.addressOf(host),
    })
  }
  const writer = {
    warc: {
      spanOf: (kept: Parameters<MemoryWarc['spanOf']>[0]) => warc!.spanOf(kept),
      takeTo: (end: number) => warc?.takeTo(end) ?? new Uint8Array(),
    },
    takeAddresses: () => {
      const taken = addresses
      addresses = {}
      return taken
    },
  }
  return { fetch, writer }
}
