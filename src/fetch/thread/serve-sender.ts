import type { MessagePort } from 'node:worker_threads'
import { type FetchOutcome, textFactsOf } from '#learn/entries/outcome.ts'
import { boundsIn } from '../bounds/bounds.ts'
import { garbageCollector } from '../bounds/garbage-collector.ts'
import type { SenderOptions } from '../fetcher-options.ts'
import { PoliteSender } from '../polite-sender.ts'
import { renderThrough } from '../render/render-port.ts'
import type { Sender } from '../sender.ts'
import { type Call, type Message, sharedSeconds, type ThreadData } from './messages.ts'

/** A long answer leaves as much as this: its text, and what was cut from that. */
const WORTHWHILE_BYTES = 8 * 2 ** 20

/** Sends for another thread: takes its calls, and tells it what happens. */
export function serveSender(
  port: MessagePort,
  { options, clockZero, own: number, bounds, channel, renderPort }: ThreadData,
  own: Pick<SenderOptions, 'lookup' | 'keep' | 'keepRobots'> = {},
): void {
  const tell = (message: Message) => port.postMessage(message, bodiesIn(message))
  const clock = { now: () => clockZero + sharedSeconds() }
  // What is learnt from the text itself is worked out here: the other thread has enough to do.
  const keep: SenderOptions['keep'] = (outcome, keptWith) => {
    const read = withTextFacts(outcome)
    return own.keep ? own.keep(read, keptWith) : withoutDom(read)
  }
  const sender: Sender = new PoliteSender(
    {
      ...{ ...options, ...own, keep, clock },
      render: renderPort && renderThrough(renderPort),
      onLongRead: garbageCollector(WORTHWHILE_BYTES),
    },
    tell,
    boundsIn(bounds, number),
    { channel, own: number, workers: bounds.workers },
  )
  port.on('message', async ({ method, args, id }: Call) => {
    const call = sender[method] as (...args: unknown[]) => unknown
    const value = await call.apply(sender, args)
    if (id !== undefined) tell({ kind: 'reply', id, value })
    // Nothing else keeps the thread then: it ends by itself.
    if (method !== 'close') return
    port.close()
    renderPort?.close()
  })
}

/** Bodies are handed over, not copied: nobody reads them here any more. */
function bodiesIn(message: Message): ArrayBuffer[] {
  if (message.kind !== 'answered') return []
  const { exchange, robots = [] }: FetchOutcome = message.outcome
  const bodies = [exchange, ...robots.map((each) => each.exchange)].flatMap((each) =>
    each ? [each.body.buffer as ArrayBuffer] : [],
  )
  return [...new Set(bodies)]
}

function withoutDom(outcome: FetchOutcome): FetchOutcome {
  if (outcome.kind !== 'page' || !outcome.dom) return outcome
  const { dom: _, ...rest } = outcome
  return rest
}

function withTextFacts(outcome: FetchOutcome): FetchOutcome {
  return outcome.kind === 'page' ? { ...outcome, textFacts: textFactsOf(outcome) } : outcome
}
