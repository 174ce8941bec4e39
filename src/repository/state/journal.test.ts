import { mkdtempSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { JournalEntry } from '#crawl/ports.ts'
import { Journal } from './journal.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'forager-journal-'))
})
afterEach(() => {
  rmSync(dir, { recursive: true, force: true })
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

test('a journal cut anywhere gives its whole lines, and the next entry is readable too', () => {
  const entries = [entry(1, 'timeout'), entry(2, 'höst not found'), entry(3, 'reset')]
  const ends = entries.map((_, i) =>
    Buffer.byteLength(
      entries
        .slice(0, i + 1)
        .map((each) => `${JSON.stringify(each)}\n`)
        .join(''),
    ),
  )
  fc.assert(
    fc.property(fc.nat(ends[2]), (cut) => {
      written(entries)
      truncateSync(join(dir, 'segments', 'cycle-1.jsonl'), cut)
      const whole = entries.filter((_, i) => ends[i] <= cut)
      expect(new Journal(dir).pending(0)).toEqual(whole)
      written([entry(4, 'later')])
      expect(new Journal(dir).pending(0)).toEqual([...whole, entry(4, 'later')])
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
  expect(new Journal(dir).pending(0)).toEqual(entries)
})
