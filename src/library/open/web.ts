import { availableParallelism } from 'node:os'
import { archiveFetcher } from '#archive/archive-fetcher.ts'
import { readArchive } from '#archive/format/read-archive.ts'
import { RecordedWeb } from '#archive/recorded-web.ts'
import { parseQuietHours, type QuietWindow } from '#crawl/pace/quiet-hours.ts'
import type { Clock, Fetcher } from '#crawl/ports.ts'
import { SettingError } from '#errors/setting-error.ts'
import { MOST_WORKERS } from '#fetch/bounds/address-places.ts'
import type { DocumentOptions } from '#fetch/documents/document-reader.ts'
import type { LiveFetcher, LiveFetcherOptions } from '#fetch/live-fetcher.ts'
import { threadedFetcher } from '#fetch/thread/threaded-fetcher.ts'
import { parseProxy } from '#fetch/wire/proxy.ts'
import { parseResolveRule } from '#fetch/wire/resolve-rules.ts'
import type { HostManner } from '#frontier/instructions.ts'
import { DOCUMENT_FORMATS } from '#parse/page/document-format.ts'
import { canonicalUrl } from '#parse/url/canonical-url.ts'
import { type KeepingWorker, WORKER_PROGRAM } from '#repository/worker/worker-program.ts'
import { browserFor } from '../render/browser.ts'
import { identityOf, requireContact } from '../settings/identity.ts'
import { withManners } from '../settings/instructed-sites.ts'
import type { Settings } from '../settings/settings.ts'
import { signingOf } from '../settings/signing.ts'
import { siteRules } from '../settings/site-rules.ts'
import type { SiteSetting } from '../settings/site-setting.ts'
import { liveClock } from './live-clock.ts'

/** What a fetcher of the live web is told when the crawl's directory is open. */
type FetcherMemory = Pick<
  LiveFetcherOptions,
  'hostStates' | 'robotsRecords' | 'hostTrusts' | 'bytesLeft' | 'keepExchange' | 'restFirst'
>

/** A web to crawl: its time, where to begin if nobody says, and a way to fetch from it. */
export type Web = LiveWeb | RecordedWebToCrawl

interface LiveWeb {
  readonly kind: 'live'
  readonly clock: Clock
  readonly seeds: readonly string[]
  /** When `maxTime` is over. */
  readonly until?: number
  /** Where `warcs` is given, workers keep what they receive in files of their own; without any worker it comes along. */
  fetcher(memory: FetcherMemory, warcs?: KeepingWorker): LiveFetcher
  /** Threads that fetch. */
  readonly workers: number
  /** From now on these hold for own sites, and no others. */
  useSites(sites: readonly SiteSetting[]): void
  /** From now on hosts are asked like that, in place of what settings say. */
  useManners(manners: ReadonlyMap<string, HostManner>): void
}

interface RecordedWebToCrawl {
  readonly kind: 'recorded'
  readonly clock: Clock
  readonly seeds: readonly string[]
  readonly until?: undefined
  fetcher(): Fetcher
}

/** The live web, or the archive the user named. */
export async function openWeb(settings: Settings, seeds: readonly string[]): Promise<Web> {
  if (settings.archive !== undefined && settings.resolve !== undefined)
    throw new SettingError(
      'archive',
      '{archive} reads the recording itself and asks no server: leave out {resolve}, or name seeds instead of {archive}',
    )
  if (settings.archive !== undefined && settings.render)
    throw new SettingError('render', '{render} is for live crawls: a recorded web runs no scripts')
  return settings.archive === undefined
    ? openLiveWeb(settings, seeds)
    : openArchive(settings.archive, settings)
}

/** How the live web is fetched from, beside what settings say. */
interface LiveWebOptions {
  /** The machine's, if left out. */
  readonly clock?: Clock
  /** On threads of their own, so that nothing waits while a crawl plans; unless the clock is not the machine's. */
  readonly onThreads?: boolean
}

/** The live web, if the settings allow it. What sends and parses is loaded only where this thread is the one to do so. */
export async function openLiveWeb(
  settings: Settings,
  seeds: readonly string[],
  { clock: own, onThreads = own === undefined }: LiveWebOptions = {},
): Promise<LiveWeb> {
  if (settings.at !== undefined)
    throw new SettingError('at', '{at} goes with {archive}: name the archive too')
  const options = liveFetcherOptions(settings, own ?? liveClock())
  requireContact(settings, options.resolve, seeds)
  const { clock, deadline } = options
  const workers = onThreads ? workersOf(settings) : 0
  const threadless = workers > 0 ? undefined : await import('#fetch/live-fetcher.ts')
  const browser = browserFor(settings, workers)
  let sites = settings.sites
  let manners: ReadonlyMap<string, HostManner> = new Map()
  let fetcher: LiveFetcher | undefined
  const rules = () => siteRules(withManners(sites, manners))
  return {
    kind: 'live',
    clock,
    seeds: [],
    until: deadline,
    workers,
    fetcher: (memory, warcs) => {
      const all = { ...options, sites: rules(), ...memory }
      const keeping = warcs && { program: WORKER_PROGRAM, more: warcs }
      fetcher =
        threadless?.liveFetcher(all) ?? threadedFetcher(all, { workers, ...keeping, browser })
      return fetcher
    },
    useSites: (own) => {
      sites = own
      fetcher?.useSites(rules())
    },
    useManners: (own) => {
      manners = own
      fetcher?.useSites(rules())
    },
  }
}

/** One core is left for planning. With a single core one thread too: a plan that takes seconds must keep no socket waiting. */
function workersOf(settings: Settings): number {
  const { workers = Math.max(1, availableParallelism() - 1), concurrency } = settings
  return Math.min(workers, concurrency, MOST_WORKERS)
}

/** What the settings mean for a fetcher of the live web. */
export function liveFetcherOptions(settings: Settings, clock: Clock): LiveFetcherOptions {
  const { responseFactor, connectionsPerDomain, connectionsPerAddress, maxTime, proxy } = settings
  return {
    ...identityOf(settings),
    signing: signingOf(settings),
    resolve: (settings.resolve ?? []).map(parseResolveRule),
    sites: siteRules(settings.sites),
    delayMs: settings.delay * 1000,
    responseFactor,
    quiet: quietWindows(settings),
    connectionsPerHost: settings.connectionsPerHost,
    perDomain: connectionsPerDomain,
    perAddress: connectionsPerAddress,
    concurrency: settings.concurrency,
    closedWhenDenied: settings.robotsDenied === 'disallow',
    sitemaps: settings.sitemaps,
    timeouts: {
      connectMs: settings.connectTimeout * 1000,
      firstByteMs: settings.firstByteTimeout * 1000,
      totalMs: settings.totalTimeout * 1000,
    },
    maxBodyBytes: settings.maxBody,
    documents: documentOptions(settings),
    fields: settings.fields,
    allowPrivate: settings.allowPrivate,
    onlyThisMachine: settings.contact === undefined,
    proxy: proxy === undefined ? undefined : parseProxy(proxy),
    deadline: maxTime === undefined ? undefined : clock.now() + maxTime,
    clock,
  }
}

/** Which documents are read, and what each may cost. */
function documentOptions(settings: Settings): DocumentOptions | undefined {
  const { documents, documentFormats: formats = DOCUMENT_FORMATS } = settings
  const [mostMs, mostBytes] = [settings.documentTime * 1000, settings.documentMemory]
  return documents ? { formats, mostMs, mostBytes } : undefined
}

/** The hours in which nobody is asked. */
export function quietWindows({ quietHours = [] }: Settings): QuietWindow[] {
  return quietHours.map((text) => parseQuietHours(text)!)
}

async function openArchive(dir: string, { at, maxTime, sitemaps }: Settings): Promise<Web> {
  if (maxTime !== undefined)
    throw new SettingError(
      'maxTime',
      '{maxTime} is for live crawls: a recorded web has a time of its own',
    )
  const archive = await readArchive(dir)
  const snapshot = at ?? archive.snapshotCount - 1
  if (snapshot >= archive.snapshotCount)
    throw new SettingError(
      'at',
      `{at} ${snapshot}: ${dir} has snapshots 0 to ${archive.snapshotCount - 1} only`,
    )
  const clock = { now: () => archive.timeOf(snapshot) }
  return {
    kind: 'recorded',
    clock,
    seeds: archive.site.start.flatMap((url) => canonicalUrl(url) ?? []),
    fetcher: () => archiveFetcher(new RecordedWeb(archive, snapshot), clock, { sitemaps }),
  }
}
