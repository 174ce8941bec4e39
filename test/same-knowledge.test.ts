import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runCycle } from '#crawl/cycle.ts'
import { listFetcher } from '#crawl/list-fetcher.test-kit.ts'
import { MemoryStore } from '#crawl/memory-store.ts'
import { type CrawlState, crawlState } from '#crawl/plan-cycle.ts'
import type { Fetcher, Repository } from '#crawl/ports.ts'
import { Frontier } from '#frontier/frontier.ts'
import type { Told } from '#frontier/told.ts'
import { apply } from '#learn/apply.ts'
import type { Entry } from '#learn/entries/entry.ts'
import { type Knowledge, knowledge } from '#learn/knowledge.ts'
import { whatIsKnown } from '#learn/same-knowledge.test-kit.ts'
import { openCrawl } from '#library/open/open-crawl.ts'
import { importQueryList } from '#library/queries/import-log.ts'
import { cases } from '#numeric/cases.test-kit.ts'
import { mixHash } from '#numeric/hash.ts'
import { planFetches } from '#policy/budget/scheduler.ts'
import type { Planner } from '#policy/planning/plan.ts'
import { CYCLES, DAY, PATHS, randomSites } from '#repository/state/random-sites.test-kit.ts'
import { temporaryFolder } from '#repository/temporary-folder.test-kit.ts'
import { defaultAnalyser } from '#search/full-text/default-search.ts'
import { TextIndex } from '#search/full-text/text-index.ts'

/** A case takes some seconds: FORAGER_CASES=100 is for a night. */
const CASES = cases(1, 12)
const SITES = 5
const QUERIES = ['w1 w2', 'w17', 'w2501 w4', 'moved'].map((text, i) => ({
  ...{ id: `q${i}`, text, weight: i + 1 },
}))
const PROBES = {
  now: 10 * DAY * (CYCLES + 1),
  queries: [...QUERIES.map(({ text }) => text), 'w100 w200 w300'],
  contentHashes: Array.from({ length: 12 }, (_, found) => `${found}`.padEnd(16, 'a')),
}
const SEEDS = Array.from({ length: SITES }, (_, site) =>
  PATHS.map((path) => `https://s${site}.org/${path}`),
).flat()

const known = (state: Knowledge) => whatIsKnown(state, PROBES)

/** What one run does: some cycles, then it ends, or is killed after so many answers of one more. */
interface Run {
  readonly cycles: number
  readonly killedAfter: number | undefined
}

/** Everything that may be fetched, in random order, with made-up predictions to be corrected. */
function everything({ frontier }: Knowledge): Planner {
  return {
    renew: async () => {},
    plan: ({ now, candidates, limits }) => {
      const { pages } = frontier.refreshFacts(now)
      const drawn = (urls: Uint32Array) =>
        Float64Array.from(urls, (url) => 1 + mixHash(now, url) / 2 ** 32)
      const why = () => ''
      const fetches = planFetches(
        [
          { purpose: 'acquire', urls: candidates, gains: drawn(candidates), why },
          { purpose: 'refresh', urls: pages, gains: drawn(pages), why },
        ],
        limits,
      )
      const notes = fetches.map(({ url, purpose, gain }) => ({
        prediction: { [purpose]: gain / 3, links: (url % 5) / 4 },
        views: (url % 7) / 10,
      }))
      return { fetches, notes, price: now / 7 }
    },
  }
}

/** Pages that are known, and some that are new, are said to have changed. */
function toldIn(cycle: number, now: number): Told[] {
  return [
    `https://s${cycle % SITES}.org/${PATHS[cycle % PATHS.length]}`,
    `https://s1.org/t${cycle}`,
  ]
    .slice(0, cycle % 3)
    .map((url) => ({ url, by: 'indexnow', changedAt: now + (cycle % 2 === 0 ? DAY : -DAY) }))
}

/** One turn of the wheel; answers come in another order than they were asked for. */
async function turn(state: CrawlState, repository: Repository, seed: number): Promise<void> {
  const cycle = state.cycle + 1
  const now = 10 * DAY * cycle
  const found = new Map(
    randomSites(seed, SITES)
      .outcomesOf(cycle % CYCLES, now)
      .map((outcome) => [outcome.id, outcome]),
  )
  const fetcher: Fetcher = listFetcher(async function* (requests) {
    const drawn = requests.toSorted((a, b) => mixHash(cycle, a.id) - mixHash(cycle, b.id))
    for (const { id } of drawn) if (found.has(id)) yield found.get(id)!
  })
  const told = { waiting: () => toldIn(cycle, now), taken: () => {} }
  const ports = { fetcher, repository, clock: { now: () => now }, told }
  const rules = { policy: everything(state), seed: 1 }
  await runCycle(state, rules, ports, { budget: 1000 })
}

async function folded(entries: AsyncIterable<Entry>, state: Knowledge): Promise<Knowledge> {
  for await (const entry of entries) apply(entry, state)
  return state
}

const fromNothing = () => knowledge({ index: new TextIndex(defaultAnalyser) })

/** One run of a crawl in a directory. What it knows is what its log tells, when it begins and when it ends. */
async function runIn(dir: string, { cycles, killedAfter }: Run, now: number, seed: number) {
  const { state, store } = await openCrawl(dir, { seeds: SEEDS, now, isArchiveTime: true })
  expect(known(state)).toEqual(known(await folded(store.entries(), fromNothing())))
  for (let done = 0; done < cycles; done++) await turn(state, store, seed)
  const atEnd = known(state)
  expect(atEnd).toEqual(known(await folded(store.entries(), fromNothing())))
  if (killedAfter !== undefined) await killedTurn(state, store, killedAfter, seed)
  store.close()
  return { cycle: state.cycle, atEnd }
}

/** A turn that dies after so many answers were kept. */
async function killedTurn(
  state: CrawlState,
  store: Repository,
  after: number,
  seed: number,
): Promise<void> {
  let answers = 0
  const dies: Repository = {
    journal: async (...entry) => {
      if (answers++ >= after) throw new Error('killed')
      return store.journal(...entry)
    },
    commit: async () => {
      throw new Error('killed')
    },
  }
  await expect(turn(state, dies, seed)).rejects.toThrow('killed')
}

const run = fc.record({
  cycles: fc.integer({ min: 0, max: 3 }),
  killedAfter: fc.option(fc.integer({ min: 0, max: 12 }), { nil: undefined }),
})

test('what a crawl knows is what its log tells, however often it was stopped or killed', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(run, { minLength: 2, maxLength: 4 }),
      fc.integer({ min: 1, max: 1e6 }),
      async (runs, seed) => {
        const dir = mkdtempSync(join(tmpdir(), 'forager-knowledge-'))
        try {
          await importQueryList(dir, QUERIES)
          let cycle = 0
          for (const one of runs) {
            const now = 10 * DAY * (cycle + 0.5)
            cycle = (await runIn(dir, one, now, seed)).cycle
          }
        } finally {
          rmSync(dir, { recursive: true, force: true })
        }
      },
    ),
    { numRuns: CASES },
  )
}, 600_000)

test('a store in memory knows the same as one on the disk, and gives it back', async () => {
  const dir = temporaryFolder()
  const memory = new MemoryStore()
  const seed = 7
  const state = crawlState(new Frontier(), { index: new TextIndex(defaultAnalyser) })
  const rules: Entry = { kind: 'rules', scope: { scope: 'anywhere' }, seeds: SEEDS }
  const begun: Entry = { kind: 'run', at: 5 * DAY, queries: [] }
  for (const entry of [rules, begun]) {
    apply(entry, state)
    memory.append(entry)
  }
  for (let cycle = 1; cycle < 4; cycle++) await turn(state, memory, seed)
  expect(known(await folded(memory.entries(), fromNothing()))).toEqual(known(state))
  const onDisk = await runIn(dir, { cycles: 3, killedAfter: undefined }, 5 * DAY, seed)
  expect(onDisk.atEnd).toEqual(known(state))
})
