import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { archiveFetcher } from '#archive/archive-fetcher.ts'
import { archiveOf } from '#archive/format/assemble-archive.ts'
import { RecordedWeb } from '#archive/recorded-web.ts'
import { runCycle } from '#crawl/cycle.ts'
import { type CrawlState, crawlState } from '#crawl/plan-cycle.ts'
import type { Repository } from '#crawl/ports.ts'
import { recoverCycle } from '#crawl/recover.ts'
import { scopeTest } from '#frontier/scope.ts'
import { generateModelWeb } from '#lab/model-web/generate.ts'
import { CHANGE_RATES, FLAT_PRIOR } from '#learn/change-history.ts'
import { Corrections } from '#learn/corrections/corrections.ts'
import { PageIndexer } from '#learn/text-index/index-pages.ts'
import { QueryTracker } from '#learn/text-index/track-queries.ts'
import { planFetches } from '#policy/budget/scheduler.ts'
import { foundLinks, linksWorth } from '#policy/discover/links-worth.ts'
import { AddressShapes } from '#policy/facts/address-shapes.ts'
import { crawlFacts } from '#policy/facts/crawl-facts.ts'
import { viewsOfTopAnswers } from '#policy/facts/views.ts'
import type { Planner } from '#policy/planning/plan.ts'
import { CrawlStore } from '#repository/state/crawl-store.ts'
import { temporaryFolder } from '#repository/temporary-folder.test-kit.ts'
import { IndexFiles } from '#repository/text-index/index-files.ts'
import { defaultAnalyser } from '#search/full-text/default-search.ts'

const WEEKS = 6
const records = generateModelWeb({ seed: 5, pages: 500, weeks: WEEKS })
const archive = archiveOf(records)
const web = new RecordedWeb(archive, 0)
const scope = scopeTest({ scope: 'anywhere' }, web.seeds())

let folder: string
beforeEach(() => {
  folder = temporaryFolder()
})

/** A crawl in a directory, as far as it has come, and what it has learnt from its log. */
async function opened(dir: string) {
  const store = await CrawlStore.open(dir)
  const { frontier, pending, plan, ...stored } = await store.load()
  for (const seed of web.seeds()) frontier.add(seed, 'seed', 0, 1)
  const state = crawlState(frontier, { ...stored, scope })
  const files = new IndexFiles(dir, defaultAnalyser)
  store.keepIndex(files)
  state.indexer = new PageIndexer(files.index)
  state.tracker = new QueryTracker(records.workload!.queries.slice(0, 60), files.index)
  await recoverCycle(state, { pending, plan }, store)
  return { store, state, histories: state.lessons.histories, recovered: pending.length }
}

/** Half of the fetches go to the copies that are oldest, the others to what was found first. */
function halfAndHalf({ frontier, tracker }: CrawlState): Planner {
  return {
    renew: async () => {},
    plan: ({ now, candidates, limits }) => {
      const { pages, ages } = frontier.refreshFacts(now)
      const order = (urls: Uint32Array) => Float64Array.from(urls, (_, i) => 1 / (i + 1))
      const places = Array.from(pages.keys()).sort((a, b) => ages[b] - ages[a])
      const oldest = Uint32Array.from(places, (place) => pages[place])
      const why = () => ''
      const fetches = planFetches(
        [
          { purpose: 'acquire', urls: candidates, gains: order(candidates), why },
          { purpose: 'refresh', urls: oldest, gains: order(oldest), why },
        ],
        limits,
      )
      const { byUrl } = viewsOfTopAnswers(tracker!.answers)
      return { fetches: fetches.map((fetch) => ({ ...fetch, views: byUrl.get(fetch.url) ?? 0 })) }
    },
  }
}

type Opened = Awaited<ReturnType<typeof opened>>

/** Crawls a cycle in each of some weeks. */
async function crawlWeeks(
  { store, state }: Opened,
  weeks: readonly number[],
  repository: Repository = store,
): Promise<void> {
  let week = 0
  const clock = { now: () => archive.timeOf(week) }
  const fetcher = archiveFetcher(() => web.at(week), clock)
  const rules = { policy: halfAndHalf(state), seed: 1 }
  const ports = { fetcher, repository, clock }
  for (week of weeks) await runCycle(state, rules, ports, { budget: 90 })
}

/** All that policies can see of a crawl's past. */
function factsOf({ state, histories }: Opened) {
  const { frontier, tracker } = state
  const now = archive.timeOf(WEEKS - 1) + 1000
  const { lessons } = state
  const candidates = frontier.unfetched(now)
  const moment = { now, seed: 1, budget: 10, candidates, mayRefetch: () => true }
  const source = { lessons, shapes: new AddressShapes(frontier.urls) }
  const facts = crawlFacts(source, moment, () => viewsOfTopAnswers(tracker!.answers))
  const { pages, ages, views, scorePerView, classes, claims, gone, gains } = facts
  const beliefs = gains.beliefs()
  const expected = new Float64Array(candidates.length).fill(0.01)
  // Corrections are left out: they are for planners to test.
  const plain = { frontier, histories, corrections: new Corrections(() => 0) }
  const found = foundLinks(plain, { urls: candidates, gains: expected })
  return {
    ...{ pages, ages, views, scorePerView, classes, claims, gone },
    beliefs,
    rates: Array.from(pages, (page) => {
      const chances = new Float64Array(CHANGE_RATES.length)
      facts.changes.posterior(page, FLAT_PRIOR, chances)
      return chances
    }),
    gains: Array.from(pages, (page, i) =>
      gains.expectedGain(page, classes[page], views[i] + 0.1, beliefs),
    ),
    yields: facts.yields,
    found,
    worthOfLinks: linksWorth(found, 1).ofAll,
  }
}

const weeksFrom = (first: number, end: number) =>
  Array.from({ length: end - first }, (_, i) => first + i)

test('a crawl taken up again knows of the past what one that never stopped knows', async () => {
  const whole = await opened(join(folder, 'whole'))
  await crawlWeeks(whole, weeksFrom(0, WEEKS))
  const known = factsOf(whole)
  whole.store.close()
  // The test would show nothing if there were nothing to remember.
  expect(known.beliefs[0]).not.toBeCloseTo(0.5)
  expect(Math.max(...known.yields.held.links)).toBeGreaterThan(0.01)
  expect(new Set(known.yields.held.links).size).toBeGreaterThan(5)
  expect(new Set(known.claims!.oddsFactors).size).toBeGreaterThan(1)
  expect(known.worthOfLinks).toBeGreaterThan(0)

  const again = await opened(join(folder, 'whole'))
  expect(factsOf(again)).toEqual(known)
  again.store.close()

  const parts = join(folder, 'parts')
  for (const [first, end] of [
    [0, 4],
    [4, WEEKS],
  ]) {
    const part = await opened(parts)
    await crawlWeeks(part, weeksFrom(first, end))
    if (end === WEEKS) expect(factsOf(part).yields).toEqual(known.yields)
    part.store.close()
  }
})

test('a crawl that was killed within a cycle learns from its journal what it would have learnt', async () => {
  const killed = join(folder, 'killed')
  const first = await opened(killed)
  await crawlWeeks(first, weeksFrom(0, 3))
  first.store.close()
  cpSync(killed, join(folder, 'spared'), { recursive: true })

  const spared = await opened(join(folder, 'spared'))
  await crawlWeeks(spared, [3])
  const dying = await opened(killed)
  const dies: Repository = {
    journal: (entry, exchange) => dying.store.journal(entry, exchange),
    commit: async () => {
      throw new Error('killed')
    },
  }
  await expect(crawlWeeks(dying, [3], dies)).rejects.toThrow('killed')
  dying.store.close()
  const recovered = await opened(killed)
  expect(recovered.recovered).toBeGreaterThan(50)
  expect(factsOf(recovered)).toEqual(factsOf(spared))
  recovered.store.close()
  spared.store.close()
})
