import { type CrawlRules, type CrawlState, crawlState, planCycle } from '#crawl/plan-cycle.ts'
import { SettingError } from '#errors/setting-error.ts'
import { Frontier } from '#frontier/frontier.ts'
import type { Entry, PlanEntry } from '#learn/entries/entry.ts'
import { PageIndexer } from '#learn/text-index/index-pages.ts'
import type { Plan } from '#policy/planning/plan.ts'
import { REGISTRY, type Registry } from '#policy/registry/registry.ts'
import type { CycleHead } from '#repository/log/kept-log.ts'
import {
  type LoggedChange,
  type ReplayedCrawl,
  replayCrawl,
} from '#repository/state/replayed-crawl.ts'
import { defaultAnalyser } from '#search/full-text/default-search.ts'
import { TextIndex } from '#search/full-text/text-index.ts'
import { crawlPolicy } from '../open/crawl-policy.ts'
import { folderUntilExit } from '../open/folder-until-exit.ts'
import type { Settings } from '../settings/settings.ts'
import { PLAN_SETTINGS, type PlanSettings, planRules } from './plan-settings.ts'

/** A plan of the past, made once more. */
interface PlanMadeAgain {
  readonly plan: Plan
  readonly entry: PlanEntry
  readonly settings: PlanSettings
  readonly state: CrawlState
}

/**
 * Makes the plan of a past cycle once more, from the log: all before is learnt again, and the plans of the same run
 * are made too, since models were learnt for them. A policy of the user's own must be in the registry.
 */
export async function planAgain(
  dir: string,
  cycle: number,
  registry: Registry = REGISTRY,
): Promise<PlanMadeAgain> {
  const state = crawlState(new Frontier())
  await using replayed = await replayCrawl(dir, folderUntilExit('forager-plan-'), state)
  const changes = await Array.fromAsync(replayed.changes())
  const place = placeOf(cycle, changes, dir)
  const runs = new ReplayedRuns(replayed, state, registry)
  for (const { number, head } of changes.slice(0, place.before)) {
    const isOfRun = number > place.run
    // What a run begins with: later searches and imports are told apart.
    if (isOfRun && head.kind !== 'settings' && head.kind !== 'run') await runs.begin()
    await replayed.take(number, (entry) => (isOfRun ? runs.plan(entry) : runs.see(entry)))
  }
  await runs.begin()
  await runs.plan(place.plan)
  const { made } = runs
  if (!made || !isSamePlan(made))
    throw new SettingError(
      'at',
      `the plan of cycle ${cycle} cannot be made again: ${dir} no longer has all that it went by, such as words of pages`,
    )
  return made
}

/** Where a plan stands in the log. */
interface PlanPlace {
  readonly plan: PlanEntry
  /** The number of the change that its run began with. */
  readonly run: number
  /** It goes by so many changes. */
  readonly before: number
}

function placeOf(cycle: number, changes: readonly LoggedChange[], dir: string): PlanPlace {
  const isWanted = ({ head }: LoggedChange) => head.kind === 'cycle' && head.cycle === cycle
  const place = changes.findIndex(isWanted)
  if (place < 0) throw noSuchCycle(cycle, changes, dir)
  const { plan, startedAt: at, price, cutOff } = changes[place].head as CycleHead
  const isRun = ({ head }: LoggedChange) => head.kind === 'run'
  // A cycle that was cut off was planned by the run that was killed, not by the one that ended it.
  const before = cutOff ? changes.slice(0, place).findLastIndex(isRun) : place
  const run = changes.slice(0, Math.max(0, before)).findLastIndex(isRun)
  if (plan && run >= 0)
    return {
      ...{ run: changes[run].number, before },
      plan: { kind: 'plan', cycle, at, price, ...plan },
    }
  throw new SettingError(
    'at',
    `the log in ${dir} does not tell what the plan of cycle ${cycle} went by: an earlier version wrote it`,
  )
}

function noSuchCycle(cycle: number, changes: readonly LoggedChange[], dir: string): SettingError {
  const cycles = changes.flatMap(({ head }) => (head.kind === 'cycle' ? head.cycle : []))
  const has = cycles.length > 0 ? `it has 1 to ${cycles.at(-1)}` : 'none has ended yet'
  return new SettingError('at', `there is no cycle ${cycle} in ${dir}: ${has}`)
}

/** Runs that are gone through again; of the last one also the plans. */
class ReplayedRuns {
  readonly #replayed: ReplayedCrawl
  readonly #state: CrawlState
  readonly #registry: Registry
  readonly #index = new TextIndex(defaultAnalyser)
  #begunAt = 0
  #rules: CrawlRules | undefined
  #settings: PlanSettings | undefined
  made: PlanMadeAgain | undefined

  constructor(replayed: ReplayedCrawl, state: CrawlState, registry: Registry) {
    this.#replayed = replayed
    this.#state = state
    this.#registry = registry
  }

  /** An entry is about to be applied: a run may go without the index. */
  async see(entry: Entry): Promise<void> {
    if (entry.kind !== 'run') return
    const indexes = (await this.#replayed.store.setting('index')) !== 'no'
    this.#state.indexer = indexes ? new PageIndexer(this.#index) : undefined
    this.#begunAt = entry.at
  }

  /** Makes the planner that the run began with, unless it is there. */
  async begin(): Promise<void> {
    if (this.#rules) return
    const { store } = this.#replayed
    const text = await store.setting(PLAN_SETTINGS)
    if (text === undefined)
      throw new SettingError('at', 'the log does not tell by which policy it planned')
    const settings = JSON.parse(text) as Settings
    const now = this.#begunAt
    const opened = {
      ...{ store, state: this.#state, now, isArchiveTime: true },
      ...{ recovered: 0, moved: 0, lastPolicy: settings.policy },
    }
    const options = { ...settings, registry: this.#registry }
    const policy = await crawlPolicy(settings.policy, opened, now, options)
    this.#settings = settings
    this.#rules = { policy, ...planRules(settings) }
  }

  /** An entry of the run is about to be applied; a plan is made again, and searches count from the next one on. */
  async plan(entry: Entry): Promise<void> {
    await this.see(entry)
    if (entry.kind === 'plan') await this.#plan(entry)
    if (entry.kind === 'searches') this.#rules?.policy.setQueries?.(entry.queries)
  }

  async #plan(entry: PlanEntry): Promise<void> {
    const [state, rules] = [this.#state, this.#rules!]
    state.underWay = new Set(entry.underWay)
    if (entry.budget > 0) await rules.policy.renew()
    const plan = planCycle(state, rules, entry, entry.at)
    this.made = { plan, entry, settings: this.#settings!, state }
  }
}

/** Whether it has the same URLs in the same order, at the same price. A crawl that had enough fetched none. */
function isSamePlan({ plan, entry }: PlanMadeAgain): boolean {
  const { fetches, reserved = [], price } = plan
  if (!Object.is(price, entry.price)) return false
  if (entry.urls.length === 0 && fetches.length > 0) return true
  return areUrls(fetches, entry.urls) && areUrls(reserved, entry.reserved ?? [])
}

function areUrls(fetches: readonly { readonly url: number }[], urls: readonly number[]): boolean {
  return fetches.length === urls.length && fetches.every(({ url }, i) => url === urls[i])
}
