import { scopeTest } from '#frontier/scope.ts'
import type { Query } from '#workload/workload.ts'
import type { EndEntry, Entry, RunEntry, TrackedProgress } from './entries/entry.ts'
import type { FetchEntry } from './entries/fetch-entry.ts'
import type { LoggedFetch } from './entries/learnt-fetch.ts'
import { costOf } from './entries/outcome.ts'
import { hear } from './hear.ts'
import { hearLinks, type LinkedEntry, type TakenLinks } from './hear-links.ts'
import { observedFetch } from './histories.ts'
import type { Knowledge } from './knowledge.ts'
import { obey } from './obey.ts'
import { releaseDuplicates } from './pages/enact.ts'
import { learnFrom } from './pages/learn-from.ts'
import { learnFound } from './pages/learn-links.ts'
import type { GainMeter } from './text-index/gain-meter.ts'
import type { IndexChanges } from './text-index/index-pages.ts'
import { QueryTracker } from './text-index/track-queries.ts'

/** What a cycle taught, for whoever keeps it. */
export interface EndedCycle {
  /** In the order in which they were learnt. */
  readonly fetches: readonly LoggedFetch[]
  /** What changed in the index. */
  readonly indexed?: IndexChanges
  /** What it did for the queries that are watched. */
  readonly progress?: readonly TrackedProgress[]
  /** Gains are those of another engine: they cannot be measured again. */
  readonly judged?: true
}

/**
 * Takes one entry of the log into what a crawl knows. The live crawl, recovery after a kill, taking a directory
 * up again, replays and the lab call it, and nothing else changes knowledge.
 */
export function apply(entry: EndEntry, known: Knowledge): EndedCycle
export function apply(entry: LinkedEntry, known: Knowledge): readonly TakenLinks[]
export function apply(entry: Entry, known: Knowledge): EndedCycle | undefined
export function apply(
  entry: Entry | LinkedEntry,
  known: Knowledge,
): EndedCycle | readonly TakenLinks[] | undefined {
  switch (entry.kind) {
    case 'rules':
      known.scope = scopeTest(entry.scope, entry.seeds, known.frontier.instructed)
      known.seeds = entry.seeds
      return undefined
    case 'instructions':
      obey(entry.all, known)
      return undefined
    case 'told':
      hear(entry, known)
      return undefined
    case 'linked':
      return hearLinks(entry, known)
    case 'run':
      beginRun(entry, known)
      return undefined
    case 'searches':
      track(entry.queries, known)
      return undefined
    case 'plan':
      return undefined // it says what will be sent; only what comes of that is learnt
    case 'fetch':
      pay(entry, known)
      learnFetch(entry, known)
      return undefined
    case 'end':
      return endCycle(entry, known)
  }
}

/** Rules that kept us from a seed, ours or those of its site, may be others in a new run. */
function beginRun({ at, queries }: RunEntry, known: Knowledge): void {
  const { frontier, seeds } = known
  frontier.robots.clear()
  const numbers = seeds.map((seed) => frontier.add(seed, 'seed', 0, at))
  for (const seed of numbers) frontier.askAgain(seed, at)
  known.resting.clear()
  track(queries, known)
}

function track(queries: readonly Query[], known: Knowledge): void {
  const { indexer } = known
  known.tracker =
    indexer && queries.length > 0 ? new QueryTracker(queries, indexer.index) : undefined
}

function pay({ outcome }: FetchEntry, known: Knowledge): void {
  known.spent += costOf(outcome)
  known.bytes += 'bytes' in outcome ? outcome.bytes : 0
}

function learnFetch(fetch: FetchEntry, known: Knowledge): void {
  const { frontier, scope, resting } = known
  const { outcome, purpose, predictedGain, bid, parts, prediction, probability, views } = fetch
  const { warc, realisedGain, anchorGain } = fetch
  known.learnt.push({
    ...{ purpose, predictedGain, bid, parts, prediction, probability, views },
    ...{ warc, realisedGain, anchorGain },
    ...learnFrom(outcome, frontier, scope),
  })
  resting.learn(outcome)
}

/** Once all fetches of a cycle are learnt: URLs that came beside pages, heirs of lost ones, index, and gains. */
function endCycle({ cycle, progress, gains }: EndEntry, known: Knowledge): EndedCycle {
  const { frontier, indexer, tracker, scope, lessons } = known
  const { learnt } = known
  known.learnt = []
  const outcomes = learnt.map(({ outcome }) => outcome)
  learnFound(outcomes, frontier, scope)
  releaseDuplicates(
    learnt.map(({ outcome, changed }) => ({ url: outcome.id, changed })),
    frontier,
  )
  const meter = gains ? undefined : indexer && tracker?.meter
  const indexed = indexer?.take(learnt, frontier, meter)
  const measured = indexer && tracker?.progress(indexer.index)
  const gainsOf = gains ? judgedBy(gains) : meter && measuredBy(meter)
  const fetches = gainsOf ? learnt.map((fetch) => ({ ...fetch, ...gainsOf(fetch) })) : learnt
  for (const fetch of fetches) lessons.learn(observedFetch(fetch))
  known.cycle = cycle
  return {
    fetches,
    indexed,
    progress: measured ?? progress,
    ...(gains && { judged: true as const }),
  }
}

type Gains = (fetch: LoggedFetch) => Pick<LoggedFetch, 'realisedGain' | 'anchorGain'>

function measuredBy(meter: GainMeter): Gains {
  return ({ outcome: { id } }) => ({
    ...{ realisedGain: meter.gainOf(id), anchorGain: meter.anchorGainOf(id) },
  })
}

/** An engine is told nothing of what links call a page. */
function judgedBy(gains: ReadonlyMap<number, number>): Gains {
  return ({ outcome: { id } }) => ({ realisedGain: gains.get(id) ?? 0, anchorGain: 0 })
}
