import { appendFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '#repository/temporary-folder.test-kit.ts'
import { LogRotation } from './log-rotation.ts'

let folder: string
beforeEach(() => {
  folder = temporaryFolder()
})

const logs = () => readdirSync(folder).filter((name) => name.startsWith('events-'))
const sizeOf = (name: string) => statSync(join(folder, name)).size
const takeIn = (...names: string[]) => {
  const taken = Object.fromEntries(names.map((name) => [name, sizeOf(name)]))
  writeFileSync(join(folder, 'taken-in.json'), JSON.stringify(taken))
}

/** Writes as the query log does; gives the file, if there was room. */
function write(rotation: LogRotation, day: string, bytes: number): string | undefined {
  const name = rotation.nameFor(day, bytes)
  if (name !== undefined) appendFileSync(join(folder, name), 'x'.repeat(bytes))
  return name
}

test('a day has one file, and more where it is large; the next process goes on with the last', () => {
  const first = new LogRotation(folder, 1_600)
  const names = Array.from({ length: 5 }, () => write(first, '2026-01-31', 40))
  expect(names).toEqual([
    'events-2026-01-31.jsonl',
    'events-2026-01-31.jsonl',
    'events-2026-01-31.2.jsonl',
    'events-2026-01-31.2.jsonl',
    'events-2026-01-31.3.jsonl',
  ])
  const next = new LogRotation(folder, 1_600)
  expect(next.state).toMatchObject({ bytes: 200, isFull: false })
  expect(write(next, '2026-01-31', 60)).toBe('events-2026-01-31.3.jsonl')
  expect(write(next, '2026-02-01', 60)).toBe('events-2026-02-01.jsonl')
})

test('without room the oldest logs go that were taken in whole, and no others', () => {
  const rotation = new LogRotation(folder, 160)
  for (let n = 1; n <= 4; n++) write(rotation, `2026-01-0${n}`, 40)
  takeIn('events-2026-01-02.jsonl', 'events-2026-01-03.jsonl')
  appendFileSync(join(folder, 'events-2026-01-02.jsonl'), 'more') // written after it was taken in
  expect(write(rotation, '2026-01-05', 30)).toBe('events-2026-01-05.jsonl')
  expect(logs()).toEqual([1, 2, 4, 5].map((n) => `events-2026-01-0${n}.jsonl`))
  expect(rotation.state.bytes).toBe(40 + 44 + 40 + 30)
})

test('if nothing can be dropped, nothing is written, until it is looked again a minute later', () => {
  let elapsed = 0
  const rotation = new LogRotation(folder, 100, () => elapsed)
  write(rotation, '2026-01-01', 90)
  expect(write(rotation, '2026-01-02', 20)).toBeUndefined()
  takeIn('events-2026-01-01.jsonl')
  elapsed = 59_000
  expect(write(rotation, '2026-01-02', 20)).toBeUndefined()
  expect(rotation.state).toMatchObject({ isFull: true, unwritten: 2 })
  expect(logs()).toEqual(['events-2026-01-01.jsonl'])
  elapsed = 61_000
  expect(write(rotation, '2026-01-02', 20)).toBe('events-2026-01-02.jsonl')
  expect(rotation.state).toMatchObject({ bytes: 20, isFull: false, unwritten: 2 })
})

test('a log that was dropped is not begun again under the same name: the tables know it', () => {
  const rotation = new LogRotation(folder, 100)
  write(rotation, '2026-01-01', 60)
  takeIn('events-2026-01-01.jsonl')
  write(rotation, '2026-01-02', 60)
  expect(logs()).toEqual(['events-2026-01-02.jsonl'])
  expect(write(rotation, '2026-01-01', 10)).toBe('events-2026-01-01.2.jsonl') // the clock was set back
})

test('whatever is written and taken in, the logs stay within their size', () => {
  const steps = fc.array(
    fc.record({
      day: fc.integer({ min: 1, max: 9 }),
      bytes: fc.integer({ min: 1, max: 60 }),
      takesIn: fc.boolean(),
    }),
  )
  fc.assert(
    fc.property(steps, (script) => {
      for (const name of readdirSync(folder)) rmSync(join(folder, name))
      let elapsed = 0
      const rotation = new LogRotation(folder, 200, () => elapsed)
      for (const { day, bytes, takesIn } of script) {
        elapsed += 30_000
        write(rotation, `2026-01-0${day}`, bytes)
        if (takesIn) takeIn(...logs())
        const all = logs().reduce((sum, name) => sum + sizeOf(name), 0)
        expect(all).toBeLessThanOrEqual(200)
        expect(rotation.state.bytes).toBe(all)
      }
    }),
    { numRuns: 50 },
  )
})
