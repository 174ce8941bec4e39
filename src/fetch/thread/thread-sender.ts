import { Worker } from 'node:worker_threads'
import type { FetcherMemory } from '#crawl/ports.ts'
import { threadFlags } from '../bounds/thread-flags.ts'
import type { RobotsExplanation } from '../robots/robots-explanation.ts'
import type { Notice, Sender, WorkerBoard } from '../sender.ts'
import type { SiteRule } from '../sites/sites.ts'
import type { Call, Message, ThreadData } from './messages.ts'

/**
 * A thread ends by itself when it has closed its connections. One that has not by then is ended with them open, which
 * is rude to servers, and now and then to Node too: a process that ended hundreds of threads so was ended by a fault.
 */
const CLOSE_MS = 300

/**
 * What is new is soon handed on: room for more of it would only be taken, and never given back. Below 2 GB the engine
 * lets garbage grow to less than twice of what is used, and not to four times.
 */
const THREAD = {
  name: 'fetch',
  resourceLimits: { maxYoungGenerationSizeMb: 12, maxOldGenerationSizeMb: 1024 },
  ...threadFlags(),
}

/** A worker on a thread of its own. */
export function startThread(
  program: URL,
  data: ThreadData,
  tell: (notice: Notice) => void,
): Sender {
  const transferList = data.renderPort ? [data.renderPort] : []
  return new ThreadSender(new Worker(program, { ...THREAD, workerData: data, transferList }), tell)
}

/** A sender on another thread. */
class ThreadSender implements Sender {
  readonly #worker: Worker
  /** Calls that are still to be answered. */
  readonly #asked = new Map<number, PromiseWithResolvers<unknown>>()
  #calls = 0
  #error: Error | undefined
  #isClosing = false
  readonly #ended = Promise.withResolvers<void>()

  constructor(worker: Worker, tell: (notice: Notice) => void) {
    this.#worker = worker
    // Only whoever waits for it keeps the process from ending.
    worker.unref()
    worker.on('message', (message: Message) => {
      if (message.kind !== 'reply') return tell(message)
      this.#asked.get(message.id)?.resolve(message.value)
      this.#asked.delete(message.id)
    })
    const end = (cause: unknown) => {
      const reason = cause instanceof Error ? `: ${cause.message}` : ''
      this.#error ??= new Error(`the thread that fetches has ended${reason}`, { cause })
      for (const { reject } of this.#asked.values()) reject(this.#error)
      this.#asked.clear()
      if (!this.#isClosing) tell({ kind: 'ended', error: this.#error })
    }
    let cause: unknown
    worker.on('error', (error) => {
      cause = error
    })
    // All that it told has been heard by then.
    worker.on('exit', () => {
      end(cause)
      this.#ended.resolve()
    })
  }

  post(board: WorkerBoard, reads: number): void {
    this.#call('post', [board, reads])
  }

  read(reads: number): void {
    this.#call('read', [reads])
  }

  useSites(rules: readonly SiteRule[]): void {
    this.#call('useSites', [rules])
  }

  endWithin(seconds: number): void {
    this.#call('endWithin', [seconds])
  }

  memory(robotsSince?: number): Promise<FetcherMemory> {
    return this.#ask('memory', [robotsSince])
  }

  explainRobots(url: string): Promise<RobotsExplanation | undefined> {
    return this.#ask('explainRobots', [url])
  }

  async close(): Promise<void> {
    this.#isClosing = true
    const timer = setTimeout(() => this.#worker.terminate(), CLOSE_MS)
    await this.#ask('close', []).catch(() => {})
    this.#worker.ref()
    await this.#ended.promise
    clearTimeout(timer)
  }

  #call<Method extends keyof Sender>(
    method: Method,
    args: Parameters<Sender[Method]>,
    id?: number,
  ): void {
    this.#worker.postMessage({ method, args, id } satisfies Call<Method>)
  }

  async #ask<Method extends 'memory' | 'explainRobots' | 'close'>(
    method: Method,
    args: Parameters<Sender[Method]>,
  ): Promise<Awaited<ReturnType<Sender[Method]>>> {
    if (this.#error) throw this.#error
    const id = this.#calls++
    const answer = Promise.withResolvers<Awaited<ReturnType<Sender[Method]>>>()
    this.#asked.set(id, answer as PromiseWithResolvers<unknown>)
    this.#worker.ref()
    this.#call(method, args, id)
    return answer.promise.finally(() => {
      if (this.#asked.size === 0) this.#worker.unref()
    })
  }
}
