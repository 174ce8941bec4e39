import type { CycleRecord } from '#crawl/ports.ts'
import type { Told } from '#frontier/told.ts'
import type { Entry, PlanEntry } from '#learn/entries/entry.ts'
import type { FetchEntry } from '#learn/entries/fetch-entry.ts'
import type { LoggedFetch } from '#learn/entries/learnt-fetch.ts'
import type { FetchOutcome } from '#learn/entries/outcome.ts'
import { keptGains } from '#learn/text-index/engine-gains.ts'
import type { Query } from '#workload/workload.ts'
import type { LogHead } from './kept-log.ts'
import { fetchFromStored, type StoredFetch, storedFetch } from './stored-fetch.ts'
import {
  ANYWHERE,
  type StoredSettings,
  storedInstructions,
  storedRules,
  storedSeeds,
} from './stored-rules.ts'

/** A plan as a cycle's entry has it; number, time and price are the cycle's own. */
type StoredPlan = Omit<PlanEntry, 'kind' | 'cycle' | 'at' | 'price'>

/** One cycle as the kept log has it: with its fetches, all that is needed to learn it again. */
export interface CycleEntry
  extends Omit<CycleRecord, 'fetches' | 'indexed' | 'left' | 'enough' | 'plan' | 'progress'> {
  readonly progress?: CycleRecord['progress']
  /** The journal of a run of the first edition does not tell what its plan depended on. */
  readonly plan?: StoredPlan
}

export function cycleEntryOf(record: CycleRecord): CycleEntry {
  const { cycle, startedAt, endedAt, planned, price, progress, plan, cutOff, judged } = record
  const stored = { cycle, startedAt, endedAt, planned, price, progress, cutOff, judged }
  return plan ? { ...stored, plan: storedPlan(plan) } : stored
}

function storedPlan({ kind: _, cycle: __, at: ___, price: ____, ...plan }: PlanEntry): StoredPlan {
  return plan
}

/** Its fetches, one after the other: all at once would need much memory. */
export function* storedFetchesOf({ fetches }: CycleRecord): Generator<StoredFetch> {
  for (const fetch of fetches) yield storedFetch(fetchEntryOf(fetch))
}

function fetchEntryOf(fetch: LoggedFetch): FetchEntry {
  const { purpose, predictedGain, bid, parts, prediction, probability, views } = fetch
  const { warc, realisedGain, anchorGain } = fetch
  return {
    ...{ purpose, predictedGain, bid, parts, prediction, probability, views },
    ...{ warc, realisedGain, anchorGain },
    outcome: withoutText(fetch),
  }
}

/** Text and links are most of a page. Of content that is not new, nobody learns links. */
function withoutText({ outcome, marks, softError = false, changed }: LoggedFetch): FetchOutcome {
  if (outcome.kind !== 'page') return outcome
  const { page } = outcome
  const textFacts = { length: page.text.length, softError, marks }
  // What is aside is told by lines of the whole text; the index keeps the text without it.
  const { asides: _, ...rest } = page
  return { ...outcome, page: { ...rest, text: '', links: changed ? page.links : [] }, textFacts }
}

/** What the log leaves out of its entries, since it is kept elsewhere. */
export interface LeftOut {
  /** What searchers asked, by the entries so far, weighed at that time. */
  queries(at: number): Promise<readonly Query[]>
  /** The text of a page that was fetched then, if it came into the index. */
  textOf?(url: number, fetchedAt: number): string | undefined
}

/** The entries of a change, as they were applied first; rules hold from the settings of the entries before. */
export async function* entriesOf(
  head: LogHead,
  items: readonly unknown[],
  settings: StoredSettings,
  leftOut: LeftOut,
): AsyncGenerator<Entry> {
  if (head.kind === 'queries' || head.kind === 'settings' || head.kind === 'clock') return
  yield { kind: 'rules', scope: storedRules(settings) ?? ANYWHERE, seeds: storedSeeds(settings) }
  const all = storedInstructions(settings)
  if (all.length > 0) yield { kind: 'instructions', all }
  if (head.kind === 'cycle') yield* entriesOfCycle(head, items as StoredFetch[], leftOut)
  else if (head.kind === 'told') yield { ...head, told: items as readonly Told[] }
  else yield { kind: head.kind, at: head.at, queries: await leftOut.queries(head.at) }
}

function* entriesOfCycle(
  { cycle, startedAt, endedAt, price, plan, progress, judged }: CycleEntry,
  fetches: readonly StoredFetch[],
  { textOf }: LeftOut,
): Generator<Entry> {
  if (plan) yield { kind: 'plan', cycle, at: startedAt, price, ...plan }
  for (const fetch of fetches)
    yield {
      kind: 'fetch',
      ...fetchFromStored(fetch),
      outcome: withText(fetch.outcome, textOf),
    }
  const gains = judged && { gains: keptGains(fetches) }
  yield { kind: 'end', cycle, at: endedAt, progress, ...gains }
}

function withText(outcome: FetchOutcome, textOf: LeftOut['textOf']): FetchOutcome {
  if (outcome.kind !== 'page') return outcome
  const text = textOf?.(outcome.id, outcome.at)
  return text === undefined ? outcome : { ...outcome, page: { ...outcome.page, text } }
}
