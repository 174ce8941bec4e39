import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LEVELS } from '#crawl/buckets/draft.ts'
import { STOP_SECONDS } from '#crawl/crawl.ts'
import {
  EMPTY_BOARD,
  type Fetcher,
  type FetcherMemory,
  type FetchRequest,
  type JournalEntry,
} from '#crawl/ports.ts'
import type { FetchEntry, Forecast } from '#learn/entries/fetch-entry.ts'
import { costOf, type FetchOutcome } from '#learn/entries/outcome.ts'
import { HORIZON_DAYS } from '#policy/budget/one-currency.ts'
import { readJson } from '#repository/buckets/buckets-folder.ts'
import { writeOutcomes } from '#repository/buckets/outcome-files.ts'
import { type PlannedInBucket, readPlan } from '#repository/buckets/plan-files.ts'
import type { FetcherMemorySource } from '#repository/state/fetcher-memory.ts'
import { Journal } from '#repository/state/journal.ts'
import type { OpenWarcs } from '../open/warc-files.ts'
import type { Web } from '../open/web.ts'
import { CUT, type EpochCut, type OpenBuckets, OUTCOMES, SUMS } from './buckets-crawl.ts'

/** What fetching goes by. */
export interface FetchingPorts {
  readonly web: Web
  readonly signal?: AbortSignal
  readonly onOutcome?: (outcome: FetchOutcome) => void
  /** Where exchanges are kept, if they are: opened by the first fetches. */
  readonly warcs?: () => Promise<OpenWarcs>
}

/** What an epoch's fetches cost. */
export interface Fetched {
  readonly fetches: number
  readonly spent: number
  readonly bytes: number
  /** Those of whose URLs something was fetched. */
  readonly buckets: readonly number[]
}

/**
 * Fetches what an epoch has planned, and hands each bucket what came for it. Every answer is in a journal at once, so
 * that whoever begins again after a kill sends only what had no answer. Undefined if it was told to stop before the end.
 */
export async function fetchEpoch(
  { folder, crawl }: OpenBuckets,
  epoch: number,
  { web, signal, onOutcome, warcs: openWarcs }: FetchingPorts,
): Promise<Fetched | undefined> {
  const outcomes = folder.ofEpoch(epoch + 1, OUTCOMES)
  if (existsSync(outcomes)) return readJson(join(outcomes, SUMS))
  const plan = await readPlan(
    Array.from({ length: crawl.buckets }, (_, bucket) => folder.partOf(epoch, 'cut', bucket)),
  )
  const journalFolder = folder.ofEpoch(epoch, 'fetching')
  const journal = new Journal(journalFolder)
  const entries = new Map<number, JournalEntry>()
  // A recorded web answers at once, and the same from the beginning: nothing is saved by going on in the middle.
  if (web.kind === 'live')
    for (const entry of journal.pending(0).pending) entries.set(entry.outcome.id, entry)
  const memory = join(folder.ofEpoch(epoch, OUTCOMES), FETCHER)
  const warcs = await openWarcs?.()
  const fetcher = fetcherOf(web, existsSync(memory) ? readJson(memory) : NOTHING_KNOWN, warcs)
  const requests = plan
    .map((planned, place) => requestFor(planned, place, plan, warcs))
    .filter(({ id }) => !entries.has(id))
  fetcher.post({ requests, sends: requests.length })
  const stop = () => {
    fetcher.post(EMPTY_BOARD)
    fetcher.endWithin?.(STOP_SECONDS)
  }
  signal?.addEventListener('abort', stop, { once: true })
  if (signal?.aborted) stop()
  const startedAt = web.clock.now()
  for (;;) {
    const received = await fetcher.next()
    if (!received) break
    const { exchange, robots = [], kept, ...outcome } = received
    const planned = { cycle: epoch, ...forecastOf(plan[outcome.id]), outcome }
    for (const file of robots) warcs?.sink.appendRobots(file)
    const warc = exchange ? warcs?.sink.append(exchange, planned) : kept && warcs?.sink.note(kept)
    const entry = { ...planned, ...(warc && { warc }) }
    journal.append(entry)
    entries.set(outcome.id, entry)
    onOutcome?.(outcome)
  }
  signal?.removeEventListener('abort', stop)
  journal.close()
  warcs?.sink.sync()
  const knows = await memoryOf(fetcher)
  await fetcher.close()
  if (signal?.aborted) return undefined
  const all = [...entries.values()]
  const { last } = readJson<EpochCut>(folder.ofEpoch(epoch, CUT))
  const fetched: Fetched = {
    fetches: all.length,
    spent: all.reduce((sum, { outcome }) => sum + costOf(outcome), 0),
    bytes: all.reduce((sum, { outcome }) => sum + ('bytes' in outcome ? outcome.bytes : 0), 0),
    buckets: [...new Set(all.map(({ outcome }) => plan[outcome.id].bucket))].sort((a, b) => a - b),
  }
  await folder.make(outcomes, async (draft) => {
    for (let bucket = 0; bucket < crawl.buckets; bucket++) {
      const planned = plan.filter((one) => one.bucket === bucket).length
      const own = all.filter(({ outcome }) => plan[outcome.id].bucket === bucket)
      const head = { startedAt, planned, price: last?.value }
      await writeOutcomes(
        draft,
        bucket,
        head,
        own.map((entry) => inBucket(entry, plan)),
      )
    }
    if (knows) writeFileSync(join(draft, FETCHER), JSON.stringify(knows))
    writeFileSync(join(draft, SUMS), `${JSON.stringify(fetched)}\n`)
  })
  rmSync(journalFolder, { recursive: true, force: true })
  return fetched
}

/** What a fetcher of the live web must not forget from epoch to epoch. */
const FETCHER = 'fetcher.json'
const NOTHING_KNOWN: FetcherMemory = { hostStates: [], robotsRecords: [], hostTrusts: [] }

/** One for each epoch: what it knows beside its memory must not depend on who made the epochs before. */
function fetcherOf(web: Web, memory: FetcherMemory, warcs: OpenWarcs | undefined): Fetcher {
  if (web.kind === 'recorded') return web.fetcher()
  return web.fetcher({ ...memory, keepExchange: warcs !== undefined }, warcs?.forWorkers)
}

async function memoryOf(fetcher: Fetcher): Promise<FetcherMemory | undefined> {
  return 'memory' in fetcher ? (fetcher as Fetcher & FetcherMemorySource).memory() : undefined
}

/** Requests are numbered by their places in the plan of all buckets. */
function requestFor(
  planned: PlannedInBucket,
  place: number,
  plan: readonly unknown[],
  warcs: OpenWarcs | undefined,
): FetchRequest {
  const { url, etag, lastModified } = planned
  const validators = etag || lastModified ? { etag, lastModified } : undefined
  const { purpose, predictedGain: gain } = forecastOf(planned)
  const keptWith = warcs && { ...warcs.keptWith(url), purpose, gain }
  const priority = plan.length - place
  return { id: place, url, priority, ...(validators && { validators }), keptWith }
}

/** With the number that its bucket knows it by. */
function inBucket(
  { cycle: _, outcome, ...rest }: JournalEntry,
  plan: readonly PlannedInBucket[],
): FetchEntry {
  return { ...rest, outcome: { ...outcome, id: plan[outcome.id].id } }
}

/** What the plan said of a fetch. */
export function forecastOf(planned: PlannedInBucket): Forecast {
  const { level, gain, acquire, refresh, discover, expected, views } = planned
  const { thoughtAcquire, thoughtRefresh, thoughtLinks } = planned
  const isBid = level === LEVELS.bid
  const isKnown = (thought: number | undefined) => thought !== undefined && !Number.isNaN(thought)
  // What queries expect of a new page was not known yet when the draft was made.
  const ofNew = isKnown(thoughtAcquire) && isBid ? acquire / HORIZON_DAYS : thoughtAcquire
  const parts = isBid ? { acquire, refresh, discover } : { acquire: 0, refresh: 0, discover: 0 }
  const prediction = {
    ...(isKnown(thoughtAcquire) && { acquire: ofNew }),
    ...(isKnown(thoughtRefresh) && { refresh: thoughtRefresh }),
    ...(isKnown(thoughtLinks) && { links: thoughtLinks }),
  }
  const best =
    refresh > acquire && refresh >= discover
      ? 'refresh'
      : discover > acquire
        ? 'discover'
        : 'acquire'
  return {
    purpose: level === LEVELS.list ? 'discover' : best,
    predictedGain: isBid ? (isKnown(ofNew) ? ofNew! : expected) : 0,
    bid: isBid ? gain : 0,
    parts,
    ...(Object.keys(prediction).length > 0 && { prediction }),
    // Of a copy that nobody sees that is known too.
    ...((views > 0 || prediction.refresh !== undefined) && { views }),
  }
}
