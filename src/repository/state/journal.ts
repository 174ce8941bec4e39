import {
  appendFileSync,
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import type { JournalEntry, StoredCrawl } from '#crawl/ports.ts'
import type { PlanEntry } from '#learn/entries/entry.ts'
import { resizedInOwnPages } from '#numeric/own-pages.ts'
import { DamagedFileError } from '../damage.ts'
import { syncToDisk } from '../durable-file.ts'
import { fetchFromStored, type StoredFetch, storedFetch } from '../log/stored-fetch.ts'
import { makeFolder } from '../make-folder.ts'
import { forEachJournalLine, lineHead } from './journal-lines.ts'

/** Room for the head of a line, whatever its length. */
const MOST_HEAD_BYTES = 20
/** Longer lines are rare, and still longer ones all but impossible. */
const KEPT_BYTES = 1 << 20
const MOST_BYTES = 1 << 26

type StoredLine = StoredFetch<JournalEntry> | PlanEntry

/**
 * The segment being written: one JSON line with its checksum for the plan of the current cycle, and for
 * every finished fetch. A line that was handed to the operating system outlives the process, so kill -9 loses only what
 * was in flight. Log and tables take over at the end of the cycle, and the segment is dropped.
 */
export class Journal {
  readonly #folder: string
  /** The directory that complaints name: where this one was copied from, if it was. */
  readonly #shownDir: string
  #cycle = -1
  #file = -1
  /** Reused: a line a page is a lot of garbage. */
  #bytes = resizedInOwnPages(Buffer.alloc(0), KEPT_BYTES, MOST_BYTES)

  constructor(dir: string, copiedFrom = dir) {
    this.#folder = join(dir, 'segments')
    this.#shownDir = copiedFrom
    makeFolder(this.#folder)
  }

  /** Makes the plan of a cycle durable, before any of its fetches. */
  begin(plan: PlanEntry): void {
    this.#write(plan)
  }

  append(entry: JournalEntry): void {
    this.#write(storedFetch(entry))
  }

  #write(entry: StoredLine): void {
    if (entry.cycle !== this.#cycle) this.#begin(entry.cycle)
    const json = JSON.stringify(entry)
    const bytes = this.#roomFor(MOST_HEAD_BYTES + mostBytesOf(json) + 1)
    const end = MOST_HEAD_BYTES + bytes.write(json, MOST_HEAD_BYTES)
    const head = lineHead(bytes.subarray(MOST_HEAD_BYTES, end))
    const start = MOST_HEAD_BYTES - head.length
    bytes.write(head, start)
    bytes.write('\n', end)
    for (let at = start; at <= end; ) at += writeSync(this.#file, bytes, at, end + 1 - at)
    // What one long page needs is not kept for all that follow.
    if (bytes.length > KEPT_BYTES) this.#bytes = resizedInOwnPages(bytes, KEPT_BYTES)
  }

  #roomFor(bytes: number): Buffer {
    if (bytes > this.#bytes.length) this.#bytes = resizedInOwnPages(this.#bytes, bytes)
    return this.#bytes
  }

  /** From here on all entries outlive a power cut too. */
  sync(): void {
    for (const { path } of this.#segments()) syncToDisk(path)
    syncToDisk(this.#folder)
  }

  /** Fetches of cycles the tables do not know yet, oldest first, and the plan that they were made by. */
  pending(committedCycle: number): Pick<StoredCrawl, 'pending' | 'plan'> {
    const lines = this.#segments()
      .filter(({ cycle }) => cycle > committedCycle)
      .sort((a, b) => a.cycle - b.cycle)
      .flatMap(({ path }) => readSegment(path, this.#shownDir))
    return {
      pending: lines.filter((line) => 'outcome' in line).map(fetchFromStored),
      plan: lines.find((line) => 'underWay' in line),
    }
  }

  /** Drops the segments the tables have taken over. */
  dropThrough(committedCycle: number): void {
    this.close()
    for (const { cycle, path } of this.#segments()) if (cycle <= committedCycle) rmSync(path)
  }

  close(): void {
    if (this.#file >= 0) closeSync(this.#file)
    this.#file = -1
    this.#cycle = -1
  }

  #begin(cycle: number): void {
    this.close()
    this.#file = openSync(join(this.#folder, `cycle-${cycle}.jsonl`), 'a')
    this.#cycle = cycle
  }

  #segments(): { cycle: number; path: string }[] {
    return namesIn(this.#folder).map((name) => ({
      cycle: cycleOf(name),
      path: join(this.#folder, name),
    }))
  }
}

/** At least as many bytes as a text has in UTF-8; they are counted only if they may be many. */
function mostBytesOf(text: string): number {
  return 3 * text.length < KEPT_BYTES / 2 ? 3 * text.length : Buffer.byteLength(text)
}

/** The journal files in a crawl's directory; none if every fetch is in the tables. */
export function journalFiles(dir: string): string[] {
  const folder = join(dir, 'segments')
  return existsSync(folder) ? namesIn(folder) : []
}

/** The cycle of a journal file. */
export function cycleOf(name: string): number {
  return Number(/\d+/.exec(name)![0])
}

function namesIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => /^cycle-\d+\.jsonl$/.test(name))
}

/**
 * The entries of a segment. Its last line may be cut off by a kill, and its fetch was then still in
 * flight: it is removed, so that the next entry begins a line of its own.
 */
function readSegment(path: string, shownDir: string): StoredLine[] {
  const entries: StoredLine[] = []
  const { wholeBytes, lacksNewline } = forEachJournalLine(path, ({ line, json }) => {
    if (json === undefined) {
      const shownPath = join(shownDir, 'segments', basename(path))
      throw new DamagedFileError(shownPath, `line ${line} does not match its checksum`, shownDir)
    }
    entries.push(JSON.parse(json))
  })
  truncateSync(path, wholeBytes)
  if (lacksNewline) appendFileSync(path, '\n')
  return entries
}
