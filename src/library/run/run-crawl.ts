import { type CrawlListener, crawl, type Pace } from '#crawl/crawl.ts'
import type { Fetcher, ToldSource } from '#crawl/ports.ts'
import type { FleetStatus } from '#fetch/fleet/fleet-status.ts'
import { instructedTerms } from '#frontier/instructions.ts'
import type { BudgetPlanner } from '#policy/planning/budget-planner.ts'
import type { Registry } from '#policy/registry/registry.ts'
import { toldInbox } from '#repository/inbox/told-inbox.ts'
import type { ImportOptions } from '#repository/queries/import-queries.ts'
import type { SearchEngine } from '#search/engine/search-engine.ts'
import { type Doing, readProgress, type ServiceProgress } from '../control/progress-file.ts'
import { fleetFor, type OpenFleet } from '../fleet/open-fleet.ts'
import type { NoteListener } from '../open/crawl-note.ts'
import { crawlPolicy, goesByDepth, keepOwed } from '../open/crawl-policy.ts'
import type { OpenCrawl } from '../open/open-crawl.ts'
import { takeInInstructions } from '../open/take-in-instructions.ts'
import { knownUrls, unmatchedIncludes } from '../open/unmatched.ts'
import { notedForWarc, type OpenWarcs, openWarcs } from '../open/warc-files.ts'
import type { Web } from '../open/web.ts'
import { judgeBy, judgingEngine } from '../opensearch/judging-engine.ts'
import { pushTargets } from '../outlets/push-targets.ts'
import { PLAN_SETTINGS, planRules, planSettingsText } from '../plan/plan-settings.ts'
import { followWith } from '../push/push-follower.ts'
import type { Settings, SettingsInForce } from '../settings/settings.ts'
import { ifAny, storedHindrances } from '../status/hindrances.ts'
import { notedPolicy } from '../status/policy-history.ts'
import { straySeeds } from '../status/stray-redirects.ts'
import { type CrawlSummary, summaryOf } from './crawl-summary.ts'
import { startHeartbeat } from './heartbeat.ts'
import { inSteps, type SendSteps } from './in-steps.ts'
import { type PausableFetcher, pausable } from './pausable-fetcher.ts'
import { RunTally } from './run-tally.ts'

/** Fewer would have come back before all workers of a fleet had something to do; and each plan costs the database. */
export const FLEET_PLANS = { leastBatch: 3000, sendsAhead: 4, newsSeconds: 15 }
/**
 * Whatever came, a commit takes a twentieth of a second, calls held pages what links call them now, and so writes many of
 * them into the index again. Plans by depth gain nothing by being made anew, so that few long cycles are as good.
 */
const PLANS_BY_DEPTH = { leastBatch: 600, mostHeldBytes: 28 * 2 ** 20 }

/** How a run goes, and who hears of it. */
export interface RunOptions {
  /** Fetches in all, earlier runs included, if not as the crawl was opened with. */
  readonly budget?: number
  /** Ends the run; what is under way gets a moment to end. */
  readonly signal?: AbortSignal
  readonly on?: RunListener
  /** For a crawl that goes on for good, by a rate. */
  readonly service?: RunningService
  /** For one that goes on by other rules. */
  readonly pace?: Pace
  /** Who else tells it of URLs; if left out, what lies in its directory. */
  readonly told?: ToldSource
}

/** What makes a run a service. */
export interface RunningService {
  readonly pace: Pace
  /** What may be sent is noted first. */
  readonly steps: SendSteps
  /** A query log that has grown since this was last asked, and how to read it. */
  grownLog(): { readonly file: string; readonly how: ImportOptions } | undefined
  /** Reads its settings again. */
  reload(): void
  /** Whether it is told to stop only to be opened anew. */
  isReloading(): boolean
  progress(): ServiceProgress
}

/** Who hears what happens in a run: beside outcomes, cycles and waits, its beginning and its plans. */
export interface RunListener extends CrawlListener {
  /** Everything is open, and the first plan comes next. */
  readonly begin?: (running: RunningCrawl) => void | Promise<void>
  /** A plan is ready. */
  readonly planned?: () => void
  /** About once a second. */
  readonly beat?: () => void
  /** Somebody paused, resumed or stopped it from elsewhere. */
  readonly note?: NoteListener
}

/** A run that goes on. */
export interface RunningCrawl {
  readonly tally: RunTally
  readonly doing: Doing
  /** Fetches that are under way. */
  readonly inFlight: number
  /** Workers elsewhere, if it has some. */
  readonly fleet?: FleetStatus
  pause(): void
  resume(): void
}

/** What runs of one crawl share: its policy, which learns, and its fetcher, which remembers hosts. */
export interface RunTools extends AsyncDisposable {
  /** Made ready when it is first asked for. */
  policy(): Promise<BudgetPlanner>
  /** Whether there is a policy: before that a new directory is not worth keeping. */
  readonly hasBegun: boolean
  readonly fetcher: PausableFetcher
  /** Workers elsewhere, if there are some. */
  readonly fleet?: OpenFleet
  /** Who answers searchers, if not our own index. */
  readonly engine?: SearchEngine
  /** Whoever is to hear of the plans of the present run. */
  onPlanned: () => void
}

/** A crawl that can run. */
interface RunnableCrawl {
  readonly opened: OpenCrawl
  readonly web: Web
  readonly settings: SettingsInForce
  readonly registry: Registry
  /** What the user should know of the policy. */
  readonly remark: string | undefined
}

/** Makes WARC files and fetcher ready. */
export async function openRunTools(
  { opened, web, settings, registry }: RunnableCrawl,
  note: NoteListener,
  steps?: SendSteps,
): Promise<RunTools> {
  await using open = new AsyncDisposableStack()
  const { store, state } = opened
  let warcs: OpenWarcs | undefined
  if (settings.warc && web.kind === 'live') {
    const { frontier } = state
    const isSeed = (url: string) => {
      const number = frontier.urls.find(url)
      return number !== undefined && frontier.isSeed(number)
    }
    warcs = await openWarcs(settings, isSeed, await store.reports.summary.lastWarcOffsets())
    const { close } = warcs
    open.defer(close)
    store.keepExchangesIn(warcs.sink)
    if (warcs.cutBytes > 0) note({ kind: 'warc repaired', cutBytes: warcs.cutBytes })
  }
  const fleet = await fleetFor(web, settings, { opened, warcs, isPaced: steps !== undefined, note })
  if (fleet) open.use(fleet)
  const plain = fleet
    ? noted(fleet.fetcher, warcs, state)
    : await fetcherWithMemory(web, settings, opened, warcs)
  // What a fleet may send is noted in its ledger.
  const sending = steps && !fleet ? inSteps(plain, steps) : plain
  const fetcher = pausable(sending, () => tools.onPlanned())
  open.defer(() => fetcher.close())
  const engine = await judgingEngine(settings, opened, note)
  const held = open.move()
  let policy: BudgetPlanner | undefined
  const tools: RunTools = {
    policy: async () => {
      if (policy) return policy
      policy = await crawlPolicy(settings.policy, opened, opened.now, {
        ...{ ...settings, registry, engine },
      })
      // Only now: a policy that cannot run here is refused, and status tells of the last that did.
      await store.saveSettings({
        policy: settings.policy,
        [PLAN_SETTINGS]: planSettingsText(settings),
        ...notedPolicy(await store.settings(), settings.policy, state.cycle),
      })
      return policy
    },
    get hasBegun() {
      return policy !== undefined
    },
    fetcher,
    fleet,
    engine,
    onPlanned: () => {},
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  }
  return tools
}

function noted(fetcher: Fetcher, warcs: OpenWarcs | undefined, state: OpenCrawl['state']): Fetcher {
  return warcs ? notedForWarc(fetcher, warcs, state) : fetcher
}

/** A fetcher that knows what its predecessor knew, and keeps to what is left of the bytes. */
async function fetcherWithMemory(
  web: Web,
  { dir, maxBytes }: Settings,
  { store, state }: OpenCrawl,
  warcs: OpenWarcs | undefined,
): Promise<Fetcher> {
  if (web.kind === 'recorded') return web.fetcher()
  const now = web.clock.now()
  const memory = await store.fetcherMemory()
  const bytesLeft = maxBytes === undefined ? undefined : () => maxBytes - state.bytes
  // A run that ends by itself takes away what it told, or says that it only reloads.
  const { doing = 'reloading' } = readProgress(dir) ?? {}
  const restFirst = doing !== 'reloading'
  const keepExchange = warcs !== undefined
  const fetcher = web.fetcher({ ...memory, keepExchange, bytesLeft, restFirst }, warcs?.forWorkers)
  store.rememberFetcher(fetcher, memory, now)
  return web.workers > 0 ? noted(fetcher, warcs, state) : fetcher
}

/** Crawls until something runs out, nothing is left, or somebody says stop; tells what came of it. */
export async function runCrawl(
  runnable: RunnableCrawl,
  tools: RunTools,
  { budget = runnable.settings.budget, signal, on = {}, service, pace, told }: RunOptions,
): Promise<CrawlSummary> {
  const { opened, web, settings } = runnable
  const { state, store } = opened
  const { fetcher } = tools
  const tally = new RunTally(state)
  const stop = new AbortController()
  const stopped = AbortSignal.any([stop.signal, ...(signal ? [signal] : [])])
  const running: RunningCrawl = {
    tally,
    get doing() {
      if (stopped.aborted) return service?.isReloading() ? 'reloading' : 'stopping'
      return fetcher.paused ? 'paused' : 'crawling'
    },
    get inFlight() {
      return fetcher.inFlight().length
    },
    get fleet() {
      return tools.fleet?.fetcher.status
    },
    pause: () => fetcher.pause(),
    resume: () => fetcher.resume(),
  }
  tools.onPlanned = () => {
    tally.waitsFor = undefined
    on.planned?.()
  }
  await on.begin?.(running)
  const note = on.note ?? (() => {})
  const targets = pushTargets(settings.pushTo ?? [], settings, note)
  await using followers = followWith(targets, { dir: settings.dir, store, note, stopped })
  const endHeartbeat = startHeartbeat({
    dir: settings.dir,
    fetcher,
    note,
    progress: () => progressOf(runnable, running, service ?? budget),
    stop: () => {
      if (!stopped.aborted) note({ kind: 'stopping' })
      stop.abort()
    },
    reload: service && (() => service.reload()),
    beat: on.beat,
  })
  const searches = async (at: number) => {
    const taken = await store.takeInSearches(at, Date.now() / 1000, service?.grownLog())
    for (const report of taken?.reports ?? []) note({ kind: 'lines skipped', report })
    return taken?.queries
  }
  const instructions = async (at: number) => {
    const all = await takeInInstructions(settings.dir, store, at)
    if (all && web.kind === 'live') web.useManners(instructedTerms(all))
    return all
  }
  try {
    const policy = await tools.policy()
    const end = await crawl(
      state,
      { policy, ...planRules(settings), untilGain: settings.untilGain },
      // Without an index searches change nothing, and wait for the next run.
      {
        ...{ fetcher, repository: store, clock: web.clock, instructions },
        told: told ?? toldInbox(settings.dir),
        searches: state.indexer && searches,
        judge: tools.engine && judgeBy(tools.engine),
      },
      {
        budget,
        batch: settings.batch,
        ...(web.kind === 'live' &&
          goesByDepth(settings.policy, runnable.registry) &&
          PLANS_BY_DEPTH),
        ...(tools.fleet && FLEET_PLANS),
        bytes: settings.maxBytes,
        until: web.until,
        waitSeconds: settings.maxWait,
        pace: pace ?? service?.pace,
      },
      stopped,
      listening(tally, on, followers),
    )
    await keepOwed(settings.policy, policy, opened)
    tally.waitsFor = undefined
    const { frames } = state.frontier.renderings
    const hindrances = {
      ...(await storedHindrances(store)),
      straySeeds: ifAny(await straySeeds(opened)),
      rests: ifAny(end === 'nothing left to fetch' ? state.resting.at(web.clock.now()) : []),
      frames: settings.render || frames === 0 ? undefined : frames,
      // Whoever is told to stop does so at once, and there may be millions to look through.
      unmatchedIncludes: ifAny(
        end === 'stopped' ? [] : unmatchedIncludes(opened.rules, () => knownUrls(state.frontier)),
      ),
    }
    return summaryOf(end, { ...settings, budget }, state, tally, hindrances)
  } finally {
    endHeartbeat()
  }
}

function listening(tally: RunTally, on: RunListener, followers: { wake(): void }): CrawlListener {
  return {
    outcome: (outcome) => {
      tally.countOutcome(outcome)
      on.outcome?.(outcome)
    },
    cycle: (record) => {
      tally.countCycle(record)
      followers.wake()
      on.cycle?.(record)
    },
    letGo: on.letGo,
    wait: (rest) => {
      tally.waitsFor = rest
      on.wait?.(rest)
    },
  }
}

/** What other processes are told. */
function progressOf(
  { opened, web, settings, remark }: RunnableCrawl,
  { doing, tally, fleet }: RunningCrawl,
  means: number | RunningService,
) {
  const { spent, frontier } = opened.state
  const { waitsFor, spending } = tally
  // Others go by the machine's clock, which may have been set since the crawl began.
  const byWall = (time: number) => time - web.clock.now() + Date.now() / 1000
  return {
    ...{ doing, policy: settings.policy, spent, known: frontier.size },
    ...(typeof means === 'number' ? { budget: means } : { service: means.progress() }),
    waitsFor: waitsFor && { host: waitsFor.host, until: byWall(waitsFor.until) },
    fetchesPerSecond: tally.fetchedNow / tally.seconds,
    tasks: spending.tasks,
    price: spending.price,
    remark,
    fleet,
  }
}
