import { mkdtempSync, rmSync } from 'node:fs'
import { getCompileCacheDir } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { threadFlags } from '#fetch/bounds/thread-flags.ts'
import { Refusal } from '../http/refusal.ts'
import type { Answer, Asked } from '../http/route.ts'
import type { LookSite, WatchedOptions } from './look-routes.ts'
import type { RoomAnswers } from './room-answers.ts'

/** What a thread is begun with. */
export interface RoomThreadData extends LookSite, WatchedOptions {
  readonly compileCache?: string
}

/** What a thread is told. */
export type ToRoom =
  | { readonly kind: 'refresh' }
  | { readonly kind: 'hurry' }
  | { readonly kind: 'end' }
  | (Omit<Asked, 'query' | 'form'> & {
      readonly kind: 'ask'
      readonly id: number
      readonly query: string
      readonly form?: string
    })

/** What a thread tells. */
export type FromRoom =
  | { readonly kind: 'news' }
  | {
      readonly kind: 'reply'
      readonly id: number
      readonly answer?: Answer
      readonly refusal?: Pick<Refusal, 'status' | 'advice' | 'headers'>
      readonly error?: unknown
    }

/** So long a thread may take to end. */
const GRACE_MS = 1_000
const PROGRAM = new URL('./room-thread.ts', import.meta.url)

/** Looks at a crawl on a thread of its own, which is begun when somebody first asks: whoever serves never waits for it. */
export class RoomThread implements RoomAnswers {
  readonly #name: string
  readonly #program: URL
  readonly #data: RoomThreadData
  readonly #onNews: () => void
  readonly #asked = new Map<number, PromiseWithResolvers<Answer | Refusal>>()
  #worker: Worker | undefined
  #ended: Promise<void> = Promise.resolve()
  #count = 0
  #isClosed = false
  #takeAway = () => {}

  constructor(name: string, data: RoomThreadData, onNews: () => void, program = PROGRAM) {
    this.#program = program
    this.#name = name
    this.#data = data
    this.#onNews = onNews
  }

  async ask({ query, form, headers, ...asked }: Asked): Promise<Answer | Refusal> {
    const id = this.#count++
    const reply = Promise.withResolvers<Answer | Refusal>()
    this.#asked.set(id, reply)
    this.#tell({
      ...{ kind: 'ask', id, ...asked, query: query.toString() },
      headers: { 'x-part': headers['x-part'], 'x-renew': headers['x-renew'] },
      ...(form && { form: form.toString() }),
    })
    return reply.promise
  }

  refresh(): void {
    if (this.#worker) this.#tell({ kind: 'refresh' })
  }

  hurry(): void {
    if (this.#worker) this.#tell({ kind: 'hurry' })
  }

  /** A large crawl may take minutes to read. What is on disk for it is taken away also then. */
  async close(): Promise<boolean> {
    this.#isClosed = true
    if (this.#worker) this.#tell({ kind: 'end' })
    const grace = new AbortController()
    const late = sleep(GRACE_MS, true, { signal: grace.signal }).catch(() => false)
    const isBusy = await Promise.race([this.#ended.then(() => false), late])
    grace.abort()
    if (isBusy) this.#takeAway()
    return isBusy
  }

  #tell(message: ToRoom): void {
    this.#worker ??= this.#begin()
    this.#worker.postMessage(message)
  }

  #begin(): Worker {
    const data = { ...this.#data, compileCache: getCompileCacheDir() }
    // Of its own, as a thread that ends amid its work takes nothing away.
    const folder = mkdtempSync(join(tmpdir(), 'forager-room-'))
    this.#takeAway = () => rmSync(folder, { recursive: true, force: true })
    const worker = new Worker(this.#program, {
      ...{ name: this.#name, ...threadFlags(), workerData: data },
      env: { ...process.env, TMPDIR: folder },
    })
    const ended = Promise.withResolvers<void>()
    this.#ended = ended.promise
    worker.on('message', (message: FromRoom) => {
      if (message.kind === 'news') return this.#onNews()
      const { id, answer, refusal, error } = message
      const asked = this.#asked.get(id)!
      this.#asked.delete(id)
      if (answer) asked.resolve(answer)
      else if (refusal) asked.resolve(new Refusal(refusal.status, refusal.advice, refusal.headers))
      else asked.reject(error)
    })
    const end = (error: Error) => {
      this.#worker = undefined // the next question begins another
      for (const { reject, resolve } of this.#asked.values())
        if (this.#isClosed) resolve(new Refusal(503, 'The program ends.'))
        else reject(error)
      this.#asked.clear()
    }
    worker.on('error', end)
    worker.on('exit', () => {
      end(new Error(`the thread that looks at the crawl (${this.#name}) has ended`))
      this.#takeAway()
      ended.resolve()
    })
    return worker
  }
}
