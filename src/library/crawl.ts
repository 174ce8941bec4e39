import { refreshLimit } from '#crawl/plan-cycle.ts'
import { instructedTerms } from '#frontier/instructions.ts'
import type { ScopeRules } from '#frontier/scope.ts'
import type { Bidder } from '#policy/bidder.ts'
import type { Registry } from '#policy/registry/registry.ts'
import { holdsCrawl } from '#repository/database/crawl-folder.ts'
import { takeInSearchEvents } from '#repository/state/open-queries.ts'
import { type ExplainReport, explainUrl, knownOf } from './explain/explain-report.ts'
import type { NoteListener } from './open/crawl-note.ts'
import { goesByIndex } from './open/crawl-policy.ts'
import {
  type CrawlTables,
  nothingToCrawl,
  type OpenCrawl,
  openCrawl as openDirectory,
  openExistingCrawl,
  openTablesToLook,
} from './open/open-crawl.ts'
import { type OwnBidders, readPolicyFiles } from './open/policy-file.ts'
import {
  checkRender,
  checkUntilGain,
  noteWithoutCopies,
  policyInForce,
} from './open/policy-in-force.ts'
import { meantUrls, readSeeds } from './open/seeds.ts'
import { noteUnmatched } from './open/unmatched.ts'
import { openWeb, type Web } from './open/web.ts'
import { whenFree } from './open/when-free.ts'
import { type CrawlPlan, planFetches } from './plan/plan-fetches.ts'
import { planRules } from './plan/plan-settings.ts'
import type { CrawlSummary } from './run/crawl-summary.ts'
import { openRunTools, type RunOptions, type RunTools, runCrawl } from './run/run-crawl.ts'
import { askAndShow, type ShownAnswer } from './search/search-results.ts'
import { openSearchService, type SearchService } from './search/search-service.ts'
import { type CrawlOptions, settingsFrom } from './settings/crawl-options.ts'
import { exposedFiles } from './settings/exposed-files.ts'
import { withManners } from './settings/instructed-sites.ts'
import { fetchesInAll } from './settings/setting-kinds.ts'
import type { Settings, SettingsInForce } from './settings/settings.ts'
import type { SiteSetting } from './settings/site-setting.ts'
import { type CrawlStatus, statusOf } from './status/status.ts'

/** Fetches of a plan, if nobody says. */
const USUAL_PLAN = 20
const USUAL_RESULTS = 10

/** Who hears what is to be known of a crawl, and where its web comes from if not from the settings. */
export interface OpenWith {
  readonly note?: NoteListener
  /** Policies of your own, beside ours and those of `policyFile`; one alone is used, of several `policy` names one. */
  readonly bidders?: readonly Bidder[]
  /** All bidders there are, for doors of this program. */
  readonly registry?: Registry
  /** For a web with a time of its own. */
  readonly web?: Web
}

/** A crawl that can be asked: what it would fetch, why, what it has found, and how far it is. */
export class CrawlView implements AsyncDisposable {
  /** The settings that hold, with the policy in force. */
  readonly settings: SettingsInForce
  /** The directory as it lies in memory; for doors of this program. */
  readonly opened: OpenCrawl
  /** Whoever may bid: ours, and the user's own. */
  readonly bidders: OwnBidders
  #search: (SearchService & { close(): void }) | undefined

  constructor(opened: OpenCrawl, settings: SettingsInForce, bidders: OwnBidders) {
    this.bidders = bidders
    this.opened = opened
    this.settings = settings
  }

  /** The next fetches, best first, each with its bid and why. Fetches nothing. */
  plan(fetches = USUAL_PLAN): Promise<CrawlPlan> {
    return planFetches(this.opened, this.settings, fetches, this.bidders.registry)
  }

  /** What is known of a URL, who wants it and what holds it back from a plan of so many fetches. */
  explain(url: string, fetches = USUAL_PLAN): Promise<ExplainReport> {
    const { opened, settings, bidders } = this
    const meant = knownOf(meantUrls(url), opened.state.frontier)
    return explainUrl(meant, opened, settings, fetches, opened.now, bidders.registry)
  }

  /** The pages that answer a query, best first, with titles, excerpts and marks. */
  search(words: string, { offset = 0, limit = USUAL_RESULTS } = {}): ShownAnswer {
    this.#search ??= openSearchService(this.settings.dir)
    return askAndShow(this.#search, words, offset, limit)
  }

  /** How far the crawl has come, and what its budget was spent on. */
  status(): Promise<CrawlStatus> {
    return statusOf(this.settings.dir, this.opened)
  }

  /** Lets go of the directory. */
  async close(): Promise<void> {
    this.#search?.close()
    this.opened.store.close()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }
}

/** A crawl that can also run. Nobody else can write its directory until it is closed. */
export class Crawl extends CrawlView {
  readonly #web: Web
  readonly #remark: string | undefined
  readonly #note: NoteListener
  #tools: RunTools | undefined

  constructor(
    opened: OpenCrawl,
    settings: SettingsInForce,
    { web, bidders, note }: { web: Web; bidders: OwnBidders; note: NoteListener },
  ) {
    super(opened, settings, bidders)
    this.#web = web
    this.#note = note
    if (web.kind === 'live') web.useManners(instructedTerms(opened.instructions))
    checkUntilGain(settings.untilGain, settings.policy, opened, note, bidders)
    checkRender(settings, opened)
    this.#remark = noteWithoutCopies(settings.policy, opened, note, bidders)
  }

  /** The crawl's time in seconds: the machine's, or that of a recorded web. */
  now(): number {
    return this.#web.clock.now()
  }

  /** Crawls until the budget is spent, nothing is left, or the signal says stop. It may run as often as one likes. */
  async run(options: RunOptions = {}): Promise<CrawlSummary> {
    const runnable = {
      opened: this.opened,
      web: this.#web,
      settings: this.settings,
      registry: this.bidders.registry,
      remark: this.#remark,
    }
    this.#tools ??= await openRunTools(runnable, this.#note, options.service?.steps)
    return runCrawl(runnable, this.#tools, options)
  }

  /** What holds for own sites from now on, also amid a run, but for their scope: that stays as it was begun with. */
  useSites(sites: readonly SiteSetting[]): void {
    const { settings } = settingsFrom({ sites })
    if (this.#web.kind === 'live') this.#web.useSites(settings.sites ?? [])
  }

  /** Whether the crawl has ever heard of a canonical URL. */
  knows(url: string): boolean {
    return this.opened.state.frontier.urls.find(url) !== undefined
  }

  /** Ends fetching and lets go of the directory; one that was made for nothing is taken back. */
  override async close(): Promise<void> {
    await this.#tools?.[Symbol.asyncDispose]()
    if (this.#tools?.hasBegun) await super.close()
    else this.opened.store.discard()
  }
}

/**
 * Opens a crawl, which is made if need be, and brings it back to where it was. Mistakes are SettingErrors: each names a setting
 * and a reason.
 */
export async function openCrawl(
  options: CrawlOptions,
  { note = () => {}, web: given, ...own }: OpenWith = {},
): Promise<Crawl> {
  const { settings, chosen, settingsFile } = settingsFrom(options)
  const { dir } = settings
  for (const file of exposedFiles(settings, settingsFile))
    note({ kind: 'readable by others', file })
  const seeds = readSeeds(settings.seedUrls ?? [], settings.seeds, note)
  if (seeds.length === 0 && settings.archive === undefined && !holdsCrawl(dir))
    throw nothingToCrawl(dir)
  const bidders = await biddersFor(settings, note, own)
  const web = given ?? (await openWeb(settings, seeds))
  const openOptions = {
    seeds: seeds.length > 0 ? seeds : web.seeds,
    scope: scopeRulesIn(chosen),
    index: settings.index,
    now: web.clock.now(),
    isArchiveTime: given ? undefined : web.kind === 'recorded',
  }
  const open = async () => {
    const report = holdsCrawl(dir) && (await takeInSearchEvents(dir, Date.now() / 1000))
    if (report) note({ kind: 'lines skipped', report })
    return openDirectory(dir, openOptions)
  }
  const opened = await whenFree(dir, open, note)
  try {
    const policy = policyInForce(chosen.policy, opened, note, bidders)
    const crawl = new Crawl(opened, inForce(settings, policy, opened), { web, bidders, note })
    noteUnmatched(opened, settings.sites, note)
    noteOldCopies(opened, crawl.settings, note)
    if (opened.recovered > 0) note({ kind: 'taken up', fetches: opened.recovered })
    if (opened.moved > 0) note({ kind: 'clock was wrong', fetches: opened.moved })
    return crawl
  } catch (error) {
    opened.store.discard()
    throw error
  }
}

/** Only what was chosen: the directory remembers the rest. */
function scopeRulesIn(chosen: Partial<Settings>): Partial<ScopeRules> {
  const names = ['scope', 'include', 'exclude', 'maxDepth']
  const sites = (chosen.sites ?? []).flatMap(({ match, scope }) =>
    scope ? { match, ...scope } : [],
  )
  return {
    ...Object.fromEntries(Object.entries(chosen).filter(([name]) => names.includes(name))),
    ...(sites.length > 0 && { sites }),
  }
}

/** Opens a crawl to look at it, also while another process runs it; nothing there is written. */
export async function lookAtCrawl(
  options: CrawlOptions,
  {
    note = () => {},
    withIndex,
    asCopy,
    ...own
  }: Omit<OpenWith, 'web'> & { readonly withIndex?: boolean; readonly asCopy?: boolean } = {},
): Promise<CrawlView> {
  const { settings, chosen } = settingsFrom(options)
  const bidders = await biddersFor(settings, note, own)
  const needsIndex = withIndex ?? (bidders.own.length > 0 || goesByIndex(settings.policy))
  const opened = await openExistingCrawl(settings.dir, Date.now() / 1000, needsIndex, asCopy)
  if (opened.isArchiveTime) note({ kind: 'archive time', now: opened.now })
  const policy = policyInForce(chosen.policy, opened, note, bidders)
  return new CrawlView(opened, inForce(settings, policy, opened), bidders)
}

/** Opens a copy of a crawl's tables alone, with the settings that hold for its hosts. */
export async function lookAtTables(
  options: CrawlOptions,
): Promise<{ readonly settings: Settings; readonly tables: CrawlTables }> {
  const { settings } = settingsFrom(options)
  const tables = await openTablesToLook(settings.dir, Date.now() / 1000)
  return { settings: { ...settings, sites: toldSites(settings, tables) }, tables }
}

/** Copies that are too old take half of what may be fetched. */
function noteOldCopies(
  { state, now }: OpenCrawl,
  settings: SettingsInForce,
  note: NoteListener,
): void {
  const limitOf = refreshLimit(state.frontier, planRules(settings))
  if (!limitOf) return
  const { pages } = state.frontier.refreshFacts(now, (url, age) => age > limitOf(url))
  if (pages.length > 0) note({ kind: 'copies first', copies: pages.length })
}

/** Everybody who may bid in a crawl. */
async function biddersFor(
  { policyFile }: Settings,
  note: NoteListener,
  { bidders, registry }: Pick<OpenWith, 'bidders' | 'registry'>,
): Promise<OwnBidders> {
  if (registry) return { registry, own: [] }
  return readPolicyFiles(policyFile, (text) => note({ kind: 'policy', text }), bidders)
}

function inForce(settings: Settings, policy: string, opened: OpenCrawl): SettingsInForce {
  const budget = fetchesInAll(settings.budget, opened.state.spent)
  return { ...settings, sites: toldSites(settings, opened), policy, budget }
}

/** Whoever looks at them is told how own sites are treated, but no secrets. */
function toldSites({ sites }: Settings, { instructions }: Pick<OpenCrawl, 'instructions'>) {
  const told = withManners(sites, instructedTerms(instructions))
  return told?.map(({ match, delay, concurrency, quietHours, maxPages, refreshAfter }) => ({
    ...{ match, delay, concurrency, quietHours, maxPages, refreshAfter },
  }))
}
