import { expect, test } from 'vitest'
import type { HostState, HostTrust, RobotsRecord } from '#crawl/ports.ts'
import { robotsRecord, textInForce } from '#fetch/client/robots-record.ts'
import { Frontier } from '#frontier/frontier.ts'
import { askTables } from '../database/ask-tables.test-kit.ts'
import { temporaryFolder } from '../temporary-folder.test-kit.ts'
import { CrawlStore } from './crawl-store.ts'

const busy = (host: string, backoffUntil: number): HostState => ({
  host,
  readyAt: 0,
  backoffUntil,
  backoffSeconds: 60,
  failures: 1,
  reason: 'status 503',
})
const robots = (origin: string, fetchedAt: number, text: string): RobotsRecord => ({
  origin,
  kind: 'file',
  fetchedAt,
  validUntil: fetchedAt + 86_400,
  text,
  textAt: fetchedAt,
  failures: 0,
})
const trust = (host: string, unchanged: number): HostTrust => ({
  host,
  unchanged,
  unchangedSinceProbe: unchanged,
  ...{ same: 0, changed: 0, stale: 0, probes: 0 },
})

/** Runs cycles that end at these times, each with what the fetcher knows then; gives the folder. */
async function crawled(
  cycles: readonly {
    at: number
    hosts?: HostState[]
    robots?: RobotsRecord[]
    trusts?: HostTrust[]
  }[],
) {
  const dir = temporaryFolder()
  const store = await CrawlStore.open(dir)
  let known = cycles[0]
  const source = {
    memory: async (since = 0) => ({
      hostStates: known.hosts ?? [],
      robotsRecords: (known.robots ?? []).filter(({ fetchedAt }) => fetchedAt >= since),
      hostTrusts: known.trusts ?? [],
    }),
  }
  store.rememberFetcher(source, await store.fetcherMemory(), 0)
  for (const [i, cycle] of cycles.entries()) {
    known = cycle
    const { at } = cycle
    const record = { cycle: i + 1, startedAt: at, endedAt: at, planned: 0, fetches: [] }
    await store.commit(record, new Frontier())
  }
  store.close()
  return dir
}

async function memoryOf(dir: string) {
  const store = await CrawlStore.open(dir)
  const memory = await store.fetcherMemory()
  store.close()
  const [rows] = await askTables(
    dir,
    `SELECT (SELECT count(*)::INTEGER FROM host_state) AS states,
            (SELECT count(*)::INTEGER FROM host_trust) AS trusts`,
  )
  return { ...memory, rows }
}

test('pauses of hosts survive a restart, as they were last; those that are over are forgotten', async () => {
  const dir = await crawled([
    { at: 100, hosts: [busy('a.test', 150), busy('b.test', 200)] },
    { at: 160, hosts: [busy('b.test', 300)] },
    { at: 170, hosts: [busy('b.test', 300)] },
  ])
  const { hostStates, rows } = await memoryOf(dir)
  expect(hostStates).toEqual([busy('b.test', 300)])
  expect(rows.states, 'what has not changed is not written again').toBe(4)
})

test('whose 304s are to be believed survives a restart, as it was last', async () => {
  const liar = { ...trust('b.test', 1), distrustedAt: 150 }
  const dir = await crawled([
    { at: 100, trusts: [trust('a.test', 3), trust('b.test', 1)] },
    { at: 160, trusts: [trust('a.test', 3), liar] },
  ])
  const { hostTrusts, rows } = await memoryOf(dir)
  expect(hostTrusts.toSorted((a, b) => a.host.localeCompare(b.host))).toEqual([
    trust('a.test', 3),
    liar,
  ])
  expect(rows.trusts, 'what has not changed is not written again').toBe(3)
})

test('robots.txt files survive a restart, the latest of each origin', async () => {
  const first = robots('http://a.test', 90, 'User-agent: *')
  const second = robots('http://a.test', 195, 'User-agent: *\nDisallow: /x')
  const dir = await crawled([
    { at: 100, robots: [first] },
    { at: 200, robots: [second] },
  ])
  expect((await memoryOf(dir)).robotsRecords).toEqual([second])
})

test('a robots.txt that was had long before its site failed for a month holds after a restart', async () => {
  const [DAY, origin] = [86_400, 'http://a.test']
  const dir = await crawled([
    { at: 100, robots: [robots(origin, 90, 'User-agent: *\nDisallow: /x')] },
  ])
  const { robotsRecords } = await memoryOf(dir)
  const finding = { kind: 'unreachable', reason: 'status 500' } as const
  const days = [40, 41, 50, 60, 70]
  const record = days.reduce<RobotsRecord | undefined>(
    (before, day) => robotsRecord(origin, before, finding, day * DAY),
    robotsRecords[0],
  )
  expect(textInForce(record!, 70 * DAY)).toContain('/x')
})
