import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import type { JournalEntry } from '#crawl/ports.ts'
import { UsageError } from '#parse/usage-error.ts'
import { syncToDisk } from '../durable-file.ts'

const NEWLINE = 10
/** A segment may be larger than the longest string, so it is read in bites. */
const BITE_BYTES = 1 << 20

/**
 * The segment being written: one JSON line for every finished fetch of the current cycle. A line
 * that was handed to the operating system outlives the process, so kill -9 loses only what was in
 * flight. The tables take over at the end of the cycle, and the segment is dropped.
 */
export class Journal {
  readonly #folder: string
  /** The folder that complaints name: where this one was copied from, if it was. */
  readonly #shownFolder: string
  #cycle = -1
  #file = -1
  #bytes = Buffer.alloc(0) // reused: a line a page is a lot of garbage

  constructor(dir: string, copiedFrom = dir) {
    this.#folder = join(dir, 'segments')
    this.#shownFolder = join(copiedFrom, 'segments')
    mkdirSync(this.#folder, { recursive: true })
  }

  append(entry: JournalEntry): void {
    if (entry.cycle !== this.#cycle) this.#begin(entry.cycle)
    const line = `${JSON.stringify(entry)}\n`
    const most = 3 * line.length // bytes of a UTF-16 unit
    if (most > this.#bytes.length) this.#bytes = Buffer.allocUnsafe(2 * most)
    const length = this.#bytes.write(line)
    let written = 0
    while (written < length)
      written += writeSync(this.#file, this.#bytes, written, length - written)
  }

  /** From here on all entries outlive a power cut too. */
  sync(): void {
    for (const { path } of this.#segments()) syncToDisk(path)
    syncToDisk(this.#folder)
  }

  /** Entries of cycles the tables do not know yet, oldest first. */
  pending(committedCycle: number): JournalEntry[] {
    return this.#segments()
      .filter(({ cycle }) => cycle > committedCycle)
      .sort((a, b) => a.cycle - b.cycle)
      .flatMap(({ path }) => readSegment(path, join(this.#shownFolder, basename(path))))
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
      cycle: Number(/\d+/.exec(name)![0]),
      path: join(this.#folder, name),
    }))
  }
}

/** The journal files in a crawl's directory; none if every fetch is in the tables. */
export function journalFiles(dir: string): string[] {
  const folder = join(dir, 'segments')
  return existsSync(folder) ? namesIn(folder) : []
}

function namesIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => /^cycle-\d+\.jsonl$/.test(name))
}

/**
 * The entries of a segment. Its last line may be cut off by a kill, and its fetch was then still in
 * flight: it is removed, so that the next entry begins a line of its own.
 */
function readSegment(path: string, shownPath: string): JournalEntry[] {
  const entries: JournalEntry[] = []
  const wholeBytes = forEachLine(path, (line) => {
    try {
      entries.push(JSON.parse(line))
    } catch (cause) {
      throw new UsageError(
        `${shownPath}, line ${entries.length + 1}: the journal is damaged; repair the line, or delete the file and lose what it holds`,
        { cause },
      )
    }
  })
  truncateSync(path, wholeBytes)
  return entries
}

/** Calls `visit` with every line that ends in a newline; gives the bytes up to the last of these. */
function forEachLine(path: string, visit: (line: string) => void): number {
  const file = openSync(path, 'r')
  try {
    let wholeBytes = 0
    let begun: Buffer[] = []
    for (;;) {
      const bite = Buffer.allocUnsafe(BITE_BYTES)
      const length = readSync(file, bite)
      if (length === 0) return wholeBytes
      let start = 0
      for (let end = 0; ; start = end + 1) {
        end = bite.subarray(0, length).indexOf(NEWLINE, start)
        if (end < 0) break
        const line = Buffer.concat([...begun, bite.subarray(start, end)])
        begun = []
        visit(line.toString('utf8'))
        wholeBytes += line.length + 1
      }
      begun.push(bite.subarray(start, length))
    }
  } finally {
    closeSync(file)
  }
}
