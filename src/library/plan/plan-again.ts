import { type CrawlRules, type CrawlState, crawlState, planCycle } from '#crawl/cycle.ts'
import type { Plan } from '#crawl/planner.ts'
import { UsageError } from '#errors/usage-error.ts'
import { Frontier } from '#frontier/frontier.ts'
import type { Entry, PlanEntry } from '#learn/entries/entry.ts'
import { PageIndexer } from '#learn/text-index/index-pages.ts'
import { type ReplayedCrawl, replayCrawl } from '#repository/state/replayed-crawl.ts'
import { defaultAnalyser } from '#search/full-text/default-search.ts'
import { TextIndex } from '#search/full-text/text-index.ts'
import { crawlPolicy } from '../open/crawl-policy.ts'
import { folderUntilExit } from '../open/folder-until-exit.ts'
import type { Settings } from '../settings/settings.ts'
import { planRules } from './plan-rules.ts'
import { PLAN_SETTINGS, type PlanSettings } from './plan-settings.ts'

/** A plan of the past, made once more. */
export interface PlanMadeAgain {
  readonly plan: Plan
  readonly entry: PlanEntry
  readonly settings: PlanSettings
  readonly state: CrawlState
}

/**
 * Makes the plan of a past cycle once more, from the log: all before is learnt again, and the plans of the same run
 * are made too, since models were learnt for them.
 */
export async function planAgain(dir: string, cycle: number): Promise<PlanMadeAgain> {
  const state = crawlState(new Frontier())
  await using replayed = await replayCrawl(dir, folderUntilExit('forager-plan-'), state)
  const place = await findPlan(replayed, dir, cycle)
  const runs = new ReplayedRuns(replayed, state)
  await replayed.takeThrough(place.run - 1, { before: (entry) => runs.begin(entry) })
  await replayed.takeThrough(place.cycle, { before: (entry) => runs.plan(entry) })
  const { made } = runs
  if (!made || !isSamePlan(made))
    throw new UsageError(
      `the plan of cycle ${cycle} cannot be made again: ${dir} no longer has all that it went by, such as words of pages`,
    )
  return made
}

/** The entries of the log that have a cycle, and the beginning of its run. */
async function findPlan(replayed: ReplayedCrawl, dir: string, cycle: number) {
  let run: number | undefined
  let last = 0
  for await (const { number, head } of replayed.heads()) {
    if (head.kind === 'run') run = number
    if (head.kind !== 'cycle') continue
    last = head.cycle
    if (head.cycle !== cycle) continue
    if (run === undefined || head.plan === undefined)
      throw new UsageError(
        `the log in ${dir} does not tell what the plan of cycle ${cycle} went by: it was written by an earlier version, or the cycle was cut off`,
      )
    return { run, cycle: number }
  }
  throw new UsageError(
    `there is no cycle ${cycle} in ${dir}: --at takes 1 to ${last}, the number of a cycle that has ended`,
  )
}

/** Runs that are gone through again; of the last one also the plans. */
class ReplayedRuns {
  readonly #replayed: ReplayedCrawl
  readonly #state: CrawlState
  readonly #index = new TextIndex(defaultAnalyser)
  #begunAt = 0
  #rules: CrawlRules | undefined
  #settings: PlanSettings | undefined
  made: PlanMadeAgain | undefined

  constructor(replayed: ReplayedCrawl, state: CrawlState) {
    this.#replayed = replayed
    this.#state = state
  }

  /** An entry is about to be applied: a run may go without the index. */
  async begin(entry: Entry): Promise<void> {
    if (entry.kind !== 'run') return
    const indexes = (await this.#replayed.store.setting('index')) !== 'no'
    this.#state.indexer = indexes ? new PageIndexer(this.#index) : undefined
    this.#begunAt = entry.at
  }

  /** The same; if it is a plan, it is made again. */
  async plan(entry: Entry): Promise<void> {
    await this.begin(entry)
    if (entry.kind === 'plan') await this.#plan(entry)
    if (entry.kind === 'searches') {
      const { policy } = await this.#rulesOfRun()
      if (typeof policy !== 'function') policy.setQueries?.(entry.queries)
    }
  }

  async #plan(entry: PlanEntry): Promise<void> {
    const state = this.#state
    const rules = await this.#rulesOfRun()
    state.underWay.clear()
    for (const url of entry.underWay)
      state.underWay.set(url, { purpose: 'acquire', predictedGain: 0 })
    if (typeof rules.policy !== 'function' && entry.budget > 0) await rules.policy.renew()
    const plan = planCycle(state, rules, entry, entry.at)
    this.made = { plan, entry, settings: this.#settings!, state }
  }

  async #rulesOfRun(): Promise<CrawlRules> {
    if (this.#rules) return this.#rules
    const { store } = this.#replayed
    const text = await store.setting(PLAN_SETTINGS)
    if (text === undefined) throw new UsageError('the log does not tell which policy it was')
    const settings = JSON.parse(text) as Settings
    const now = this.#begunAt
    const opened = {
      ...{ store, state: this.#state, now, isArchiveTime: true },
      ...{ recovered: 0, moved: 0, lastPolicy: settings.policy },
    }
    const policy = await crawlPolicy(settings.policy, opened, now, settings)
    this.#settings = settings
    this.#rules = { policy, ...planRules(settings) }
    return this.#rules
  }
}

/** Whether it has the same URLs in the same order, at the same price. A crawl that had enough fetched none. */
function isSamePlan({ plan, entry }: PlanMadeAgain): boolean {
  const urls = plan.fetches.map(({ url }) => url)
  if (entry.urls.length === 0 && urls.length > 0) return Object.is(plan.price, entry.price)
  return (
    Object.is(plan.price, entry.price) &&
    urls.length === entry.urls.length &&
    urls.every((url, i) => url === entry.urls[i])
  )
}
