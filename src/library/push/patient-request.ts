import { setTimeout as sleep } from 'node:timers/promises'
import type { NoteListener } from '../open/crawl-note.ts'
import { PushError } from './push-target.ts'

/** Waits before the second try, the third and so on; about eight minutes in all. */
const WAITS_MS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 60_000, 120_000, 240_000]
/** A server may ask for a longer rest; nobody is waited for longer than this. */
const LONGEST_WAIT_MS = 600_000
/** An answer that takes longer counts as none. */
const TIMEOUT_MS = 30_000
/** So much of a refusal is told. */
const TOLD = 200

/** How one waits between two tries. */
type Wait = (ms: number, signal?: AbortSignal) => Promise<void>

export interface PatientOptions {
  readonly signal?: AbortSignal
  readonly wait?: Wait
  /** Is told before each wait. */
  readonly note?: NoteListener
}

/**
 * Sends a request until it is answered well: again after broken connections, and when the server is busy or broken. Waits
 * double and are shortened at random, so that many senders do not come back at once.
 */
export async function patientRequest(
  url: string,
  makeRequest: () => RequestInit,
  { signal, wait = nap, note }: PatientOptions = {},
): Promise<Response> {
  for (let tries = 0; ; tries++) {
    signal?.throwIfAborted()
    const answer = await send(url, makeRequest(), signal)
    if (answer instanceof Response && answer.ok) return answer
    const { fault, afterMs } = await faultOf(answer)
    if (tries >= WAITS_MS.length)
      throw new PushError(`${nameOf(url)} does not answer well: ${fault}`, false)
    const usual = WAITS_MS[tries] * (0.5 + Math.random() / 2)
    const waitMs = Math.min(Math.max(usual, afterMs), LONGEST_WAIT_MS)
    note?.({ kind: 'tries again', of: nameOf(url), fault, afterMs: waitMs })
    await wait(waitMs, signal)
  }
}

async function send(url: string, init: RequestInit, signal?: AbortSignal) {
  const signals = [AbortSignal.timeout(TIMEOUT_MS), ...(signal ? [signal] : [])]
  try {
    // A redirect would take what is sent elsewhere than the operator said.
    return await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.any(signals) })
  } catch (error) {
    signal?.throwIfAborted()
    return error as Error
  }
}

/** What is wrong with an answer, and how long to wait at least; throws if asking again is of no use. */
async function faultOf(answer: Response | Error): Promise<{ fault: string; afterMs: number }> {
  if (answer instanceof Error) {
    const { cause } = answer as { cause?: Error }
    return { fault: cause?.message || answer.message, afterMs: 0 }
  }
  const { status } = answer
  const said = (await answer.text().catch(() => '')).slice(0, TOLD)
  const fault = said === '' ? `status ${status}` : `status ${status}: ${said}`
  const isPassing = status >= 500 || [408, 425, 429].includes(status)
  if (!isPassing)
    throw new PushError(`${nameOf(answer.url)} refuses it with ${fault}`, true, status)
  const seconds = Number(answer.headers.get('retry-after') ?? 0)
  return { fault, afterMs: Number.isFinite(seconds) ? seconds * 1000 : 0 }
}

/** An address without what may be secret in it. */
export function nameOf(url: string): string {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname}`
}

async function nap(ms: number, signal?: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal })
}
