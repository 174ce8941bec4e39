import { type ChildProcess, fork } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'
import type { DocumentFormat } from '#parse/page/document-format.ts'
import { OUT_OF_MEMORY } from './memory-guard.ts'
import type { Document, ReadDocument } from './read-document.ts'

/** Which documents are read, and what one may cost. */
export interface DocumentOptions {
  readonly formats: readonly DocumentFormat[]
  readonly mostMs: number
  /** For objects and texts, and as much again for arrays of bytes. */
  readonly mostBytes: number
}

const PROGRAM = new URL('./document-process.ts', import.meta.url)
/** A process without work ends after so long: it holds some eighty megabytes. */
const IDLE_MS = 10_000
/** The first document waits for the process to begin, which is not its fault. */
const START_MS = 20_000
const MIB = 1024 * 1024

/**
 * Reads documents one after the other in a process of their own, so that no file can hold up fetching or take more time
 * and memory than it may: then the process is ended, and the next document gets a new one. On a thread it would not
 * do: the engine does not always end only the thread that is out of memory.
 */
export class DocumentReader {
  readonly #options: DocumentOptions
  #process: ChildProcess | undefined
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
    this.#end()
  }

  async #readInTurn(document: Document, end?: AbortSignal): Promise<ReadDocument | undefined> {
    if (end?.aborted || this.#isClosed) return undefined
    clearTimeout(this.#idle)
    const isNew = this.#process === undefined
    const process = this.#process ?? this.#start()
    this.#process = process
    const answer = Promise.withResolvers<ReadDocument | undefined>()
    const { mostMs } = this.#options
    const tooSlow = () => answer.resolve({ fault: `not read within ${mostMs / 1000} s` })
    const timer = setTimeout(tooSlow, mostMs + (isNew ? START_MS : 0))
    const breakOff = () => answer.resolve(undefined)
    let isDone = false
    const done = (read: unknown) => {
      isDone = true
      answer.resolve(read as ReadDocument)
    }
    const exit = (code: number | null, signal: string | null) =>
      answer.resolve(this.#isClosed ? undefined : { fault: faultOf(code, signal) })
    const fail = (error: Error) => answer.resolve({ fault: `its reader: ${error.message}` })
    process.once('message', done).once('exit', exit).once('error', fail)
    end?.addEventListener('abort', breakOff)
    process.send({ body: document.body, url: document.url }, (error) => error && fail(error))
    try {
      return await answer.promise
    } finally {
      clearTimeout(timer)
      end?.removeEventListener('abort', breakOff)
      process.off('message', done).off('exit', exit).off('error', fail)
      if (isDone) this.#idle = setTimeout(() => this.#end(), IDLE_MS).unref()
      else this.#end()
    }
  }

  #start(): ChildProcess {
    const { mostBytes } = this.#options
    const child = fork(PROGRAM, [`${mostBytes}`, getCompileCacheDir() ?? ''], {
      execArgv: [`--max-old-space-size=${Math.ceil(mostBytes / MIB)}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'], // the engine has much to say when memory ends
    })
    child.on('error', () => {}) // one without a listener would end this process
    child.unref()
    child.channel?.unref()
    return child
  }

  #end(): void {
    clearTimeout(this.#idle)
    this.#process?.kill('SIGKILL')
    this.#process = undefined
  }
}

/** The engine ends a process that is out of memory by one of these. */
const ENDED_BY_ENGINE: readonly (string | null)[] = ['SIGABRT', 'SIGTRAP', 'SIGILL']

function faultOf(code: number | null, signal: string | null): string {
  return code === OUT_OF_MEMORY || ENDED_BY_ENGINE.includes(signal)
    ? 'it takes too much memory'
    : 'its reader ended'
}
