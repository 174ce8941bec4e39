import { SettingError } from '#errors/setting-error.ts'
import type { Scope } from '#frontier/scope.ts'
import { editDistance } from '#numeric/edit-distance.ts'
import { shownJson } from '#parse/text/json-value.ts'
import type { Budget } from './setting-kinds.ts'
import { DEFAULTS, SETTINGS, type Setting, type SettingName, type Settings } from './settings.ts'

/** Settings that are given otherwise, or that only the command line obeys. */
type Elsewhere =
  | 'seeds'
  | 'seedUrls'
  | 'log'
  | 'logLevel'
  | 'metricsPort'
  | 'metricsHost'
  | 'serve'
  | 'serveHost'
  | 'control'
  | 'controlActions'
  | 'hearPort'
  | 'hearHost'
  | 'callback'

/**
 * How a crawl is to go. Every setting of docs/reference/configuration.md can be given by the name of its flag in camel case; times are
 * seconds, sizes bytes.
 */
export interface CrawlOptions extends Partial<Omit<Settings, Elsewhere>> {
  /** The folder that keeps the crawl; it is made if need be. */
  readonly dir?: string
  /** URLs to begin with; not needed when the folder holds a crawl already. */
  readonly seeds?: readonly string[]
  /** A file with more of them, one a line. */
  readonly seedsFile?: string
  /** The file that these come from, if one: it is seen to that nobody else can read secrets in it. */
  readonly settingsFile?: string
  /** Fetches in all, earlier runs in the same folder included, or so many more, as in `+500`; 1000 if left out. */
  readonly budget?: Budget
  /** The name of a bidder or of a split, as in `unified`, `pagerank` or `split:70/20/10`. */
  readonly policy?: string
  /** How far to stray from the seeds. */
  readonly scope?: Scope
  /** A mail address or web page that site owners may write to; live crawls need it. */
  readonly contact?: string
  /** Seconds between two requests to one host. */
  readonly delay?: number
  /** A recorded web to crawl instead of the live one. */
  readonly archive?: string
  /** Rules that say where hosts are reached, as in `*=127.0.0.1:8080`. */
  readonly resolve?: readonly string[]
}

/** What is to hold: the values to go by, and those that somebody chose. */
interface ChosenSettings {
  readonly settings: Settings
  readonly chosen: Partial<Settings>
  readonly settingsFile?: string
}

/** Checks options and fills in what is left out. A wrong one is a SettingError that names it. */
export function settingsFrom(options: CrawlOptions): ChosenSettings {
  const { seeds, seedsFile, settingsFile, ...rest } = options
  const named: Record<string, unknown> = { ...rest, seedUrls: seeds, seeds: seedsFile }
  const chosen = Object.fromEntries(
    Object.entries(named).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, checked(name, value)]],
    ),
  )
  return { settings: { ...DEFAULTS, ...chosen }, chosen, settingsFile }
}

function checked(name: string, value: unknown): unknown {
  if (!Object.hasOwn(SETTINGS, name))
    throw new SettingError(name, `there is no setting "${name}"${nearestTo(name)}`)
  const { kind }: Setting<unknown> = SETTINGS[name as SettingName]
  const read = kind.fromJson(value)
  if (read !== undefined) return read
  const fault = kind.fault?.(value)
  if (fault !== undefined) throw new SettingError(name, fault)
  const hint = typeof value === 'string' ? (kind.hint?.(value) ?? '') : ''
  throw new SettingError(name, `{${name}} must be ${kind.form}, not ${shownJson(value)}.${hint}`)
}

/** The option that is meant, if it was mistyped. */
function nearestTo(name: string): string {
  const known = [...Object.keys(SETTINGS), 'seedsFile', 'settingsFile']
  const slips = known.map((one) => editDistance(name.slice(0, 60), one))
  const least = Math.min(...slips)
  return least <= 2
    ? `; did you mean "${known[slips.indexOf(least)]}"?`
    : ': docs/reference/configuration.md lists them all'
}
