import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { JournalEntry } from '#crawl/ports.ts'

/**
 * The segment being written: one JSON line for every finished fetch of the current cycle. A line
 * that was handed to the operating system outlives the process, so kill -9 loses only what was in
 * flight. The tables take over at the end of the cycle, and the segment is dropped.
 */
export class Journal {
  readonly #folder: string
  #cycle = -1
  #file = -1

  constructor(dir: string) {
    this.#folder = join(dir, 'segments')
    mkdirSync(this.#folder, { recursive: true })
  }

  append(entry: JournalEntry): void {
    if (entry.cycle !== this.#cycle) this.#begin(entry.cycle)
    const line = Buffer.from(`${JSON.stringify(entry)}\n`)
    let written = 0
    while (written < line.length) written += writeSync(this.#file, line, written)
  }

  /** Entries of cycles the tables do not know yet, oldest first. */
  pending(committedCycle: number): JournalEntry[] {
    return this.#segments()
      .filter(({ cycle }) => cycle > committedCycle)
      .sort((a, b) => a.cycle - b.cycle)
      .flatMap(({ path }) => readSegment(path))
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
    return readdirSync(this.#folder).flatMap((name) => {
      const match = /^cycle-(\d+)\.jsonl$/.exec(name)
      return match ? [{ cycle: Number(match[1]), path: join(this.#folder, name) }] : []
    })
  }
}

/** Whole lines only: the last may be cut off by a kill, and its fetch was then still in flight. */
function readSegment(path: string): JournalEntry[] {
  const lines = readFileSync(path, 'utf8').split('\n')
  lines.pop()
  return lines.map((line, i) => {
    try {
      return JSON.parse(line) as JournalEntry
    } catch (cause) {
      throw new Error(`${path}, line ${i + 1}: the journal is damaged`, { cause })
    }
  })
}
