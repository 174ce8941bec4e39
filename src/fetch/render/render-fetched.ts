import type { FetchRequest } from '#crawl/ports.ts'
import type { FetchOutcome } from '#learn/entries/outcome.ts'
import type { FieldRule } from '#parse/fields/field-rules.ts'
import type { ByteLedger } from '../bounds/byte-ledger.ts'
import { LIGHT_BYTES } from '../http/heavy-answers.ts'
import { OUT_OF_TIME } from '../http/reaction.ts'
import { renderedOutcome } from './rendered-outcome.ts'
import type { Render } from './renderer.ts'

/** The scripts of a page may have so many bytes sent to them. */
const MOST_BYTES = 15 << 20

interface RenderFetchedOptions {
  readonly render?: Render
  readonly agentToken: string
  readonly fields?: readonly FieldRule[]
  readonly ledger: ByteLedger
  /** Reads what is long in its turn, so that the thread serves others meanwhile; nothing when it is called off. */
  readonly client: { readInTurn<T>(work: () => T): Promise<T | undefined> }
  /** Breaks it off when it aborts. */
  readonly end: AbortSignal
}

/**
 * A page that was fetched, rendered if that was asked for. Others that seem to need their scripts say so: any of them in a
 * crawl that renders, else those that are all but sure to.
 */
export async function renderFetched(
  outcome: FetchOutcome,
  { renderCost }: Pick<FetchRequest, 'renderCost'>,
  { render, agentToken, fields, ledger, client, end }: RenderFetchedOptions,
): Promise<FetchOutcome> {
  if (outcome.kind !== 'page') return outcome
  const { source, page } = outcome
  if (!render)
    return page.scriptNeed === 'shell' ? { ...outcome, rendering: { state: 'unasked' } } : outcome
  if (renderCost === undefined || source === undefined) {
    const { scriptNeed: state } = page
    return state ? { ...outcome, rendering: { state } } : outcome
  }
  const maxBytes = ledger.reserve(MOST_BYTES)
  const answer = await render({ url: outcome.url, html: source, maxBytes }, end)
  ledger.receive(maxBytes, answer?.bytes ?? 0)
  const read = () => answer && renderedOutcome(outcome, answer, renderCost, agentToken, fields)
  const isLong = (answer?.dom?.length ?? 0) > LIGHT_BYTES
  const rendered = isLong ? await client.readInTurn(read) : read()
  if (rendered) return rendered
  const { id, url, at, ms, exchange } = outcome
  const seen = { id, url, at, ms, ...(exchange && { exchange }) }
  return { ...seen, kind: 'failed', reason: OUT_OF_TIME, sent: true, brokenOff: true }
}
