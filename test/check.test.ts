import { cpSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { isThorough } from '#numeric/cases.test-kit.ts'
import { openDatabase } from '#repository/database/open-database.ts'
import { CrawlStore } from '#repository/state/crawl-store.ts'
import { forEachJournalLine } from '#repository/state/journal-lines.ts'
import { sharedFolder } from '#repository/temporary-folder.test-kit.ts'
import { readCdxjLine } from '#repository/warc/cdxj.ts'
import { differingTables } from '../src/repository/tables/same-tables.test-kit.ts'
import { forager, startForager } from './forager-process.ts'
import { makeKilledCrawl } from './killed-crawl.ts'

const folder = sharedFolder()
let killed: string
let dir: string
let count = 0
beforeAll(async () => {
  ;({ dir: killed } = await makeKilledCrawl(folder))
})
beforeEach(() => {
  dir = join(folder, `case-${count++}`)
  cpSync(killed, dir, { recursive: true })
})

function flip(file: string, place: number): void {
  const path = join(dir, file)
  const bytes = readFileSync(path)
  bytes[Math.floor(place * bytes.length)] ^= 0x55
  writeFileSync(path, bytes)
}

const check = (...flags: string[]) => forager('check', '--dir', dir, ...flags)
const checkByAnother = (...flags: string[]) => startForager(['check', '--dir', dir, ...flags]).ended
const journal = () => `segments/${readdirSync(join(dir, 'segments'))[0]}`
const entries = () => readdirSync(join(dir, 'log')).sort()

test('a whole directory is said to be whole, part by part', async () => {
  const { code, stdout } = await check()
  expect(code).toBe(0)
  expect(stdout).toMatch(/^journal \(1 file, [\d,]+ bytes\): whole$/m)
  expect(stdout).toMatch(/^tables and log \(\d+ files, [\d,]+ bytes\): whole$/m)
  const told = JSON.parse((await check('--json')).stdout)
  expect(told).toMatchObject({ dir, isWhole: true })
})

test('damaged tables are named by every command, and mended from the log', async () => {
  const whole = join(folder, 'whole')
  cpSync(dir, whole, { recursive: true })
  flip('state.duckdb', 0.001)
  const { code, stdout } = await check()
  expect(code).toBe(1)
  expect(stdout).toMatch(/state\.duckdb: .*checksum.*; a repair would make the tables again/)
  for (const command of [
    ['status'],
    ['plan'],
    ['queries', 'list'],
    ['explain', 'http://a.test/'],
  ]) {
    const told = await forager(...command, '--dir', dir)
    expect(told.code, command.join(' ')).toBe(2)
    expect(told.stderr).toMatch(/^forager: .*state\.duckdb is damaged .*check --dir .* --repair/)
    expect(told.stderr.trimEnd().split('\n').length).toBe(1)
  }
  const mended = await check('--repair')
  expect(mended.code, mended.stderr).toBe(0)
  for (const crawl of [dir, whole]) (await CrawlStore.open(crawl)).close() // the write-ahead log is taken in
  const [one, other] = [dir, whole].map((crawl) => join(crawl, 'state.duckdb'))
  expect(await differingTables(one, other)).toEqual([])
  expect(readdirSync(dir)).toContain('state.duckdb.damaged')
})

test('an answer that only the journal knows of is missed when its WARC file ends before it', async () => {
  const places: { file: string; offset: number; url: string }[] = []
  forEachJournalLine(join(dir, journal()), ({ json }) => {
    const { warc, outcome } = JSON.parse(json!)
    if (warc) places.push({ ...warc, url: outcome.url })
  })
  const { file, offset, url } = places.at(-1)!
  truncateSync(join(dir, 'warc', file), offset)
  const index = join(dir, 'warc', 'index.cdxj')
  const isBefore = (line: string) => line === '' || readCdxjLine(line)!.offset < offset
  writeFileSync(index, readFileSync(index, 'utf8').split('\n').filter(isBefore).join('\n'))
  const { code, stdout } = await check()
  expect(code).toBe(1)
  expect(stdout).toContain(`1 exchange (${url})`)
})

test('a damaged log begins anew with the tables, and they can be made from it', async () => {
  flip(`log/${entries()[2]}`, 0.5)
  const { code, stdout } = await check()
  expect(code).toBe(1)
  expect(stdout).toMatch(/log\/000003\.jsonl\.zst: .*checksum.*; a repair would begin the log anew/)
  expect((await check('--repair')).code).toBe(0)
  expect(entries().some((name) => name.startsWith('base-'))).toBe(true)
  rmSync(join(dir, 'state.duckdb'))
  rmSync(join(dir, 'state.duckdb.wal'), { force: true })
  expect((await check('--repair')).code).toBe(0)
  expect((await forager('plan', '--dir', dir, '--json')).code).toBe(0)
})

test.runIf(isThorough)(
  'where tables and log are damaged, what came before the damage is kept, and the rest named',
  async () => {
    flip('state.duckdb', 0.001)
    // The last cycle; after it came which links its run left alone, and the run that was killed.
    flip(`log/${entries().at(-3)}`, 0.5)
    const { code, stdout } = await check('--repair')
    expect(stdout).toMatch(/lost with log\/\d+\.jsonl\.zst: entries \d+ to \d+ of the log/)
    expect(stdout).toMatch(/lost with segments\/.*: the fetches of the cycle that was cut off/)
    expect(code).toBe(0)
    expect((await forager('status', '--dir', dir, '--json')).code).toBe(0)
  },
)

test('a damaged line of the journal is named, and taken out by a repair', async () => {
  flip(journal(), 0.3)
  const told = await forager('status', '--dir', dir)
  expect(told.code).toBe(2)
  expect(told.stderr).toMatch(/segments\/cycle-\d+\.jsonl is damaged \(line \d+ does not match/)
  const { code, stdout } = await check('--repair')
  expect(code).toBe(0)
  expect(stdout).toMatch(/lost with segments\/.*: a finished fetch, to be made again/)
  expect((await forager('status', '--dir', dir)).code).toBe(0)
})

test('WARC files that the tables name and nobody finds are named', async () => {
  const [file] = readdirSync(join(dir, 'warc')).filter((name) => name.endsWith('.warc.gz'))
  rmSync(join(dir, 'warc', file))
  const { code, stdout } = await check()
  expect(code).toBe(1)
  expect(stdout).toMatch(/warc\.gz: bytes 0 to \d+: it is missing or empty; .*lost: \d+ exchanges/)
})

test('while somebody writes the tables they are not checked, and nothing is mended', async () => {
  const { close } = await openDatabase(dir)
  const { code, stdout } = await checkByAnother()
  expect(code).toBe(0)
  expect(stdout).toMatch(/^tables and log .*: not checked, as a crawl is writing it$/m)
  const refused = await checkByAnother('--repair')
  expect(refused.code).toBe(2)
  expect(refused.stderr).toMatch(/is in use by another process: .* before --repair/)
  close()
})

test('tables that cannot be made again are said to be lost', async () => {
  rmSync(join(dir, 'log'), { recursive: true })
  flip('state.duckdb', 0.001)
  const { code, stdout } = await check('--repair')
  expect(code).toBe(1)
  expect(stdout).toMatch(/lost: what the crawl knew: there is no log/)
  expect(stdout).toMatch(/nothing more can be mended$/m)
})
