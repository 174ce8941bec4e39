import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { readArchive } from '#archive/format/read-archive.ts'
import { readWorkload } from '#archive/format/read-workload.ts'
import { writeArchive } from '#archive/format/write-archive.ts'
import { planCycle } from '#crawl/plan-cycle.ts'
import { generateModelWeb } from '#lab/model-web/generate.ts'
import { askTables } from '#repository/database/ask-tables.test-kit.ts'
import { journalFiles } from '#repository/state/journal.ts'
import { readCdxjLine } from '#repository/warc/cdxj.ts'
import { readWarc } from '#repository/warc/read/warc-reader.ts'
import { INDEX_FILE } from '#repository/warc/recover-warcs.ts'
import { forEachCdxjLine } from '#repository/warc/sort-cdxj.ts'
import { startReplayServer } from '../src/app/server/replay-server.ts'
import { QueryLog, queryLogFolder } from '../src/app/server/search/search-log.ts'
import { crawlPolicy } from '../src/library/open/crawl-policy.ts'
import { openCrawl, openExistingCrawl } from '../src/library/open/open-crawl.ts'
import { lookAtQueries } from '../src/library/queries/query-tables.ts'
import { openSearchService } from '../src/library/search/search-service.ts'
import { forager, startForager } from './forager-process.ts'

/** Queries of the model web that are asked of the index; some find nothing. */
const ASKED = 8
/** So much of a journal must be there when a crawl is killed. */
const LEAST_JOURNAL_BYTES = 20_000

export interface KilledCrawl {
  readonly dir: string
  readonly queries: readonly string[]
  readonly lastKnown: ReadonlyMap<string, number>
}

/**
 * Makes a directory with all that one can hold: a crawl over HTTP in two runs, the second one killed in the middle
 * of a cycle, queries that were imported, and searches that wait to be taken in.
 */
export async function makeKilledCrawl(folder: string): Promise<KilledCrawl> {
  const [web, dir, csv] = ['web', 'crawl', 'queries.csv'].map((name) => join(folder, name))
  await writeArchive(web, generateModelWeb({ seed: 9, pages: 500, weeks: 2 }))
  const workload = await readWorkload(web)
  const queries = workload.queries.slice(0, ASKED).map(({ text }) => text)
  writeFileSync(csv, `query,count\n${queries.map((text, i) => `${text},${i + 1}`).join('\n')}\n`)
  const archive = await readArchive(web)
  let onRequest = () => {}
  const server = await startReplayServer({
    ...{ archive, port: 0, from: 1, speed: 0 },
    onRequest: () => {
      onRequest()
      return () => {}
    },
  })
  const args = ['crawl', ...archive.site.start, '--dir', dir, '--delay', '0', '--batch', '40']
  args.push('--resolve', `*=127.0.0.1:${server.port}`, '--policy', 'pagerank')
  try {
    const imported = await forager('queries', 'import', csv, '--format', 'csv', '--dir', dir)
    expect(imported.code, imported.stderr).toBe(0)
    const first = await forager(...args, '--budget', '80')
    expect(first.code, first.stderr).toBe(0)
    const { child, ended } = startForager([...args, '--budget', '300'])
    onRequest = () => {
      if (journalBytes(dir) > LEAST_JOURNAL_BYTES) child.kill('SIGKILL')
    }
    expect((await ended).signal).toBe('SIGKILL')
  } finally {
    await server.close()
  }
  const log = new QueryLog(
    queryLogFolder(dir),
    () => 1_790_000_000_000,
    () => {},
  )
  for (const text of queries)
    log.noteSearch({ application: 'search-page', text, offset: 0, total: 3, shown: [] })
  expect(journalFiles(dir).length, 'a cycle was cut off').toBe(1)
  return { dir, queries, lastKnown: await lastIndexed(join(dir, 'warc')) }
}

function journalBytes(dir: string): number {
  const sizes = journalFiles(dir).map(
    (name) => statSync(join(dir, 'segments', name), { throwIfNoEntry: false })?.size ?? 0,
  )
  return Math.max(0, ...sizes)
}

const NOW = 1_800_000_000

/** All that a directory can be asked: what is known, planned, found, wanted, and what went over the wire. */
export async function answersOf({ dir, queries, lastKnown }: KilledCrawl) {
  return {
    ...(await crawlAnswers(dir)),
    rows: await rowsOf(dir),
    workload: await lookAtQueries(dir, (queries) => queries.workload(NOW)),
    found: foundIn(dir, queries),
    wire: await wireOf(join(dir, 'warc'), lastKnown),
  }
}

async function crawlAnswers(dir: string) {
  const opened = await openExistingCrawl(dir, NOW, true)
  const { store, state, recovered } = opened
  try {
    const policy = await crawlPolicy('unified', opened, NOW)
    if (typeof policy !== 'function') await policy.renew()
    const plan = planCycle(state, { policy, seed: 1 }, { budget: 50 }, NOW)
    return {
      ...{ recovered, cycle: state.cycle, spent: state.spent, bytes: state.bytes },
      plan: plan.fetches.map(({ url, gain, purpose }) => ({ url, gain, purpose })),
      memory: await store.fetcherMemory(),
    }
  } finally {
    store.close()
  }
}

/** A digest of the rows of each table, as the next run finds them: in a copy, which it may write. */
async function rowsOf(dir: string): Promise<unknown[]> {
  const copy = mkdtempSync(join(tmpdir(), 'forager-killed-'))
  try {
    cpSync(dir, copy, { recursive: true })
    const { store } = await openCrawl(copy, { seeds: [], now: NOW })
    store.close()
    const names = 'SELECT table_name AS name FROM duckdb_tables() ORDER BY name'
    const tables = (await askTables(copy, names)).map(({ name }) => name)
    const digests = tables.map(
      (name) => `SELECT '${name}', count(*), bit_xor(hash(t)) FROM ${name} AS t`,
    )
    return await askTables(copy, digests.join(' UNION ALL '))
  } finally {
    rmSync(copy, { recursive: true })
  }
}

function foundIn(dir: string, queries: readonly string[]) {
  const service = openSearchService(dir)
  try {
    return queries.map((text) => service.search(text, 0, 20).hits)
  } finally {
    service.close()
  }
}

/** Where the last answer lies, in each WARC file, that its index knew when the crawl was killed. */
async function lastIndexed(folder: string): Promise<Map<string, number>> {
  const last = new Map<string, number>()
  await forEachCdxjLine(join(folder, INDEX_FILE), (line) => {
    const { filename, offset } = readCdxjLine(line)!
    last.set(filename, Math.max(offset, last.get(filename) ?? 0))
  })
  return last
}

/** A digest of every record of the WARC files that can be read, up to those that a kill left before anybody knew of them. */
async function wireOf(folder: string, lastKnown: ReadonlyMap<string, number>): Promise<string[]> {
  const digests: string[] = []
  const names = existsSync(folder) ? readdirSync(folder).sort() : []
  for (const name of names.filter((it) => it.endsWith('.warc.gz')))
    for await (const { offset, fields, block } of readWarc(join(folder, name), {
      onDamage: () => {}, // what follows the last record is left over from a kill
    })) {
      if (offset > (lastKnown.get(name) ?? -1)) break
      const head = JSON.stringify([offset, ...fields])
      digests.push(createHash('sha256').update(head).update(block).digest('hex'))
    }
  return digests
}
