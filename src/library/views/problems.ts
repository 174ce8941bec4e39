import { statfsSync } from 'node:fs'
import type { FetcherMemory } from '#crawl/ports.ts'
import type { RefusingHost } from '#repository/reports/summary-reports.ts'
import type { SilentSeed } from '#repository/reports/url-reports.ts'
import { type CrawlProgress, readProgress } from '../control/progress-file.ts'
import type { Standing, StoredStatus } from '../status/status.ts'
import type { StatusAlarm } from '../status/status-budget.ts'
import type { StrayRedirect } from '../status/stray-redirects.ts'
import type { Look } from './watched-crawl.ts'

/** Something that wants a person; whoever shows it says what to do. */
export type Problem =
  | { readonly kind: 'disk'; readonly freeBytes: number }
  /** The last run ended without a word. */
  | { readonly kind: 'killed'; readonly at: number }
  | { readonly kind: 'not reloaded'; readonly why: string }
  | { readonly kind: 'no queries' }
  | { readonly kind: 'policy'; readonly policy: string; readonly remark: string }
  | { readonly kind: 'refusing host'; readonly host: RefusingHost }
  | { readonly kind: 'stray seed'; readonly seed: StrayRedirect }
  /** A seed that had nothing to show. */
  | { readonly kind: 'silent seed'; readonly seed: SilentSeed }
  | { readonly kind: 'alarm'; readonly alarm: StatusAlarm }
  /** robots.txt cannot be had, or is closed to us, so that nothing of the site may be fetched. */
  | {
      readonly kind: 'robots'
      readonly origin: string
      readonly closed: boolean
      readonly why: string
    }
  | {
      readonly kind: 'host left alone'
      readonly host: string
      readonly until: number
      readonly why: string
    }

/** Less free than this does not last for long. */
const LITTLE_DISK = 1 << 30
/** Of one kind so many are named. */
const MOST_OF_A_KIND = 5
/** Failures in a row after which a host is left alone for long. */
const MANY_FAILURES = 3

/** What wants a person now, as far as tables tell it; the most urgent first. */
export async function findProblems(
  look: Look,
  status: StoredStatus,
  running: CrawlProgress | undefined,
): Promise<Problem[]> {
  const { settings } = look
  const { store } = look.tables
  const memory = await look.once('fetcher memory', () => store.fetcherMemory())
  const hasSearches = await look.once('searches', () => store.reports.summary.hasSearches())
  const left = running ? undefined : readProgress(settings.dir)
  const remark = running?.remark ?? status.remark
  return [
    ...diskProblem(settings.dir),
    ...(left ? [{ kind: 'killed' as const, at: left.at }] : []),
    ...(running?.service?.fault === undefined
      ? []
      : [{ kind: 'not reloaded' as const, why: running.service.fault }]),
    ...few(status.refusing).map((host) => ({ kind: 'refusing host' as const, host })),
    ...few(robotsProblems(memory)),
    ...few(silentSeedProblems(status, memory)),
    ...few(hostProblems(memory, look.at)),
    ...(hasSearches ? [] : [{ kind: 'no queries' as const }]),
    ...(remark === undefined
      ? []
      : [{ kind: 'policy' as const, policy: running?.policy ?? status.policy ?? '', remark }]),
  ]
}

/** Further ones, that are known once the whole log was gone through. */
export function standingProblems({ straySeeds, alarms }: Standing): Problem[] {
  return [
    ...few(straySeeds).map((seed) => ({ kind: 'stray seed' as const, seed })),
    ...few(alarms).map((alarm) => ({ kind: 'alarm' as const, alarm })),
  ]
}

const few = <T>(all: readonly T[] = []) => all.slice(0, MOST_OF_A_KIND)

function diskProblem(dir: string): Problem[] {
  const { bavail, bsize } = statfsSync(dir)
  const freeBytes = bavail * bsize
  return freeBytes < LITTLE_DISK ? [{ kind: 'disk', freeBytes }] : []
}

function robotsProblems({ robotsRecords }: FetcherMemory): Problem[] {
  return robotsRecords
    .filter(({ kind }) => kind === 'closed' || kind === 'unreachable')
    .map(({ origin, kind, reason = '' }) => ({
      ...{ kind: 'robots' as const, origin, closed: kind === 'closed', why: reason },
    }))
}

/** Where robots.txt cannot be had, that was said. */
function silentSeedProblems({ silentSeeds }: StoredStatus, memory: FetcherMemory): Problem[] {
  const shut = new Set(robotsProblems(memory).map((one) => one.kind === 'robots' && one.origin))
  return (silentSeeds?.named ?? [])
    .filter(({ url }) => !shut.has(new URL(url).origin))
    .map((seed) => ({ kind: 'silent seed' as const, seed }))
}

function hostProblems({ hostStates }: FetcherMemory, now: number): Problem[] {
  return hostStates
    .filter(({ backoffUntil, failures }) => backoffUntil > now && failures >= MANY_FAILURES)
    .sort((a, b) => b.failures - a.failures)
    .map(({ host, backoffUntil: until, reason: why = '' }) => ({
      ...{ kind: 'host left alone' as const, host, until, why },
    }))
}
