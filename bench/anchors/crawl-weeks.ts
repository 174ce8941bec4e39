import { archiveFetcher } from '#archive/archive-fetcher.ts'
import type { Archive } from '#archive/format/archive.ts'
import { RecordedWeb } from '#archive/recorded-web.ts'
import { crawl } from '#crawl/crawl.ts'
import { MemoryStore } from '#crawl/memory-store.ts'
import { crawlState } from '#crawl/plan-cycle.ts'
import type { CycleRecord } from '#crawl/ports.ts'
import { Frontier } from '#frontier/frontier.ts'
import { recordedScope } from '#lab/worlds/recorded-scope.ts'
import { apply } from '#learn/apply.ts'
import type { ObservedFetch } from '#learn/histories.ts'
import { Lessons } from '#learn/lessons.ts'
import { KnownQueries } from '#policy/facts/known-queries.ts'
import { BudgetPlanner } from '#policy/planning/budget-planner.ts'
import { policyNamed } from '#policy/registry/policy-name.ts'
import { defaultAnalyser } from '#search/full-text/default-search.ts'
import { TextIndex } from '#search/full-text/text-index.ts'
import type { Query } from '#workload/workload.ts'
import { AnchorTally } from './anchor-tally.ts'
import { LateWords } from './late-words.ts'
import type { WeeklyJudge } from './weekly-judge.ts'

interface WeeksSetup {
  readonly archive: Archive
  readonly queries: readonly Query[]
  readonly weeks: number
  /** Fetches in the first week, and in each later one, as shares of the pages that are there first. */
  readonly start: number
  readonly budget: number
  readonly seed: number
  readonly judge: WeeklyJudge
  /** Weeks at whose end answers are judged. */
  readonly judged: ReadonlySet<number>
  /** Whether histories, and so bids, learn what the words of a page's links did for others. */
  readonly isCredited: boolean
}

/** Crawls an archive week by week with the default policy; tells what words of links were worth. */
export async function crawlWeeks(setup: WeeksSetup) {
  const { archive, queries, weeks, judge, judged } = setup
  const frontier = new Frontier()
  const index = new TextIndex(defaultAnalyser)
  const lessons = setup.isCredited ? new Lessons(frontier) : new UncreditedLessons(frontier)
  const web = new RecordedWeb(archive, 0)
  const state = crawlState(frontier, {
    scope: recordedScope(web),
    seeds: web.seeds(),
    index,
    lessons,
  })
  let week = 0
  const clock = { now: () => archive.timeOf(week) }
  apply({ kind: 'run', at: clock.now(), queries }, state)
  const known = new KnownQueries({ frontier, index, queries })
  const policy = new BudgetPlanner({ lessons, composition: policyNamed('unified'), queries: known })
  const fetcher = archiveFetcher(() => web.at(week), clock)
  const ports = { fetcher, repository: new MemoryStore(), clock }
  const tally = new AnchorTally()
  const late = new LateWords()
  const addressOf = (url: number) => frontier.urls.urlOf(url)
  const take = (record: CycleRecord) => {
    tally.take(record, frontier)
    late.take(record.indexed!, frontier)
  }
  const pages = archive.livePages(0).length
  for (; week < weeks; week++) {
    const budget = Math.round(pages * (setup.start + week * setup.budget))
    const never = new AbortController().signal
    await crawl(state, { policy, seed: setup.seed }, ports, { budget }, never, { cycle: take })
    if (!judged.has(week)) continue
    const atOnce = await judge.qualityOf({ index, addressOf }, week)
    const ifLate = await judge.qualityOf({ index: late.index, addressOf }, week)
    tally.judged({ atOnce, ifLate, ...late.countLate(frontier) })
  }
  return tally.found()
}

/** Learns what each page gained itself, and nothing of what it did for others. */
class UncreditedLessons extends Lessons {
  override learn(fetch: ObservedFetch): void {
    const { gain, anchorGain = 0 } = fetch
    super.learn({ ...fetch, gain: gain - anchorGain, anchorGain: 0 })
  }
}
