import { appendFileSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import type { SearchEvent } from '#workload/formats/ubi.ts'
import { openDatabase } from '../database/open-database.ts'
import { CASES, damageFile, FOR_CASES, randomDamage } from '../random-damage.test-kit.ts'
import { takeInSearchEvents } from '../state/open-queries.ts'
import { temporaryFolder } from '../temporary-folder.test-kit.ts'
import { checkSearchLog, repairSearchLog } from './check-search-log.ts'
import { loadQueries } from './load-workload.ts'
import { readSearchEventLine, searchEventLine } from './search-event-lines.ts'

const NOW = Date.UTC(2026, 0, 31) / 1000
const FILE = 'queries/events-2026-01-31.jsonl'
let dir: string

const query = (id: number): SearchEvent => ({
  query_id: `q${id}`,
  client_id: 'c',
  user_query: `boots ${id}`,
  timestamp: `2026-01-30T10:00:${String(id).padStart(2, '0')}.000Z`,
  query_response_hit_ids: [`https://a.org/${id}`, 'https://b.org/ünï'],
})
const path = () => join(dir, FILE)
const lines = () => readFileSync(path(), 'utf8').split('\n').slice(0, -1)

beforeEach(() => {
  dir = temporaryFolder()
  mkdirSync(join(dir, 'queries'))
  // The first lines are of the first edition, without checksums.
  const old = [1, 2].map((id) => `${JSON.stringify(query(id))}\n`)
  const sealed = Array.from({ length: 20 }, (_, i) => searchEventLine(query(i + 3)))
  writeFileSync(path(), [...old, ...sealed].join(''))
})

async function takenIn(): Promise<string[]> {
  const { connection, close } = await openDatabase(dir)
  try {
    return (await loadQueries(connection, NOW)).map(({ text }) => text).sort()
  } finally {
    close()
  }
}

test('logs of both editions are whole', async () => {
  expect(await checkSearchLog(dir)).toEqual([])
  expect(await checkSearchLog(join(dir, 'nowhere'))).toEqual([])
})

test(
  'whatever happens to lines with checksums is named, or they say what they said',
  FOR_CASES,
  async () => {
    writeFileSync(
      path(),
      lines()
        .slice(2)
        .map((line) => `${line}\n`)
        .join(''),
    )
    const before = lines().map(readSearchEventLine)
    const property = fc.asyncProperty(randomDamage, async (damage) => {
      const whole = damageFile(path(), damage)
      if (!whole) return
      try {
        const found = await checkSearchLog(dir)
        if (found.length > 0) {
          expect(found.map(({ file }) => file)).toEqual([FILE])
          await repairSearchLog(dir)
          expect(await checkSearchLog(dir)).toEqual([])
        }
        const left = lines().flatMap((line) => readSearchEventLine(line) || [])
        // Lines at the end may be gone without a trace: nobody can tell them from lines that never came.
        const kept = damage.kind === 'cut' ? before.slice(0, left.length) : before
        if (found.length > 0) expect(before).toEqual(expect.arrayContaining(left))
        else expect(left).toEqual(kept)
      } finally {
        writeFileSync(path(), whole)
      }
    })
    await fc.assert(property, { numRuns: CASES })
  },
)

test('a line is left alone while it is being written, and taken out if it was cut off', async () => {
  const line = searchEventLine(query(40))
  appendFileSync(path(), line.slice(0, 30))
  const checked = checkSearchLog(dir)
  appendFileSync(path(), line.slice(30))
  expect(await checked).toEqual([])
  appendFileSync(path(), line.slice(0, 30)) // a full disk, say
  expect(await checkSearchLog(dir)).toMatchObject([{ problem: 'line 24' }])
  await repairSearchLog(dir)
  appendFileSync(path(), searchEventLine(query(41)))
  expect(await takeInSearchEvents(dir, NOW)).toMatchObject({ asked: 24, skipped: [] })
})

test('a damaged line is named and left out when the log is taken in, and no other', async () => {
  const bytes = readFileSync(path())
  bytes[bytes.indexOf('boots 7') + 6] = '9'.charCodeAt(0)
  writeFileSync(path(), bytes)
  const report = await takeInSearchEvents(dir, NOW)
  expect(report).toMatchObject({
    asked: 21,
    skipped: [{ file: path(), line: 7, reason: 'damaged' }],
  })
  const texts = await takenIn()
  expect(texts).toHaveLength(21)
  expect(texts).not.toContain('boots 7')
  // It is named once more by a check, and blanks take its place: the tables go by bytes.
  expect(await checkSearchLog(dir)).toMatchObject([{ file: FILE, problem: 'line 7' }])
  await repairSearchLog(dir)
  expect(readFileSync(path()).length).toBe(bytes.length)
  appendFileSync(path(), searchEventLine(query(30)))
  expect(await takeInSearchEvents(dir, NOW)).toMatchObject({ asked: 1, skipped: [] })
})

test('a log shorter than what was taken in is told, and what comes later is taken in whole', async () => {
  await takeInSearchEvents(dir, NOW)
  truncateSync(path(), readFileSync(path()).length - 300)
  const [found] = await checkSearchLog(dir)
  expect(found).toMatchObject({ file: FILE, problem: expect.stringMatching(/bytes of the \d+/) })
  expect(found.lost).toBeUndefined() // the tables have it
  expect(await repairSearchLog(dir)).toEqual([])
  expect(await checkSearchLog(dir)).toEqual([])
  appendFileSync(path(), searchEventLine(query(30)))
  expect(await takeInSearchEvents(dir, NOW)).toMatchObject({ asked: 1, skipped: [] })
})
