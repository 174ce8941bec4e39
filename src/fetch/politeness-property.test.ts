import { setEnvironmentData } from 'node:worker_threads'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FetcherMemory, FetchRequest } from '#crawl/ports.ts'
import { cases } from '#numeric/cases.test-kit.ts'
import type { LiveFetcher, LiveFetcherOptions } from './live-fetcher.ts'
import { type Answer, type Owed, type Site, witness } from './manners-witness.test-kit.ts'
import { answersTo, fetcherTo, threadTo } from './scripted-server.test-kit.ts'
import { type ScriptedNames, scriptedLookup } from './thread/scripted-lookup.test-kit.ts'

/** A case takes about a second, with threads that start ten: FORAGER_CASES=500 is for a night. */
const CASES = cases(3)
/** Only Linux has more than one address of its own without being told so. */
const ADDRESSES =
  process.platform === 'linux' ? ['127.0.0.1', '127.0.0.2', '127.0.0.3'] : ['127.0.0.1']
/** Nobody listens there. */
const DEAD = '127.0.0.99'

const owed: Owed = {
  delayMs: 15,
  responseFactor: 2,
  perDomain: 2,
  perAddress: 1,
  busyMs: 40,
  failingMs: 80,
  firstByteMs: 150,
}

const answer = fc.oneof(
  { weight: 10, arbitrary: fc.constant<Answer['status']>(200) },
  { weight: 6, arbitrary: fc.constantFrom<Answer['status']>(404, 429, 500, 503, 'drop', 'hang') },
)
const page: fc.Arbitrary<Answer> = fc
  .record({ status: answer, ms: fc.constantFrom(0, 1, 5, 30), isAsked: fc.nat(9) })
  .map(({ status, ms, isAsked }) => {
    const asks = (status === 429 || status === 503) && isAsked === 0
    return { status, ms, ...(asks && { retryAfter: 1 }) }
  })
const failingPages = fc
  .array(page, { minLength: 7, maxLength: 9 })
  .map((pages) =>
    pages.map((each): Answer => ({ ...each, status: each.status === 'drop' ? 'drop' : 500 })),
  )
const site = fc.record({
  domain: fc.nat(3).map((n) => `site${n}.test`),
  crawlDelayMs: fc.constantFrom(0, 0, 25, 60),
  robots: fc.constantFrom<Site['robots']>('file', 'file', 'none', 'borrowed', 'busy'),
  robotsMs: fc.constantFrom(0, 5, 40),
  pages: fc.oneof(
    { weight: 6, arbitrary: fc.array(page, { minLength: 1, maxLength: 5 }) },
    { weight: 1, arbitrary: failingPages },
  ),
  /** The order in which its addresses are named, by look-up. */
  addresses: fc.array(fc.subarray([...ADDRESSES, DEAD], { minLength: 1 }), {
    minLength: 1,
    maxLength: 3,
  }),
  lookUpMs: fc.constantFrom(0, 0, 10),
})
const web = fc.record({
  sites: fc.array(site, { minLength: 2, maxLength: 12 }),
  /** After so many outcomes each, the fetcher is closed and another goes on. */
  restarts: fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 3 }),
})

/** A fetcher with scripted look-ups, in process and on a thread. */
type Open = (
  port: number,
  options: Partial<LiveFetcherOptions>,
  names: ReadonlyMap<string, ScriptedNames>,
) => LiveFetcher
const inProcess: Open = (port, options, names) =>
  fetcherTo(port, { ...options, lookup: scriptedLookup(names) })
const program = new URL('./thread/scripted-thread.test-kit.ts', import.meta.url)
const onThreads =
  (workers: number): Open =>
  (port, options, names) => {
    setEnvironmentData('scripted names', names as never)
    return threadTo(port, options, { workers, program })
  }

test.each([
  ['in process', inProcess, CASES],
  ['by three workers', onThreads(3), cases(1, 6)],
])(
  'whatever the web is like, no server ever sees a breach of manners: fetched %s',
  async (_, open, numRuns) => {
    await fc.assert(
      fc.asyncProperty(web, async ({ sites, restarts }) => {
        const named = sites.map(
          (each, n) =>
            [`h${n}.${each.domain}`, n === 0 ? { ...each, robots: 'file' } : each] as const,
        )
        const hosts = new Map<string, (typeof sites)[number]>(named as never)
        await using servers = await witness(hosts, ADDRESSES, owed)
        const waiting = new Map<number, FetchRequest>()
        for (const [n, [host, { pages }]] of [...hosts].entries())
          for (const k of pages.keys())
            waiting.set(100 * n + k, {
              id: 100 * n + k,
              url: `http://${host}:${servers.port}/${k}`,
              priority: -k,
            })
        let memory: Partial<FetcherMemory> = {}
        for (const stopAfter of [...restarts, Number.POSITIVE_INFINITY]) {
          const options = {
            resolve: [],
            allowPrivate: true,
            delayMs: owed.delayMs,
            responseFactor: owed.responseFactor,
            busySeconds: owed.busyMs / 1000,
            failingSeconds: owed.failingMs / 1000,
            timeouts: { connectMs: 5_000, firstByteMs: owed.firstByteMs, totalMs: 5_000 },
            clock: { now: () => Date.now() / 1000 },
            ...memory,
          }
          const fetcher = open(servers.port, options, hosts)
          const stop = new AbortController()
          let outcomes = 0
          for await (const { id } of answersTo(fetcher, [...waiting.values()], stop.signal)) {
            waiting.delete(id)
            if (++outcomes === stopAfter) stop.abort()
            else if (outcomes < stopAfter && outcomes % 3 === 0)
              fetcher.post({ requests: [...waiting.values()], sends: waiting.size })
          }
          const leftAt = performance.now()
          memory = JSON.parse(JSON.stringify(await fetcher.memory()))
          await servers.shutDown(() => fetcher.close(), leftAt)
        }
        expect(servers.violations()).toEqual([])
        expect(waiting.size, 'every request had its outcome').toBe(0)
      }),
      { numRuns, endOnFailure: true },
    )
  },
  60_000 + 20_000 * CASES,
)
