import type { CycleRecord } from '#crawl/ports.ts'
import type { LoggedFetch } from '#learn/entries/learnt-fetch.ts'
import {
  costOf,
  type FetchOutcome,
  OUTCOME_KINDS,
  RENDERING_STATES,
  type Rendering,
} from '#learn/entries/outcome.ts'
import { PURPOSES } from '#policy/bids.ts'
import { columnsFrom, defineTable } from '../database/define-table.ts'

/** A fetch with its number in the log. */
export interface NumberedFetch extends LoggedFetch {
  readonly fetchId: number
  readonly cycle: number
  /** When its URL may be asked for again; 0 if nothing stands against it. */
  readonly retryAt: number
}

const { integer, long, double, boolean, text, word } = columnsFrom<NumberedFetch>()

/** Every fetch: what was predicted, what came, what it was worth and where the exchange lies. */
export const FETCH_LOG = defineTable('fetch_log', {
  id: integer(({ fetchId }) => fetchId),
  cycle: integer(({ cycle }) => cycle),
  url_id: integer(({ outcome }) => outcome.id),
  fetched_at: double(({ outcome }) => outcome.at),
  purpose: word(PURPOSES, ({ purpose }) => purpose),

  // What came.
  outcome: word(OUTCOME_KINDS, ({ outcome }) => outcome.kind),
  status: integer(({ outcome }) => ('status' in outcome ? outcome.status : null)),
  reason: text(({ outcome }) => reasonOf(outcome)),
  cost: integer(({ outcome }) => costOf(outcome)),
  bytes: long(({ outcome }) => ('bytes' in outcome ? outcome.bytes : 0)),
  ms: double(({ outcome }) => outcome.ms),
  retry_at: double(({ retryAt }) => retryAt),
  postponed: boolean(({ postponed }) => postponed ?? false),
  warc_file: text(({ warc }) => warc?.file),
  warc_offset: long(({ warc }) => warc?.offset),
  rendering: word(RENDERING_STATES, ({ outcome }) => renderingOf(outcome)?.state, { since: 10 }),

  // What was new about it.
  changed: boolean(({ changed }) => changed),
  fresh: boolean(({ fresh }) => fresh),
  content_changed: boolean(({ contentChanged }) => contentChanged),
  new_urls: integer(({ newUrls }) => newUrls, { missing: 0 }),
  new_links: integer(({ newLinks }) => newLinks, { missing: 0 }),
  /** Nobody reads these two any more, so they stay empty; older directories have them filled. */
  found_before: integer(() => null),
  rival_id: integer(() => null),
  in_links: integer(({ inLinks }) => inLinks, { missing: 0 }),
  claim_right: boolean(({ claimRight }) => claimRight),
  unclaimed: boolean(({ unclaimed }) => unclaimed ?? false),
  /** What a page came with whose content was not new, as JSON; of new content `page` has it. */
  headers: text((fetch) => headersOf(fetch), { since: 7 }),

  // What was predicted and bid, and what it was worth.
  predicted_gain: double(({ predictedGain }) => predictedGain),
  realised_gain: double(({ realisedGain }) => realisedGain),
  anchor_gain: double(({ anchorGain }) => anchorGain, { since: 8 }),
  clicks: double(({ views }) => views),
  probability: double(({ probability }) => probability),
  bid: double(({ bid }) => bid),
  bid_acquire: double(({ parts }) => parts?.acquire),
  bid_refresh: double(({ parts }) => parts?.refresh),
  bid_discover: double(({ parts }) => parts?.discover),
  thought_acquire: double(({ prediction }) => prediction?.acquire),
  thought_refresh: double(({ prediction }) => prediction?.refresh),
  thought_links: double(({ prediction }) => prediction?.links),
  thought_render: double(({ prediction }) => prediction?.render, { since: 10 }),
})

function headersOf({ outcome, changed }: NumberedFetch): string | null {
  if (outcome.kind !== 'page' || changed) return null
  const { etag, lastModified, page } = outcome
  return JSON.stringify({ etag, lastModified, unavailableAfter: page.unavailableAfter })
}

function reasonOf(outcome: FetchOutcome): string | null {
  if (outcome.kind === 'disallowed') return outcome.rule
  if (outcome.kind === 'redirect') return outcome.target
  if (outcome.kind === 'page') return outcome.rendering?.reason ?? null
  return 'reason' in outcome ? (outcome.reason ?? null) : null
}

function renderingOf(outcome: FetchOutcome): Rendering | undefined {
  return outcome.kind === 'page' ? outcome.rendering : undefined
}

const cycles = columnsFrom<CycleRecord>()

/** One row a cycle. */
export const CYCLE = defineTable('cycle', {
  cycle: cycles.integer(({ cycle }) => cycle),
  started_at: cycles.double(({ startedAt }) => startedAt),
  ended_at: cycles.double(({ endedAt }) => endedAt),
  planned: cycles.integer(({ planned }) => planned),
  fetched: cycles.integer(({ fetches }) => fetches.length),
  price: cycles.double(({ price }) => price),
})
