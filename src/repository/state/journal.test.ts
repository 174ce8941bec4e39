import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import type { JournalEntry } from '#crawl/ports.ts'
import { cases } from '#numeric/cases.test-kit.ts'
import { DamagedFileError } from '../damage.ts'
import { temporaryFolder } from '../temporary-folder.test-kit.ts'
import { Journal } from './journal.ts'
import { lineHead } from './journal-lines.ts'

let dir: string
beforeEach(() => {
  dir = temporaryFolder()
})

function entry(id: number, reason: string): JournalEntry {
  const outcome = { kind: 'failed', id, url: `https://a.org/${id}`, at: 1, ms: 2, reason } as const
  return { cycle: 1, purpose: 'acquire', predictedGain: 0.5, outcome: { ...outcome, sent: true } }
}

function written(entries: readonly JournalEntry[]): void {
  const journal = new Journal(dir)
  for (const each of entries) journal.append(each)
  journal.close()
}

const segment = () => join(dir, 'segments', 'cycle-1.jsonl')

/** Where each line ends, its newline included. */
function endsOf(bytes: Buffer): number[] {
  return [...bytes.keys()].filter((at) => bytes[at] === 10).map((at) => at + 1)
}

test('a journal cut anywhere gives its whole lines, and the next entry is readable too', () => {
  const entries = [entry(1, 'timeout'), entry(2, 'höst not found'), entry(3, 'reset')]
  written(entries)
  const ends = endsOf(readFileSync(segment()))
  new Journal(dir).dropThrough(1)
  fc.assert(
    fc.property(fc.nat(ends[2]), (cut) => {
      written(entries)
      truncateSync(segment(), cut)
      // A line that lacks nothing but its newline is a finished fetch.
      const whole = entries.filter((_, i) => ends[i] - 1 <= cut)
      expect(new Journal(dir).pending(0).pending).toEqual(whole)
      written([entry(4, 'later')])
      expect(new Journal(dir).pending(0).pending).toEqual([...whole, entry(4, 'later')])
      new Journal(dir).dropThrough(1)
    }),
  )
})

test('lines longer than a bite, and bites that end within a character, are read whole', () => {
  const entries = [
    entry(1, 'ä'.repeat(1_500_000)),
    entry(2, 'short'),
    entry(3, 'ö'.repeat(700_001)),
  ]
  written(entries)
  expect(new Journal(dir).pending(0).pending).toEqual(entries)
})

test('every damage to a journal is named with its line, or changes nothing', () => {
  const entries = [entry(1, 'timeout'), entry(2, 'höst not found'), entry(3, 'reset')]
  written(entries)
  const good = readFileSync(segment())
  const ends = endsOf(good)
  const damage = fc.tuple(fc.nat(good.length - 1), fc.uint8Array({ minLength: 1, maxLength: 40 }))
  fc.assert(
    fc.property(damage, ([at, bytes]) => {
      const damaged = Buffer.from(good)
      damaged.set(bytes.subarray(0, good.length - at), at)
      writeFileSync(segment(), damaged)
      const firstHit = good.findIndex((byte, i) => byte !== damaged[i])
      if (firstHit < 0) return
      const isLastNewline = firstHit === good.length - 1
      const line = ends.findIndex((end) => firstHit < end) + 1
      if (isLastNewline) expect(new Journal(dir).pending(0).pending).toEqual(entries)
      else
        expect(() => new Journal(dir).pending(0).pending).toThrow(
          new DamagedFileError(segment(), `line ${line} does not match its checksum`, dir),
        )
    }),
    { numRuns: cases(100, 500) },
  )
})

test('a last line without its newline is kept, and the next entry begins a line of its own', () => {
  for (const lost of ['', 'x']) {
    written([entry(1, 'timeout')])
    const good = readFileSync(segment())
    writeFileSync(segment(), Buffer.concat([good.subarray(0, -1), Buffer.from(lost)]))
    expect(new Journal(dir).pending(0).pending).toEqual([entry(1, 'timeout')])
    written([entry(2, 'later')])
    expect(new Journal(dir).pending(0).pending).toEqual([entry(1, 'timeout'), entry(2, 'later')])
    new Journal(dir).dropThrough(1)
  }
})

test('lines of the first edition, which had no checksum, are read', () => {
  written([])
  const lines = [entry(1, 'timeout'), entry(2, 'reset')].map((each) => JSON.stringify(each))
  const json = Buffer.from(lines[1])
  writeFileSync(segment(), `${lines[0]}\n${lineHead(json)}${json}\n{"cycle":1,`)
  expect(new Journal(dir).pending(0).pending).toEqual([entry(1, 'timeout'), entry(2, 'reset')])
})

test('predictions and views are written and read under the names of the first edition', () => {
  const predicted = { ...entry(1, 'timeout'), prediction: { acquire: 0.25, links: 3 }, views: 0.5 }
  written([predicted])
  const line = readFileSync(segment(), 'utf8')
  expect(JSON.parse(line.slice(line.indexOf('{')))).toMatchObject({
    thought: { acquire: 0.25, links: 3 },
    clicks: 0.5,
  })
  expect(new Journal(dir).pending(0).pending).toEqual([predicted])
})
