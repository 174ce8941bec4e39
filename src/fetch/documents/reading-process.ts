import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { getCompileCacheDir } from 'node:module'
import { OUT_OF_MEMORY } from './memory-guard.ts'
import type { Document, ReadDocument } from './read-document.ts'

const PROGRAM = new URL('./document-process.ts', import.meta.url)
/** A process without work ends after so long: it holds some eighty megabytes. */
const IDLE_MS = 10_000
/** That a process takes its time to begin is no document's fault, up to here. */
const START_MS = 20_000
const MIB = 1024 * 1024

/** A document that is being read. */
export interface Reading {
  /** What it says; a fault if that ends the process, or if somebody else does. */
  readonly answer: Promise<ReadDocument>
  /** Its time counts from here: the process is there. */
  readonly begun: Promise<unknown>
}

/**
 * Reads one document at a time in a process of its own, begun with the first and again after one that ended it. On a
 * thread it would not do: the engine does not always end only the thread that is out of memory.
 */
export class ReadingProcess {
  readonly #mostBytes: number
  #child: ChildProcess | undefined
  #idle: NodeJS.Timeout | undefined

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  /** False before the first document, and after one that ended it. */
  get isThere(): boolean {
    return this.#child !== undefined
  }

  read(document: Document): Reading {
    clearTimeout(this.#idle)
    const child = this.#child ? Promise.resolve(this.#child) : this.#begin()
    const answer = child
      .then((it) => this.#readIn(it, document))
      .catch((error: Error) => {
        this.end()
        return { fault: `its reader: ${error.message}` }
      })
    return { answer, begun: child.catch(() => {}) }
  }

  /** Ends the process, and whatever it reads. */
  end(): void {
    clearTimeout(this.#idle)
    this.#child?.kill('SIGKILL')
    this.#child = undefined
  }

  async #readIn(child: ChildProcess, document: Document): Promise<ReadDocument> {
    const answer = Promise.withResolvers<ReadDocument>()
    const done = (read: unknown) => {
      this.#idle = setTimeout(() => this.end(), IDLE_MS).unref()
      answer.resolve(read as ReadDocument)
    }
    const exit = (code: number | null, signal: string | null) =>
      answer.resolve({ fault: faultOf(code, signal) })
    child.once('message', done).once('exit', exit).once('error', answer.reject)
    child.send({ body: document.body, url: document.url }, (error) => error && answer.reject(error))
    try {
      return await answer.promise
    } finally {
      child.off('message', done).off('exit', exit).off('error', answer.reject)
    }
  }

  /** Begins a process, and waits until it can read. */
  async #begin(): Promise<ChildProcess> {
    const child = fork(PROGRAM, [`${this.#mostBytes}`, getCompileCacheDir() ?? ''], {
      execArgv: [`--max-old-space-size=${Math.ceil(this.#mostBytes / MIB)}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'], // the engine has much to say when memory ends
    })
    this.#child = child
    child.on('error', () => {}) // one without a listener would end this process
    child.once('exit', () => {
      if (this.#child === child) this.#child = undefined
    })
    const over = new AbortController()
    const giveUp = () => over.abort()
    const timer = setTimeout(giveUp, START_MS)
    child.once('exit', giveUp)
    try {
      await once(child, 'message', { signal: over.signal })
    } finally {
      clearTimeout(timer)
      child.off('exit', giveUp)
    }
    child.unref()
    child.channel?.unref()
    return child
  }
}

/** The engine ends a process that is out of memory by one of these. */
const ENDED_BY_ENGINE: readonly (string | null)[] = ['SIGABRT', 'SIGTRAP', 'SIGILL']

function faultOf(code: number | null, signal: string | null): string {
  return code === OUT_OF_MEMORY || ENDED_BY_ENGINE.includes(signal)
    ? 'it takes too much memory'
    : 'its reader ended'
}
