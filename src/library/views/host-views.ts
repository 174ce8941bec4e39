import type { HostState, RobotsRecord } from '#crawl/ports.ts'
import { type HostLimits, type HostTerms, instructedTerms } from '#frontier/instructions.ts'
import { instructionInbox } from '#repository/inbox/instruction-inbox.ts'
import type {
  ClaimsTested,
  HostList,
  HostSpent,
  SectionSpent,
} from '#repository/reports/host-reports.ts'
import { storedPaces } from '../plan/board-place.ts'
import { siteOf } from '../settings/instructed-sites.ts'
import { limitsIn } from '../settings/site-limits.ts'
import type { Look } from './watched-crawl.ts'

/** Where a budget went, host by host. */
export interface HostsView {
  readonly hosts: number
  /** In all: fetches paid for, and what they gained. */
  readonly fetches: number
  readonly gain: number
  readonly listed: readonly ListedHost[]
}

/** A host with its manners: how often it is asked, and why so. */
export interface ListedHost extends HostSpent {
  /** Seconds between two requests. */
  readonly delay: number
  readonly delayBy: 'settings' | 'robots.txt' | 'operator'
  /** It is left alone until then, as it is busy or fails. */
  readonly leftAloneUntil?: number
  readonly failures: number
  readonly reason?: string
  /** What came of asking for its robots.txt; left out if nobody asked yet. */
  readonly robots?: RobotsRecord['kind']
}

/** One host. */
export interface HostView extends ListedHost {
  readonly shareOfFetches: number
  readonly shareOfGain: number
  readonly sections: readonly SectionSpent[]
  readonly troubles: readonly {
    readonly outcome: string
    readonly status?: number
    readonly reason: string
    readonly fetches: number
    readonly lastAt: number
  }[]
  readonly claims: ClaimsTested
  readonly lists: readonly HostList[]
  /** The robots.txt in force, of each of its origins. */
  readonly robotsFiles: readonly RobotsRecord[]
  readonly manner: ManneredHost
}

/** What holds for a host, and who said so. */
interface ManneredHost extends HostLimits {
  /** Requests to it at the same time. */
  readonly concurrency: number
  /** Hours in which it is not asked; none if empty. */
  readonly quietHours: readonly string[]
  /** What operators said since, as far as the crawl has taken it in. */
  readonly told?: HostTerms
  /** What it will hear of before its next plan; all left out: what the settings say is to hold again. */
  readonly waiting?: HostTerms
}

const SECTIONS_SHOWN = 50
const TROUBLES_SHOWN = 20
const LISTS_SHOWN = 30

/** A stretch of the hosts whose names hold a text, those with most fetches first. */
export async function hostsView(
  look: Look,
  ask: { readonly named: string; readonly offset: number; readonly limit: number },
): Promise<HostsView> {
  const { store } = look.tables
  const { named, offset, limit } = ask
  const rows = await look.once(`hosts ${offset} ${limit} ${named}`, () =>
    store.reports.hosts.hosts(named.toLowerCase(), offset, limit),
  )
  const { hosts, spent } = await totals(look)
  return {
    ...{ hosts, fetches: spent },
    gain: await totalGain(look),
    listed: await Promise.all(rows.map((row) => withManners(look, row))),
  }
}

/** One host by its name; undefined if nobody knows it. */
export async function hostView(look: Look, name: string): Promise<HostView | undefined> {
  const stored = await look.once(`host ${name}`, () => storedHost(look, name))
  // What was said of it just now is no part of the log yet.
  return stored && { ...stored, manner: mannerOf(look, name) }
}

async function storedHost(look: Look, name: string): Promise<Omit<HostView, 'manner'> | undefined> {
  const { hosts } = look.tables.store.reports
  const row = await hosts.host(name)
  if (!row) return undefined
  const { robotsRecords } = await manners(look)
  const gain = await totalGain(look)
  const { spent } = await totals(look)
  return {
    ...(await withManners(look, row)),
    shareOfFetches: spent > 0 ? row.fetches / spent : 0,
    shareOfGain: gain > 0 ? row.gain / gain : 0,
    sections: await hosts.sections(row.id, SECTIONS_SHOWN),
    troubles: await hosts.troubles(row.id, TROUBLES_SHOWN),
    claims: await hosts.claims(row.id),
    lists: await hosts.lists(row.id, LISTS_SHOWN),
    robotsFiles: robotsRecords.get(name) ?? [],
  }
}

function mannerOf({ settings, tables }: Look, name: string): ManneredHost {
  const site = siteOf(name, settings.sites ?? [])
  const told = instructedTerms(tables.instructions).get(name)
  const left = instructionInbox(settings.dir)
    .peek()
    .findLast((one) => one.kind === 'site' && one.host === name)
  const waiting = left && (instructedTerms([{ at: 0, ...left }]).get(name) ?? {})
  const limits: HostLimits = {
    maxPages: settings.maxPagesPerHost,
    refreshAfter: settings.refreshAfter,
    ...known(site && limitsIn(site)),
    ...known(told && { maxPages: told.maxPages, refreshAfter: told.refreshAfter }),
  }
  return {
    ...known(limits),
    concurrency: site?.concurrency ?? settings.connectionsPerHost,
    quietHours: site?.quietHours ?? settings.quietHours ?? [],
    ...(told && { told }),
    ...(waiting && { waiting }),
  }
}

/** What is not left open. */
function known(limits: HostLimits = {}): HostLimits {
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined))
}

function totals(look: Look) {
  return look.once('totals', () => look.tables.store.reports.summary.totals())
}

async function totalGain(look: Look): Promise<number> {
  const { budget } = look.tables.store.reports
  return (await look.once('total gain', () => budget.totalGain())) ?? 0
}

/** What the fetcher knows of hosts, by their names. */
function manners(look: Look) {
  return look.once('manners', async () => {
    const { tables, settings } = look
    const { hostStates, robotsRecords } = await tables.store.fetcherMemory()
    const hostOfOrigin = ({ origin }: RobotsRecord) => new URL(origin).host
    return {
      states: new Map(hostStates.map((state): [string, HostState] => [state.host, state])),
      robotsRecords: Map.groupBy(robotsRecords, hostOfOrigin),
      paceOf: await storedPaces(tables, settings),
      told: instructedTerms(tables.instructions),
    }
  })
}

async function withManners(look: Look, row: HostSpent): Promise<ListedHost> {
  const { states, robotsRecords, paceOf, told } = await manners(look)
  const records = robotsRecords.get(row.host) ?? []
  const { backoffUntil = 0, failures = 0, reason } = states.get(row.host) ?? {}
  const origin = records.at(0)?.origin ?? `https://${row.host}`
  const delay = paceOf(`${origin}/`)
  const { settings } = look
  const asked = siteOf(row.host, settings.sites ?? [])?.delay ?? settings.delay
  return {
    ...row,
    delay,
    delayBy:
      delay > asked
        ? 'robots.txt'
        : told.get(row.host)?.delay !== undefined
          ? 'operator'
          : 'settings',
    ...(backoffUntil > look.at && { leftAloneUntil: backoffUntil }),
    ...{ failures, reason, robots: records.at(0)?.kind },
  }
}
