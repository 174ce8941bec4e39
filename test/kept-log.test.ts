import { cpSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isThorough } from '#numeric/cases.test-kit.ts'
import { rebuildTables } from '#repository/state/rebuild-tables.ts'
import { differingTables } from '../src/repository/tables/same-tables.test-kit.ts'
import { forager } from './forager-process.ts'
import { modelWebFolder } from './model-web-folder.ts'

const { archive, inFolder } = modelWebFolder(6)

async function run(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await forager(...args)
  expect(code, stderr).toBe(0)
  return stdout
}

/** A crawl of three runs some weeks apart, with queries that come in between. */
async function crawlSomeWeeks(dir: string): Promise<void> {
  for (const [i, week] of [1, 3, 5].entries()) {
    const budget = ['--budget', String(80 * (i + 1)), '--batch', '40']
    await run('crawl', '--archive', archive, '--at', String(week), '--dir', dir, ...budget)
    const log = inFolder(`queries-${week}.csv`)
    writeFileSync(log, `query,count\nweather ${week},3\nmusic,${week}\ngarden,2\n`)
    await run('queries', 'import', log, '--format', 'csv', '--dir', dir)
  }
}

/** What people are told, but for where it lies and when they asked. */
async function answersOf(dir: string): Promise<string[]> {
  const told = await Promise.all([
    run('plan', '--dir', dir, '--json', '--fetches', '60'),
    run('queries', 'list', '--dir', dir, '--json'),
    run('status', '--dir', dir, '--json'),
  ])
  return told.map((text) => text.replaceAll(dir, ''))
}

// A slow one: `rebuild-tables.test.ts` makes tables again from logs by default.
test.runIf(isThorough)(
  'a crawl made again from its log has the same rows and plans the same',
  async () => {
    const dir = inFolder('crawl')
    await crawlSomeWeeks(dir)
    const before = await answersOf(dir)
    await rebuildTables(dir)
    const tables = join(dir, 'state.duckdb')
    expect(await differingTables(`${tables}.damaged`, tables)).toEqual([])
    expect(await answersOf(dir)).toEqual(before)

    // Nobody need be told: the log is enough.
    const alone = inFolder('alone')
    cpSync(dir, alone, { recursive: true })
    rmSync(join(alone, 'state.duckdb'))
    expect(await answersOf(alone)).toEqual(before)
    const check = await forager('check', '--dir', alone)
    expect(check.code).toBe(1)
    expect(check.stdout).toMatch(
      /state\.duckdb: it is missing; a repair would make the tables again/,
    )
    await run('check', '--dir', alone, '--repair')
    expect(await differingTables(join(alone, 'state.duckdb'), tables)).toEqual([])
  },
)
