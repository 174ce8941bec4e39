import { DEFAULTS, type Settings } from '../settings/settings.ts'
import { version } from '../settings/version.ts'

/** How to fetch is the same for all workers of a crawl: the planner's settings hold. */
const ANNOUNCED = [
  ...(['contact', 'userAgent', 'identityAgent', 'identitySign'] as const),
  ...(['delay', 'responseFactor', 'connectionsPerHost', 'connectionsPerDomain'] as const),
  ...(['connectionsPerAddress', 'quietHours', 'robotsDenied', 'sitemaps'] as const),
  ...(['connectTimeout', 'firstByteTimeout', 'totalTimeout', 'maxBody'] as const),
  ...(['resolve', 'allowPrivate', 'warc', 'sites'] as const),
] as const

/** What a planner tells all workers. */
export interface Announcement {
  /** Which crawl it is: two must not share a schema. */
  readonly crawl: string
  readonly version: string
  readonly settings: Partial<Settings>
}

/** Secrets of own sites do not go over the database: workers that need them have them in a file of their own. */
export function announcementOf(crawl: string, settings: Settings): Announcement {
  const sites = settings.sites?.map(({ match, delay, concurrency, quietHours }) => ({
    ...{ match, delay, concurrency, quietHours },
  }))
  const named = ANNOUNCED.map((name) => [name, settings[name]] as const)
  return { crawl, version, settings: { ...Object.fromEntries(named), sites } }
}

/** What holds for a worker: the planner's settings, and those of its own machine. */
export function workerSettings({ settings }: Announcement, own: Partial<Settings>): Settings {
  return { ...DEFAULTS, ...settings, ...own }
}
