import { expect, test } from 'vitest'
import { archiveFetcher } from '#archive/archive-fetcher.ts'
import { archiveOf } from '#archive/format/assemble-archive.ts'
import { RecordedWeb } from '#archive/recorded-web.ts'
import { crawl } from '#crawl/crawl.ts'
import { MemoryStore } from '#crawl/memory-store.ts'
import { crawlState } from '#crawl/plan-cycle.ts'
import type { CycleRecord } from '#crawl/ports.ts'
import { Frontier } from '#frontier/frontier.ts'
import { scopeTest } from '#frontier/scope.ts'
import { PageIndexer } from '#learn/text-index/index-pages.ts'
import { QueryTracker } from '#learn/text-index/track-queries.ts'
import { isThorough } from '#numeric/cases.test-kit.ts'
import { impactBidder } from '#policy/acquire/impact.ts'
import { KnownQueries } from '#policy/facts/known-queries.ts'
import { newPagesPlanner } from '#policy/planning/budget-planner.ts'
import { defaultAnalyser } from '#search/full-text/default-search.ts'
import { TextIndex } from '#search/full-text/text-index.ts'
import { generateModelWeb } from './model-web/generate.ts'

/** With fewer pages there is no model, and with few more it knows little. */
const ENOUGH_TO_LEARN = 150

/** A whole crawl of a model web by impact. */
async function crawled(seed: number): Promise<CycleRecord[]> {
  const records = generateModelWeb({ seed, pages: 1000, weeks: 2 })
  const web = new RecordedWeb(archiveOf(records), 1)
  const { queries } = records.workload!
  const frontier = new Frontier()
  for (const url of web.seeds()) frontier.add(url, 'seed', 0, 1)
  const index = new TextIndex(defaultAnalyser)
  const scope = scopeTest({ scope: 'anywhere' }, web.seeds())
  const state = crawlState(frontier, { scope })
  state.indexer = new PageIndexer(index)
  state.tracker = new QueryTracker(queries, index)
  const known = new KnownQueries({ frontier, index, queries })
  const policy = newPagesPlanner(impactBidder, state.lessons, known)
  const clock = { now: () => 1_000_000 }
  const cycles: CycleRecord[] = []
  const repository = new MemoryStore()
  await crawl(
    state,
    { policy, seed: 1 },
    { fetcher: archiveFetcher(web, clock), repository, clock },
    { budget: 350 },
    new AbortController().signal,
    { cycle: (record) => cycles.push(record) },
  )
  return cycles
}

test.each(isThorough ? [31, 32, 33] : [31])(
  'what bids of impact promise is what fetches are worth, within a factor of 2: web %i',
  async (seed) => {
    const cycles = await crawled(seed)
    let [fetched, predicted, realised] = [0, 0, 0]
    for (const { fetches } of cycles) {
      if (fetched >= ENOUGH_TO_LEARN)
        for (const fetch of fetches) {
          predicted += fetch.predictedGain
          realised += fetch.realisedGain!
        }
      fetched += fetches.length
    }
    expect(realised).toBeGreaterThan(0)
    expect(predicted / realised).toBeGreaterThan(0.5)
    expect(predicted / realised).toBeLessThan(2)
  },
)
