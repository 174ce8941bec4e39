import { SettingError } from '#errors/setting-error.ts'
import type { AskedQuery } from '#policy/facts/acquisition-facts.ts'
import { sketchedQueries } from '#policy/facts/known-queries.ts'
import { BucketsFolder, readJson } from '#repository/buckets/buckets-folder.ts'
import { holdsCrawl } from '#repository/database/crawl-folder.ts'
import { ANYWHERE } from '#repository/log/stored-rules.ts'
import { goesByIndex, MOST_QUERIES } from '../open/crawl-policy.ts'
import { nothingToCrawl } from '../open/open-crawl.ts'
import { readSeeds } from '../open/seeds.ts'
import { type OpenWarcs, openWarcs } from '../open/warc-files.ts'
import { openWeb, type Web } from '../open/web.ts'
import { planSettingsText } from '../plan/plan-settings.ts'
import { fetchesInAll } from '../settings/setting-kinds.ts'
import type { Settings } from '../settings/settings.ts'
import { advance, type EpochLimits, type EpochsEnd, type Next } from './advance.ts'
import {
  BEGIN,
  type BucketsCrawl,
  type EpochGoal,
  FORMAT,
  latestEpoch,
  type OpenBuckets,
  openBuckets,
} from './buckets-crawl.ts'
import type { FetchingPorts } from './fetch-epoch.ts'
import { AT_ONE_PRICE, BY_QUERIES, goesByQueries, queriesPath } from './query-files.ts'
import type { StepRunner } from './run-steps.ts'

/** What a crawl by epochs is told beside the settings of all crawls. */
interface EpochsOptions {
  readonly settings: Settings
  /** How many buckets it has; one that was begun keeps its own. */
  readonly buckets?: number
  readonly epochs?: number
  /** What searchers ask, when a crawl begins; without any, new pages are chosen by links. */
  readonly queries?: () => Promise<readonly AskedQuery[]>
  readonly signal?: AbortSignal
  /** In place of the one that settings name. */
  readonly web?: Web
  readonly on?: EpochsListener
}

/** Who hears what happens. */
interface EpochsListener extends Pick<FetchingPorts, 'onOutcome'> {
  readonly phase?: (next: Extract<Next, { kind: 'steps' }>) => void
}

const NEW = { spent: 0 }
const USUAL_BUCKETS = 8
/** Fetches of an epoch, if nobody says: planning is to be a small part of the work. */
const USUAL_BATCH = 1_000
/** What policies by queries give way to where nobody asks. */
const BY_LINKS = 'pagerank'

/** Crawls by epochs until the budget is spent or nothing is left: `run` makes the steps. */
export async function runEpochs(
  options: EpochsOptions,
  run: StepRunner,
): Promise<{ readonly epoch: number; readonly why: EpochsEnd }> {
  await using open = await openEpochs(options)
  for (;;) {
    const next = await open.next()
    if (next.kind === 'end') return next
    options.on?.phase?.(next)
    await run(open.opened, next.epoch, next.phase, next.buckets)
  }
}

/** A crawl in buckets that can go on: whoever makes its steps asks what is next. */
interface OpenEpochs extends AsyncDisposable {
  readonly opened: OpenBuckets
  next(): Promise<Next>
}

export async function openEpochs(options: EpochsOptions): Promise<OpenEpochs> {
  const { settings, signal, epochs, on } = options
  const { dir } = settings
  const seeds = readSeeds(settings.seedUrls ?? [], settings.seeds)
  const web = options.web ?? (await openWeb(settings, seeds))
  if (!BucketsFolder.isAt(dir)) await beginBuckets(options, seeds.length > 0 ? seeds : web.seeds)
  const opened = openBuckets(dir)
  if (options.queries && goesByIndex(settings.policy) && !goesByQueries(opened))
    throw new SettingError(
      'dir',
      `${dir} has chosen pages by links since it began, and queries must be named then: choose another {dir}`,
    )
  const latest = latestEpoch(opened)
  const { spent } = latest > 0 ? readJson<EpochGoal>(opened.folder.ofEpoch(latest, BEGIN)) : NEW
  const limits: EpochLimits = {
    budget: fetchesInAll(settings.budget, spent),
    batch: settings.batch ?? USUAL_BATCH,
    epochs,
  }
  const named = new Set(opened.crawl.seeds)
  const isSeed = (url: string) => named.has(url)
  let opening: Promise<OpenWarcs> | undefined
  const warcs = () => (opening ??= openWarcs(settings, isSeed, new Map()))
  const areKept = settings.warc && web.kind === 'live'
  const ports = { web, signal, onOutcome: on?.onOutcome, ...(areKept && { warcs }) }
  return {
    opened,
    next: () => advance(opened, limits, ports),
    [Symbol.asyncDispose]: async () => (await opening)?.close(),
  }
}

/** Writes down what holds for a crawl from its beginning to its end. */
async function beginBuckets(
  { settings, buckets = USUAL_BUCKETS, queries }: EpochsOptions,
  seeds: readonly string[],
): Promise<void> {
  const { dir } = settings
  if (holdsCrawl(dir))
    throw new SettingError(
      'dir',
      `${dir} holds a crawl that is not in buckets: choose another {dir}`,
    )
  if (seeds.length === 0) throw nothingToCrawl(dir)
  const { scope, include, exclude, maxDepth } = settings
  const chosen = Object.entries({ scope, include, exclude, maxDepth }).filter(
    ([, value]) => value !== undefined,
  )
  const asked = goesByIndex(settings.policy) ? ((await queries?.()) ?? []) : []
  if (queries && goesByIndex(settings.policy) && asked.length === 0)
    throw new SettingError('dir', 'nobody asks anything there: import queries first')
  const { sketched } = sketchedQueries(asked, settings.needyShare ?? 1, MOST_QUERIES)
  const policy = policyFor(settings.policy, sketched.length > 0)
  const crawl: BucketsCrawl = {
    format: FORMAT,
    buckets,
    seeds,
    scope: { ...ANYWHERE, ...Object.fromEntries(chosen) },
    settings: JSON.parse(planSettingsText({ ...settings, policy })),
  }
  if (goesByQueries({ crawl }))
    await new BucketsFolder(dir).makeJson(queriesPath(dir), () =>
      sketched.map(({ text, weight }) => ({ text, weight })),
    )
  await new BucketsFolder(dir).makeJson(new BucketsFolder(dir).crawlPath, () => crawl)
}

function policyFor(policy: string, areAsked: boolean): string {
  if (!goesByIndex(policy)) return policy
  if (!areAsked) return BY_LINKS
  return policy === AT_ONE_PRICE ? AT_ONE_PRICE : BY_QUERIES
}
