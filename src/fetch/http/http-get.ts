import { setTimeout as sleep } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import type { Clock } from '#crawl/ports.ts'
import type { Exchange } from '#learn/entries/outcome.ts'
import { ForbiddenTarget } from '../wire/address-guard.ts'
import type { Connection } from '../wire/connections.ts'
import {
  failureReason,
  isHangUp,
  MalformedAnswer,
  NoiseError,
  TimeoutError,
} from '../wire/failure-reason.ts'
import type { Line, LineUser } from '../wire/line.ts'
import { BodyBuffer } from './body-buffer.ts'
import { ExchangeRecorder, type RawHeaders } from './exchange-recorder.ts'
import { type HeavyPlace, LIGHT_BYTES } from './heavy-answers.ts'
import { OUT_OF_TIME } from './reaction.ts'
import { retryAfterSeconds } from './retry-after.ts'

export type Headers = Readonly<Record<string, string | string[] | undefined>>

export interface GetLimits {
  /** For a connection to be there; without it the connection's own patience counts. */
  readonly connectMs?: number
  /** From sending the request to its complete headers. */
  readonly firstByteMs: number
  /** From sending the request to its end. */
  readonly totalMs: number
  readonly maxBodyBytes: number
  /** Breaks it off when it aborts. */
  readonly end?: AbortSignal
  /** For a long body; while there is no room for it, the rest is not received. */
  readonly heavy?: HeavyPlace
  /** Is posted, in place of a GET; it may come twice. */
  readonly form?: string
  /** Before a second try, by the time that the first took; without it, none. */
  readonly retryRestMs?: (ms: number) => number
}

interface Answered {
  /** The host was left alone for so long before it was asked again: no part of how long it takes. */
  readonly restedMs?: number
}

export interface HttpAnswer extends Answered {
  readonly kind: 'answer'
  readonly status: number
  readonly headers: Headers
  /** As on the wire, still encoded; empty when it was not wanted. */
  readonly body: Uint8Array
  /** Received for the body, kept or not; never more than the limit. */
  readonly bytes: number
  /** The body was longer than the limit; `body` holds its beginning. */
  readonly truncated: boolean
  /** The server asked to be left alone for so long (429, 503). */
  readonly retryAfterSeconds?: number
  readonly exchange?: Exchange
}

export interface HttpFailure extends Answered {
  readonly kind: 'failure'
  readonly reason: string
  /** False when there was no connection to send on. */
  readonly sent: boolean
  /** Present when the headers came, and the body did not. */
  readonly status?: number
  /** Received for the body until it failed. */
  readonly bytes?: number
  /** We do not connect there, ever. */
  readonly forbidden?: true
  /** Present when the headers came: what was received until it failed. */
  readonly exchange?: Exchange
}

/**
 * Decides on the headers alone whether the body is worth its bytes. One that is of use only as a whole
 * is not begun when it announces more than the limit.
 */
export type WantsBody = (status: number, headers: Headers, url: URL) => boolean | 'whole'

/** An unwanted body up to this size is read and dropped: cheaper than a new connection. */
const CHEAP_BYTES = 16_384
/** A host that wants to rest for longer is not tried again here. */
const MAX_RETRY_REST_MS = 5_000
/** Servers send one or two 1xx answers before the one that counts. */
const MAX_INTERIM = 20

/** One GET, its answer or its failure; never throws. With a clock, the exchange is kept too, without secret headers. */
export async function httpGet(
  connection: Connection,
  url: URL,
  headers: Readonly<Record<string, string>>,
  limits: GetLimits,
  wantsBody: WantsBody,
  exchangeClock?: Clock,
  secretHeaders?: Readonly<Record<string, string>>,
): Promise<HttpAnswer | HttpFailure> {
  connection.active++
  const { reused } = connection
  const unkept = { ...connection.proxyHeaders, ...secretHeaders }
  const send = () => sendOnce(connection, url, headers, unkept, limits, wantsBody, exchangeClock)
  const startedAt = performance.now()
  let result = await send()
  // A server may close an idle connection just as we use it; that says nothing about the page. But it may
  // also have seen the request, so it gets its rest.
  if (reused && wasHungUpOn(result)) {
    const restMs = limits.retryRestMs?.(performance.now() - startedAt) ?? 0
    if (restMs <= MAX_RETRY_REST_MS) {
      if (restMs > 0) await sleep(restMs, undefined, { signal: limits.end }).catch(() => {})
      const isOver = limits.end?.aborted ?? false
      result = isOver ? { kind: 'failure', reason: OUT_OF_TIME, sent: true } : await send()
    }
  }
  connection.active--
  if (result.kind === 'answer') connection.reused = true
  return result
}

function wasHungUpOn(result: HttpAnswer | HttpFailure): boolean {
  return result.kind === 'failure' && result.status === undefined && isHangUp(result.reason)
}

function sendOnce(
  connection: Connection,
  url: URL,
  headers: Readonly<Record<string, string>>,
  unkept: Readonly<Record<string, string>>,
  limits: GetLimits,
  wantsBody: WantsBody,
  exchangeClock: Clock | undefined,
): Promise<HttpAnswer | HttpFailure> {
  return new Promise((resolve) => {
    const path = url.pathname + url.search
    const sent = { ...connection.headers, ...headers }
    const recorder = exchangeClock && new ExchangeRecorder(connection, url, sent, exchangeClock)
    connection.pool.dispatch(
      {
        method: limits.form === undefined ? 'GET' : 'POST',
        body: limits.form,
        path: connection.sendsWholeUrl ? url.origin + path : path,
        headers: { ...sent, ...unkept },
      },
      new AnswerCollector(url, limits, wantsBody, recorder, resolve),
    )
  })
}

/** Follows one answer as it arrives. Once `#settled`, whatever still comes is ignored. */
class AnswerCollector implements LineUser {
  readonly #url: URL
  readonly #limits: GetLimits
  readonly #wantsBody: WantsBody
  readonly #recorder: ExchangeRecorder | undefined
  readonly #resolve: (result: HttpAnswer | HttpFailure) => void
  readonly #body: BodyBuffer
  #line: Line | undefined
  #controller: Dispatcher.DispatchController | undefined
  #timer: NodeJS.Timeout | undefined
  #startedAt = 0
  #status = 0
  #headers: Headers = {}
  #interim = 0
  #wanted = true
  #bytes = 0
  #settled = false

  constructor(
    url: URL,
    limits: GetLimits,
    wantsBody: WantsBody,
    recorder: ExchangeRecorder | undefined,
    resolve: (result: HttpAnswer | HttpFailure) => void,
  ) {
    this.#url = url
    this.#limits = limits
    this.#wantsBody = wantsBody
    this.#recorder = recorder
    this.#resolve = resolve
    this.#body = new BodyBuffer(limits.maxBodyBytes)
    // The socket has its own limit. This one is for a request that no socket ever takes.
    const { connectMs, totalMs, end } = limits
    if (connectMs !== undefined)
      this.#timer = setTimeout(() => this.#giveUp('connect timeout'), connectMs + totalMs)
    end?.addEventListener('abort', this.#breakOff)
  }

  take(line: Line): void {
    this.#line = line
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#settled) {
      controller.abort(new Error('nobody waits for it any more'))
      return
    }
    const { firstByteMs, totalMs } = this.#limits
    this.#controller = controller
    this.#startedAt = performance.now()
    this.#line?.begin()
    this.#abortAfter(Math.min(firstByteMs, totalMs), 'first-byte timeout', controller)
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
    statusText?: string,
  ): void {
    if (status < 200) {
      this.#passOver(status, controller)
      return
    }
    const spentMs = performance.now() - this.#startedAt
    this.#abortAfter(this.#limits.totalMs - spentMs, 'total timeout', controller)
    this.#status = status
    this.#headers = headers
    this.#recorder?.answered(status, statusText, (controller.rawHeaders as RawHeaders) ?? headers)
    const wants = this.#wantsBody(status, headers, this.#url)
    this.#wanted = wants !== false
    const announced = announcedBytes(status, headers)
    if (announced > this.#mostAnnounced(wants)) this.#finish(true, controller)
    else if (announced > LIGHT_BYTES) this.#waitForRoom(controller)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#settled) return
    const { maxBodyBytes } = this.#limits
    const limit = this.#wanted ? maxBodyBytes : Math.min(CHEAP_BYTES, maxBodyBytes)
    const room = limit - this.#bytes
    const accepted = chunk.length > room ? chunk.subarray(0, room) : chunk
    this.#line?.received(chunk.length)
    this.#bytes += accepted.length
    if (this.#wanted || this.#recorder) this.#body.append(accepted)
    if (chunk.length > room) this.#finish(true, controller)
    else if (this.#bytes > LIGHT_BYTES) this.#waitForRoom(controller)
  }

  /** The time that a long body waits for others is not its own. */
  #waitForRoom(controller: Dispatcher.DispatchController): void {
    const waitsSince = performance.now()
    const goOn = () => {
      if (this.#settled) return
      this.#startedAt += performance.now() - waitsSince
      const spentMs = performance.now() - this.#startedAt
      this.#abortAfter(this.#limits.totalMs - spentMs, 'total timeout', controller)
      controller.resume()
    }
    if (controller.paused || (this.#limits.heavy?.enter(this.#bytes, goOn) ?? true)) return
    // Not for ever, as others may take the room for long: then it is tried again later.
    this.#abortAfter(this.#limits.totalMs, OUT_OF_TIME, controller)
    controller.pause()
  }

  onResponseEnd(): void {
    this.#finish(false)
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#settled) return
    const truncated = error instanceof TimeoutError ? 'time' : 'disconnect'
    this.#settle({
      kind: 'failure',
      reason: error instanceof ForbiddenTarget ? error.message : failureReason(error),
      sent: this.#startedAt > 0,
      ...(this.#bytes > 0 && { bytes: this.#bytes }),
      ...(this.#status > 0 && { status: this.#status }),
      ...(this.#status > 0 &&
        this.#recorder && { exchange: this.#recorder.exchange(this.#body.bytes(), truncated) }),
      ...(error instanceof ForbiddenTarget && { forbidden: true }),
    })
  }

  /** Takes what has come as the answer; with a controller, hangs up on the rest. */
  #finish(isCut: boolean, controller?: Dispatcher.DispatchController): void {
    if (this.#settled) return
    const body = this.#body.bytes()
    const waitSeconds = retryAfterSeconds(this.#status, this.#headers, Date.now() / 1000)
    this.#settle({
      kind: 'answer',
      status: this.#status,
      headers: this.#headers,
      body: this.#wanted ? body : NOTHING,
      bytes: this.#bytes,
      truncated: isCut && this.#wanted,
      ...(waitSeconds !== undefined && { retryAfterSeconds: waitSeconds }),
      ...(this.#recorder && {
        exchange: this.#recorder.exchange(body, isCut ? 'length' : undefined),
      }),
    })
    controller?.abort(new Error('the rest of the body is not wanted'))
  }

  #mostAnnounced(wants: boolean | 'whole'): number {
    if (wants === 'whole') return this.#limits.maxBodyBytes
    return wants ? Number.POSITIVE_INFINITY : CHEAP_BYTES
  }

  /** 1xx: the answer proper is still to come (RFC 9110 §15.2). */
  #passOver(status: number, controller: Dispatcher.DispatchController): void {
    if (status < 100) controller.abort(new MalformedAnswer(`status ${status}`))
    else if (status === 101) controller.abort(new MalformedAnswer('upgrade nobody asked for'))
    else if (++this.#interim > MAX_INTERIM) controller.abort(new NoiseError('flood of 1xx answers'))
  }

  readonly #breakOff = (): void => {
    if (this.#controller) this.#controller.abort(new TimeoutError(OUT_OF_TIME))
    else this.#giveUp(OUT_OF_TIME)
  }

  /** Waits no longer for a connection. */
  #giveUp(reason: string): void {
    this.#settle({ kind: 'failure', reason, sent: false })
  }

  #settle(result: HttpAnswer | HttpFailure): void {
    clearTimeout(this.#timer)
    if (this.#settled) return
    this.#settled = true
    this.#limits.end?.removeEventListener('abort', this.#breakOff)
    this.#resolve(result)
  }

  #abortAfter(ms: number, what: string, controller: Dispatcher.DispatchController): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => controller.abort(new TimeoutError(what)), Math.max(ms, 0))
  }
}

/** 204 and 304 have no body, whatever length they name. */
function announcedBytes(status: number, headers: Headers): number {
  return status === 204 || status === 304 ? 0 : Number(headers['content-length'] ?? 0)
}

const NOTHING = new Uint8Array(0)
