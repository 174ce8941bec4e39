import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '#repository/make-folder.ts'
import type { NoteListener } from '../open/crawl-note.ts'
import type { CrawlOptions } from '../settings/crawl-options.ts'
import { ledgerFile, PlannedCrawl } from './planned-crawl.ts'

/** The crawl of clients that name none. */
export const DEFAULT_CRAWL = 'DEFAULT'
/** Each is a plan of its own, in memory. */
const MOST_CRAWLS = 32
/** As it becomes the name of a folder. */
const CRAWL_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/
/** Names of files beside these folders; some systems take other letters for the same. */
const TAKEN = /^inactive$|\.urls\.jsonl/i

/** Why there is no such crawl, and cannot be. */
export class CrawlRefused extends Error {
  override readonly name = 'CrawlRefused'
}

/** The crawls of a URL frontier: each has a folder, and plans by itself. */
export class FrontierCrawls implements AsyncDisposable {
  readonly #options: CrawlOptions & { readonly dir: string }
  readonly #note: NoteListener
  readonly #crawls = new Map<string, PlannedCrawl>()
  /** Those that are being deleted: one of the same name would share their folder. */
  readonly #leaving = new Set<string>()
  #isActive: boolean

  /** `dir` is where the crawls' folders are; those that are there go on. */
  constructor(options: CrawlOptions & { readonly dir: string }, note: NoteListener) {
    this.#options = options
    this.#note = note
    makeFolder(options.dir)
    this.#isActive = !existsSync(this.#pausedFile)
    for (const id of idsIn(options.dir)) this.#open(id)
  }

  /** The crawls that hold something. */
  ids(): string[] {
    return [...this.#crawls.keys()].filter((id) => this.#crawls.get(id)!.ledger.size > 0)
  }

  get(id: string): PlannedCrawl | undefined {
    return this.#crawls.get(id)
  }

  all(): PlannedCrawl[] {
    return [...this.#crawls.values()]
  }

  /** One that is there, or is made. */
  of(id: string): PlannedCrawl {
    return this.#crawls.get(id) ?? this.#open(id)
  }

  /** Lets go of a crawl; gives how many URLs it had. */
  async delete(id: string): Promise<number> {
    const crawl = this.#crawls.get(id)
    if (!crawl) return 0
    this.#crawls.delete(id)
    this.#leaving.add(id)
    const { size } = crawl.ledger
    try {
      await crawl.remove()
    } finally {
      this.#leaving.delete(id)
    }
    return size
  }

  /** Whether anything is handed out at all. */
  get isActive(): boolean {
    return this.#isActive
  }

  set isActive(isActive: boolean) {
    this.#isActive = isActive
    if (isActive) rmSync(this.#pausedFile, { force: true })
    else writeFileSync(this.#pausedFile, '')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.all().map((crawl) => crawl.close()))
  }

  get #pausedFile(): string {
    return join(this.#options.dir, 'inactive')
  }

  #open(id: string): PlannedCrawl {
    if (this.#leaving.has(id)) throw new CrawlRefused('that crawl is being deleted')
    if (!CRAWL_ID.test(id) || TAKEN.test(id))
      throw new CrawlRefused('a crawl ID has letters, digits, dot, dash and underscore, 64 at most')
    if (this.#crawls.size >= MOST_CRAWLS)
      throw new CrawlRefused(`there are ${MOST_CRAWLS} crawls: delete one first`)
    const crawl = new PlannedCrawl(
      { ...this.#options, dir: join(this.#options.dir, id) },
      this.#note,
    )
    this.#crawls.set(id, crawl)
    return crawl
  }
}

const ENDING = ledgerFile('')

function idsIn(dir: string): string[] {
  const ledgers = readdirSync(dir).filter((name) => name.endsWith(ENDING))
  return ledgers.map((name) => name.slice(0, -ENDING.length)).sort()
}
