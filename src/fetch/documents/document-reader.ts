import type { DocumentFormat } from '#parse/page/document-format.ts'
import { hostOf } from '#parse/url/canonical-url.ts'
import { registrableDomain } from '#parse/url/registrable-domain.ts'
import type { Document, ReadDocument } from './read-document.ts'
import { type Reading, ReadingProcess } from './reading-process.ts'

/** Which documents are read, and what one may cost. */
export interface DocumentOptions {
  readonly formats: readonly DocumentFormat[]
  readonly mostMs: number
  /** For objects and texts, and as much again for arrays of bytes. */
  readonly mostBytes: number
}

/** When a document is set aside, and how many may be. */
export interface AsideLimits {
  readonly quickMs: number
  readonly most: number
  /** What their bodies may hold together; one always may. */
  readonly mostBytes: number
}

const ASIDE: AsideLimits = { quickMs: 2_000, most: 64, mostBytes: 32 * 1024 * 1024 }
/** The slow domains of longest ago are forgotten beyond these. */
const MOST_SLOW = 10_000

/** What reads one document at a time. */
export type OneReader = Pick<ReadingProcess, 'read' | 'isThere' | 'end'>

type Read = ReadDocument | undefined
/** What a turn came to; what was set aside is waited for elsewhere. */
type Turn = { readonly read: Read } | { readonly aside: Promise<Read> }

const LATE = Symbol('late')

/**
 * Reads documents in processes of their own, so that no file can hold up fetching or take more time and memory than it may.
 * Nor can it hold up those of other domains: one that is not read soon is set aside, and so are from then on those of
 * its domain, until one is read as soon as others. What is set aside has a process and a limit of its own.
 */
export class DocumentReader {
  readonly #options: DocumentOptions
  readonly #aside: AsideLimits
  #quick: OneReader
  #slow: OneReader
  #lastQuick: Promise<unknown> = Promise.resolve()
  #lastSlow: Promise<unknown> = Promise.resolve()
  /** Set aside, and not read yet. */
  readonly #waiting = new Set<Document>()
  readonly #slowDomains = new Set<string>()
  readonly #closed = new AbortController()

  constructor(
    options: DocumentOptions,
    aside = ASIDE,
    reader = (): OneReader => new ReadingProcess(options.mostBytes),
  ) {
    this.#options = options
    this.#aside = { ...aside, quickMs: Math.min(aside.quickMs, options.mostMs) }
    this.#quick = reader()
    this.#slow = reader()
  }

  /** What a document says, when it is its turn. Nothing when `end` aborts before. `onAside` is called if it is set aside. */
  async read(document: Document, end?: AbortSignal, onAside = () => {}): Promise<Read> {
    const closed = this.#closed.signal
    const signal = end ? AbortSignal.any([end, closed]) : closed
    const isSlow = this.#slowDomains.has(domainOf(document))
    const turn = isSlow
      ? this.#setAside(document, signal)
      : await this.#inTurn(() => this.#readSoon(document, signal))
    if ('read' in turn) return turn.read
    onAside()
    return turn.aside
  }

  async close(): Promise<void> {
    this.#closed.abort()
    this.#quick.end()
    this.#slow.end()
  }

  #inTurn(work: () => Promise<Turn>): Promise<Turn> {
    const turn = this.#lastQuick.then(work)
    this.#lastQuick = turn.catch(() => {})
    return turn
  }

  async #readSoon(document: Document, end: AbortSignal): Promise<Turn> {
    if (end.aborted) return { read: undefined }
    const process = this.#quick
    const reading = process.read(document)
    const { quickMs } = this.#aside
    const read = await within(quickMs, reading, end)
    if (end.aborted) process.end()
    if (read === LATE || !process.isThere) this.#noteSlow(document)
    if (read !== LATE) return { read }
    if (this.#waiting.size > 0 || quickMs >= this.#options.mostMs) {
      process.end()
      return this.#setAside(document, end)
    }
    // Nobody is at the other process, so that one takes over here.
    this.#quick = this.#slow
    this.#slow = process
    return this.#setAside(document, end, reading)
  }

  /** From here on a document waits for those only that were set aside as well. */
  #setAside(document: Document, end: AbortSignal, begun?: Reading): Turn {
    const { mostMs } = this.#options
    if (this.#aside.quickMs >= mostMs) return { read: tooSlow(mostMs) }
    if (!this.#hasRoomFor(document))
      return { read: { fault: 'takes long to read, as too many do' } }
    this.#waiting.add(document)
    const aside = this.#lastSlow
      .then(() => this.#readSlowly(document, end, begun))
      .finally(() => this.#waiting.delete(document))
    this.#lastSlow = aside.catch(() => {})
    return { aside }
  }

  async #readSlowly(document: Document, end: AbortSignal, begun?: Reading): Promise<Read> {
    if (end.aborted) return undefined
    const { mostMs } = this.#options
    const { quickMs } = this.#aside
    const reading = begun ?? this.#slow.read(document)
    let read = begun ? LATE : await within(quickMs, reading, end)
    if (read !== LATE && this.#slow.isThere) this.#slowDomains.delete(domainOf(document))
    if (read === LATE) read = await within(mostMs - quickMs, reading, end)
    if (read === LATE || end.aborted) this.#slow.end()
    return read === LATE ? tooSlow(mostMs) : read
  }

  #hasRoomFor({ body }: Document): boolean {
    const { most, mostBytes } = this.#aside
    const bytes = [...this.#waiting].reduce((sum, other) => sum + other.body.length, body.length)
    return this.#waiting.size === 0 || (this.#waiting.size < most && bytes <= mostBytes)
  }

  #noteSlow(document: Document): void {
    this.#slowDomains.add(domainOf(document))
    const [oldest] = this.#slowDomains
    if (this.#slowDomains.size > MOST_SLOW) this.#slowDomains.delete(oldest)
  }
}

/** What a document says, if it is read in time; nothing when `end` aborts before. */
async function within(
  ms: number,
  { answer, begun }: Reading,
  end: AbortSignal,
): Promise<Read | typeof LATE> {
  const over = Promise.withResolvers<undefined | typeof LATE>()
  const breakOff = () => over.resolve(undefined)
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  end.addEventListener('abort', breakOff)
  if (end.aborted) breakOff()
  void begun.then(() => {
    if (!isOver) timer = setTimeout(() => over.resolve(LATE), ms)
  })
  try {
    return await Promise.race([answer, over.promise])
  } finally {
    isOver = true
    clearTimeout(timer)
    end.removeEventListener('abort', breakOff)
  }
}

function tooSlow(mostMs: number): ReadDocument {
  return { fault: `not read within ${mostMs / 1000} s` }
}

function domainOf({ url }: Document): string {
  return registrableDomain(hostOf(url))
}
