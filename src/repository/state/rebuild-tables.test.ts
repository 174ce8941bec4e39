import { cpSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import type { CycleRecord } from '#crawl/ports.ts'
import { apply } from '#learn/apply.ts'
import { knowledge } from '#learn/knowledge.ts'
import { isThorough } from '#numeric/cases.test-kit.ts'
import { openDatabase } from '../database/open-database.ts'
import { KeptLog } from '../log/kept-log.ts'
import { differingTables } from '../tables/same-tables.test-kit.ts'
import { temporaryFolder } from '../temporary-folder.test-kit.ts'
import { CrawlStore } from './crawl-store.ts'
import { openTables } from './open-tables.ts'
import { CYCLES, DAY, PATHS, randomSites } from './random-sites.test-kit.ts'
import { rebuildTables } from './rebuild-tables.ts'

let dir: string
beforeEach(() => {
  dir = temporaryFolder()
})

const tablesIn = (folder: string) => join(folder, 'state.duckdb')
const sites = randomSites(11, isThorough ? 200 : 60)
const seeds = Array.from({ length: sites.count }, (_, site) =>
  PATHS.map((path) => `https://s${site}.org/${path}`),
).flat()

/** One run of a crawl over some cycles; each run names some more seeds, and asks for all of them again. */
async function runCycles(from: number, to: number, knownSeeds: readonly string[]): Promise<void> {
  const store = await CrawlStore.open(dir)
  const { frontier } = await store.load()
  await store.saveSettings({ seeds: JSON.stringify(knownSeeds), run: String(from) })
  const known = knowledge({ frontier, seeds: knownSeeds })
  const begunAt = 10 * DAY * from - DAY
  apply({ kind: 'run', at: begunAt, queries: [] }, known)
  await store.beginRun(begunAt, frontier)
  for (let cycle = from; cycle < to; cycle++) {
    const at = 10 * DAY * cycle
    const outcomes = sites.outcomesOf(cycle, at).filter(({ id }) => id < knownSeeds.length)
    const forecast = { purpose: 'acquire', predictedGain: 0.1 * cycle, bid: 1 / 3 } as const
    for (const outcome of outcomes)
      apply({ kind: 'fetch', ...forecast, outcome, realisedGain: cycle / 7 }, known)
    const { fetches } = apply({ kind: 'end', cycle, at }, known)
    const progress = [{ query: 'otter', averageScore: 1 / cycle, newResults: cycle }]
    const record = { cycle, startedAt: at, endedAt: at + 1, planned: 9, price: 0.1, progress }
    await store.commit({ ...record, fetches } satisfies CycleRecord, frontier)
  }
  store.close()
}

const some = seeds.slice(0, seeds.length / 2)

test('tables made from the log are those that were, whatever a crawl met and however often it began', async () => {
  await runCycles(1, 4, some)
  await runCycles(4, 9, seeds)
  await runCycles(9, CYCLES, seeds)
  await rebuildTables(dir)
  expect(await differingTables(`${tablesIn(dir)}.damaged`, tablesIn(dir))).toEqual([])
})

test('what tables lack is taken up from the log, once, though the journal has it too', async () => {
  await runCycles(1, 3, seeds)
  const before = join(dir, 'before')
  cpSync(tablesIn(dir), before)
  await runCycles(3, 5, seeds)
  const after = join(dir, 'after')
  cpSync(tablesIn(dir), after)
  // As a kill leaves it that came after the log was written, and before the tables had it.
  cpSync(before, tablesIn(dir))
  const [outcome] = sites.outcomesOf(4, DAY)
  const killed = await CrawlStore.open(dir)
  await killed.journal({ cycle: 4, purpose: 'acquire', predictedGain: 0, outcome })
  const { pending, cycle, takenUp } = await killed.load()
  killed.close()
  expect({ pending, cycle }).toEqual({ pending: [], cycle: 4 })
  expect(takenUp).toBeGreaterThan(0)
  expect(await differingTables(after, tablesIn(dir))).toEqual([])
})

test('tables that are gone are made again when they are next opened', async () => {
  await runCycles(1, 3, some)
  const before = join(dir, 'before')
  cpSync(tablesIn(dir), before)
  rmSync(tablesIn(dir))
  const store = await CrawlStore.openToLook(dir, () => join(dir, 'copy'))
  expect((await store.load()).cycle).toBe(2)
  store.close()
  expect(existsSync(tablesIn(dir)), 'who looks writes nothing').toBe(false)
  const { takenUp, close } = await openTables(dir)
  close()
  expect(takenUp.entries).toBe(new KeptLog(dir).last())
  expect(await differingTables(before, tablesIn(dir))).toEqual([])
})

test('a log begins with the tables of a directory that had none, and they are made from both', async () => {
  await runCycles(1, 3, some)
  rmSync(join(dir, 'log'), { recursive: true })
  const { connection, close } = await openDatabase(dir)
  await connection.run("DELETE FROM meta WHERE key = 'log_position'")
  close()
  await runCycles(3, 6, seeds)
  expect(new KeptLog(dir).numbers().base).toBe(0)
  await rebuildTables(dir)
  expect(await differingTables(`${tablesIn(dir)}.damaged`, tablesIn(dir))).toEqual([])
})

test('an opening that could not write the base begins the log anew next time, with nothing lost', async () => {
  await runCycles(1, 3, some)
  rmSync(join(dir, 'log'), { recursive: true })
  const { connection, close } = await openDatabase(dir)
  await connection.run("DELETE FROM meta WHERE key = 'log_position'")
  close()
  writeFileSync(join(dir, 'log'), 'in the way')
  await expect(openTables(dir)).rejects.toThrow()
  rmSync(join(dir, 'log'))
  await runCycles(3, 4, seeds)
  expect(new KeptLog(dir).numbers().base).toBe(0)
  await rebuildTables(dir)
  expect(await differingTables(`${tablesIn(dir)}.damaged`, tablesIn(dir))).toEqual([])
})

test('tables that are behind the base of their log, or ahead of it, are not written to', async () => {
  await runCycles(1, 3, some)
  const log = new KeptLog(dir)
  rmSync(log.pathOf(log.last()))
  await expect(openTables(dir)).rejects.toThrow(
    /log is damaged \(it has 3 entries, and the tables 4\)/,
  )
  rmSync(log.pathOf(1))
  rmSync(tablesIn(dir))
  await expect(openTables(dir)).rejects.toThrow(/000001\.jsonl\.zst is damaged \(it is missing\)/)
})
