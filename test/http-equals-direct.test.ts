import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Archive } from '#archive/format/archive.ts'
import { readArchive } from '#archive/format/read-archive.ts'
import { readWorkload } from '#archive/format/read-workload.ts'
import { writeArchive } from '#archive/format/write-archive.ts'
import { generateModelWeb } from '#lab/model-web/generate.ts'
import { planOfCycle } from '#library/plan/plan-fetches.ts'
import { isThorough } from '#numeric/cases.test-kit.ts'
import { readsQueries } from '#policy/bidder.ts'
import { REGISTRY } from '#policy/registry/registry.ts'
import { askTables } from '#repository/database/ask-tables.test-kit.ts'
import { sharedFolder } from '#repository/temporary-folder.test-kit.ts'
import { type ReplayServer, startReplayServer } from '../src/app/server/replay-server.ts'
import { forager } from './forager-process.ts'

const PAGES = 500
const SNAPSHOT = 2

const folder = sharedFolder()
let dir: string
let archive: Archive
let server: ReplayServer

beforeAll(async () => {
  dir = join(folder, 'modelweb')
  await writeArchive(dir, generateModelWeb({ seed: 11, pages: PAGES, weeks: 4 }))
  archive = await readArchive(dir)
  server = await startReplayServer({ archive, port: 0, from: SNAPSHOT, speed: 0 })
  const { queries } = await readWorkload(dir)
  const lines = queries.map(({ text, weight }) => `${text},${Math.ceil(weight)}`)
  writeFileSync(join(folder, 'log.csv'), `query,count\n${lines.join('\n')}\n`)
})
afterAll(async () => {
  await server.close()
})

async function fetchedIn(crawlDir: string) {
  return askTables(
    crawlDir,
    'SELECT u.url, f.outcome, f.status FROM fetch_log f JOIN url u ON u.id = f.url_id ORDER BY u.url',
  )
}

/** Of the policies that read queries, ours, and one of the paper's. */
const QUERY_DRIVEN = ['impact', 'hybrid', 'unified']

const BY_LINKS = REGISTRY.of('acquire').filter((bidder) => !readsQueries(bidder))
/** By links they differ in a ranking alone: every third of these is tried, which takes a minute; by default one. */
const SOME_BY_LINKS = BY_LINKS.filter((_, i) => i % 3 === 0).map(({ name }) => name)
const TRIED = isThorough ? [...SOME_BY_LINKS, ...QUERY_DRIVEN] : ['pagerank']

test.each(TRIED)(
  '%s fetches over HTTP what it fetches from the archive, and its plans can be made again',
  async (policy) => {
    const shared = ['--policy', policy, '--budget', '2000', '--batch', '80', '--json']
    const direct = join(folder, `${policy}-direct`)
    const http = join(folder, `${policy}-http`)
    if (QUERY_DRIVEN.includes(policy))
      for (const crawlDir of [direct, http])
        await forager(
          ...['queries', 'import', join(folder, 'log.csv'), '--format', 'csv', '--dir', crawlDir],
        )
    const resolve = ['--resolve', `*=127.0.0.1:${server.port}`, '--delay', '0']
    const runs = await Promise.all([
      forager('crawl', '--archive', dir, '--at', String(SNAPSHOT), '--dir', direct, ...shared),
      forager('crawl', ...archive.site.start, ...resolve, '--dir', http, ...shared),
    ])
    for (const { code, stderr } of runs) expect(code, stderr).toBe(0)
    expect(runs.map(({ stdout }) => JSON.parse(stdout).end)).toEqual(
      Array(2).fill('nothing left to fetch'),
    )
    const fetched = await fetchedIn(http)
    expect(fetched.length).toBeGreaterThanOrEqual(PAGES / 2)
    // How much of an endless calendar is fetched depends on which of its pages came first.
    const urls = (rows: typeof fetched) => new Set(rows.map((row) => Object.values(row).join(' ')))
    const [overHttp, fromArchive] = [urls(fetched), urls(await fetchedIn(direct))]
    expect(overHttp.symmetricDifference(fromArchive).size).toBeLessThanOrEqual(0.01 * PAGES)
    // Whatever the network delivered when: each plan follows from the log before it.
    const [{ cycles }] = await askTables(http, 'SELECT max(cycle) AS cycles FROM fetch_log')
    for (const cycle of [2, Math.ceil(Number(cycles) / 2), Number(cycles)])
      expect(await planOfCycle(http, cycle)).toMatchObject({ cycle })
  },
)
