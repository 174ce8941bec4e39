import { getCompileCacheDir } from 'node:module'
import { Worker } from 'node:worker_threads'
import type { DocumentFormat } from '#parse/page/document-format.ts'
import { threadFlags } from '../bounds/thread-flags.ts'
import { OUT_OF_MEMORY } from './memory-guard.ts'
import type { Document, ReadDocument } from './read-document.ts'

/** Which documents are read, and what one may cost. */
export interface DocumentOptions {
  readonly formats: readonly DocumentFormat[]
  readonly mostMs: number
  /** For objects and texts, and as much again for arrays of bytes. */
  readonly mostBytes: number
}

export interface DocumentThreadData {
  readonly mostBytes: number
  readonly compileCache?: string
}

const PROGRAM = new URL('./document-thread.ts', import.meta.url)
/** A thread without work ends after so long: it holds some fifty megabytes. */
const IDLE_MS = 10_000
/** The first document waits for the thread to begin, which is not its fault. */
const START_MS = 20_000
const MIB = 1024 * 1024

/**
 * Reads documents one after the other on a thread of their own, so that no file can hold up fetching or take more time
 * and memory than it may: then the thread is ended, and the next document gets a new one.
 */
export class DocumentReader {
  readonly #options: DocumentOptions
  #thread: Worker | undefined
  #last: Promise<unknown> = Promise.resolve()
  #idle: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: DocumentOptions) {
    this.#options = options
  }

  /** What a document says, when it is its turn. Nothing when `end` aborts before. */
  read(document: Document, end?: AbortSignal): Promise<ReadDocument | undefined> {
    const turn = this.#last.then(() => this.#readInTurn(document, end))
    this.#last = turn.catch(() => {})
    return turn
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#endThread()
  }

  async #readInTurn(document: Document, end?: AbortSignal): Promise<ReadDocument | undefined> {
    if (end?.aborted || this.#isClosed) return undefined
    clearTimeout(this.#idle)
    const isNew = this.#thread === undefined
    const thread = this.#thread ?? this.#start()
    this.#thread = thread
    const answer = Promise.withResolvers<ReadDocument | undefined>()
    const { mostMs } = this.#options
    const tooSlow = () => answer.resolve({ fault: `not read within ${mostMs / 1000} s` })
    const timer = setTimeout(tooSlow, mostMs + (isNew ? START_MS : 0))
    const breakOff = () => answer.resolve(undefined)
    let isDone = false
    const done = (read: ReadDocument) => {
      isDone = true
      answer.resolve(read)
    }
    const fail = (error: NodeJS.ErrnoException) => answer.resolve({ fault: faultOf(error) })
    const exit = (code: number) =>
      answer.resolve({ fault: code === OUT_OF_MEMORY ? TOO_MUCH : 'its reader ended' })
    thread.once('message', done).once('error', fail).once('exit', exit)
    end?.addEventListener('abort', breakOff)
    const body = new Uint8Array(document.body)
    thread.postMessage({ ...document, body }, [body.buffer])
    try {
      return await answer.promise
    } finally {
      clearTimeout(timer)
      end?.removeEventListener('abort', breakOff)
      thread.off('message', done).off('exit', exit).off('error', fail)
      if (isDone) this.#idle = setTimeout(() => this.#endThread(), IDLE_MS).unref()
      else await this.#endThread()
    }
  }

  #start(): Worker {
    const { mostBytes } = this.#options
    const workerData: DocumentThreadData = { mostBytes, compileCache: getCompileCacheDir() }
    const thread = new Worker(PROGRAM, {
      name: 'documents',
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: Math.ceil(mostBytes / MIB) },
      ...threadFlags(),
    })
    // An error without a listener would end the process.
    thread.on('error', () => {})
    thread.unref()
    return thread
  }

  async #endThread(): Promise<void> {
    clearTimeout(this.#idle)
    const thread = this.#thread
    this.#thread = undefined
    await thread?.terminate()
  }
}

const TOO_MUCH = 'it takes too much memory'

function faultOf({ code, message }: NodeJS.ErrnoException): string {
  return code === 'ERR_WORKER_OUT_OF_MEMORY' ? TOO_MUCH : `broken: ${message.slice(0, 100)}`
}
