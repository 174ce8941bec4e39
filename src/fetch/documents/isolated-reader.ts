import { type ChildProcess, fork } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'
import type { DocumentOptions } from './document-reader.ts'
import type { Document, ReadDocument } from './read-document.ts'

const PROGRAM = new URL('./document-process.ts', import.meta.url)
/** A process without work ends after so long: it holds some eighty megabytes. */
const IDLE_MS = 10_000
/** Its own limits end whatever takes long; if it does not tell so, it is ended after this. */
const SPARE_MS = 45_000

/**
 * Reads documents one after the other in a process of its own. The engine does not always end a thread that is out of
 * memory: a large piece at the wrong moment ends its whole process, which is then not the crawl's.
 */
export class IsolatedReader {
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
    this.#process ??= this.#start()
    const process = this.#process
    const answer = Promise.withResolvers<ReadDocument | undefined>()
    const { mostMs } = this.#options
    const tooSlow = () => answer.resolve({ fault: `not read within ${mostMs / 1000} s` })
    const timer = setTimeout(tooSlow, mostMs + SPARE_MS)
    const breakOff = () => answer.resolve(undefined)
    let isDone = false
    const done = (read: unknown) => {
      isDone = true
      answer.resolve(read as ReadDocument)
    }
    const exit = (_: number | null, signal: string | null) =>
      answer.resolve(this.#isClosed ? undefined : { fault: faultOf(signal) })
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
    const child = fork(PROGRAM, [JSON.stringify(this.#options), getCompileCacheDir() ?? ''], {
      execArgv: [],
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

/** The engine ends a process that is out of memory by this signal. */
function faultOf(signal: string | null): string {
  return signal === 'SIGABRT' || signal === 'SIGTRAP' || signal === 'SIGILL'
    ? 'it takes too much memory'
    : 'its reader ended'
}
