import type { Dispatcher } from 'undici'
import type { Connection } from './connections.ts'
import { failureReason, isHangUp, TimeoutError } from './failure-reason.ts'

export type Headers = Readonly<Record<string, string | string[] | undefined>>

export interface GetLimits {
  /** From sending the request to its complete headers. */
  readonly firstByteMs: number
  /** From sending the request to its end. */
  readonly totalMs: number
  readonly maxBodyBytes: number
}

export interface HttpAnswer {
  readonly kind: 'answer'
  readonly status: number
  readonly headers: Headers
  /** As on the wire, still encoded; empty when it was not wanted. */
  readonly body: Uint8Array
  /** Received for the body, kept or not. */
  readonly bytes: number
  /** The body was longer than the limit; `body` holds its beginning. */
  readonly truncated: boolean
}

export interface HttpFailure {
  readonly kind: 'failure'
  readonly reason: string
  /** False when there was no connection to send on. */
  readonly sent: boolean
  /** Present when the headers came, and the body did not. */
  readonly status?: number
}

/** Decides on the headers alone whether the body is worth its bytes. */
export type WantsBody = (status: number, headers: Headers) => boolean

/** An unwanted body up to this size is read and dropped: cheaper than a new connection. */
const CHEAP_BYTES = 16_384

/** One GET, its answer or its failure; never throws. */
export async function httpGet(
  connection: Connection,
  url: URL,
  headers: Readonly<Record<string, string>>,
  limits: GetLimits,
  wantsBody: WantsBody,
): Promise<HttpAnswer | HttpFailure> {
  connection.active++
  const send = () =>
    new Promise<HttpAnswer | HttpFailure>((resolve) => {
      const path = url.pathname + url.search
      const options = { method: 'GET', path, headers: { ...connection.headers, ...headers } }
      connection.pool.dispatch(options, new AnswerCollector(limits, wantsBody, resolve))
    })
  const { reused } = connection
  let result = await send()
  // A server may close an idle connection just as we use it; that says nothing about the page.
  if (reused && result.kind === 'failure' && result.status === undefined && isHangUp(result.reason))
    result = await send()
  connection.active--
  if (result.kind === 'answer') connection.reused = true
  return result
}

/** Follows one answer as it arrives. Once `#settled`, whatever still comes is ignored. */
class AnswerCollector implements Dispatcher.DispatchHandler {
  readonly #limits: GetLimits
  readonly #wantsBody: WantsBody
  readonly #resolve: (result: HttpAnswer | HttpFailure) => void
  readonly #chunks: Buffer[] = []
  #timer: NodeJS.Timeout | undefined
  #startedAt = 0
  #status = 0
  #headers: Headers = {}
  #wanted = true
  #bytes = 0
  #settled = false

  constructor(
    limits: GetLimits,
    wantsBody: WantsBody,
    resolve: (result: HttpAnswer | HttpFailure) => void,
  ) {
    this.#limits = limits
    this.#wantsBody = wantsBody
    this.#resolve = resolve
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    const { firstByteMs, totalMs } = this.#limits
    this.#startedAt = performance.now()
    this.#abortAfter(Math.min(firstByteMs, totalMs), 'first-byte timeout', controller)
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return // 1xx: the answer proper is still to come
    const spentMs = performance.now() - this.#startedAt
    this.#abortAfter(this.#limits.totalMs - spentMs, 'total timeout', controller)
    this.#status = status
    this.#headers = headers
    this.#wanted = this.#wantsBody(status, headers)
    const announcedBytes = Number(headers['content-length'] ?? 0)
    if (!this.#wanted && announcedBytes > CHEAP_BYTES) this.#finish(false, controller)
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#settled) return
    const limit = this.#wanted ? this.#limits.maxBodyBytes : CHEAP_BYTES
    const room = limit - this.#bytes
    this.#bytes += chunk.length
    if (this.#wanted) this.#chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk)
    if (chunk.length > room) this.#finish(this.#wanted, controller)
  }

  onResponseEnd(): void {
    this.#finish(false)
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    const sent = this.#startedAt > 0
    const status = this.#status > 0 ? { status: this.#status } : {}
    this.#settle({ kind: 'failure', reason: failureReason(error), sent, ...status })
  }

  /** Takes what has come as the answer; with a controller, hangs up on the rest. */
  #finish(truncated: boolean, controller?: Dispatcher.DispatchController): void {
    const body = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks)
    const bytes = this.#bytes
    const status = this.#status
    this.#settle({ kind: 'answer', status, headers: this.#headers, body, bytes, truncated })
    controller?.abort(new Error('the rest of the body is not wanted'))
  }

  #settle(result: HttpAnswer | HttpFailure): void {
    clearTimeout(this.#timer)
    if (this.#settled) return
    this.#settled = true
    this.#resolve(result)
  }

  #abortAfter(ms: number, what: string, controller: Dispatcher.DispatchController): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => controller.abort(new TimeoutError(what)), Math.max(ms, 0))
  }
}
