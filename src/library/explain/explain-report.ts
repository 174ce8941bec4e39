import { refreshLimit } from '#crawl/plan-cycle.ts'
import type { RobotsExplanation } from '#fetch/robots/robots-explanation.ts'
import type { Frontier } from '#frontier/frontier.ts'
import type { ScopeTest } from '#frontier/scope.ts'
import { hostOf } from '#parse/url/canonical-url.ts'
import { answersOf } from '#policy/facts/query-answers.ts'
import { REGISTRY, type Registry } from '#policy/registry/registry.ts'
import type { PastFetch } from '#repository/reports/url-reports.ts'
import { defaultScoring } from '#search/full-text/default-search.ts'
import type { OpenCrawl } from '../open/open-crawl.ts'
import { storedPaces } from '../plan/board-place.ts'
import { planRules } from '../plan/plan-settings.ts'
import { learnStoredRules } from '../plan/stored-rules.ts'
import { identityOf } from '../settings/identity.ts'
import type { Settings } from '../settings/settings.ts'
import { explainBid } from './explain-bid.ts'
import type { QueryDemand } from './explain-demand.ts'
import { type Hold, outerHolds, ownHolds, storedRobots, strayHolds } from './explain-holds.ts'
import { type HeldCopy, heldCopy, type KnownUrl, knownUrl, nearestUrls } from './explain-known.ts'
import type { ExplainedParts } from './explain-parts.ts'
import type { ExplainedBid } from './explained-bid.ts'
import { prepare } from './prepared.ts'

/** States in which a URL is still to be fetched, as far as it depends on us. */
const UNFETCHED = new Set(['known', 'failed', 'disallowed', 'forbidden'])

/** While one of these holds, a place on the board leads to nothing. */
const SHUT: ReadonlySet<Hold['kind']> = new Set(['scope', 'robots', 'forgotten'])

/** All that is to be said of a URL. */
export type ExplainReport = UnknownUrlReport | KnownUrlReport

interface CommonReport {
  /** The form under which a crawl knows it. */
  readonly url: string
  readonly dir: string
  /** The time it is told for: now, or that of the archive; seconds since 1970. */
  readonly at: number
  /** What its host's robots.txt said when it was last asked for; absent if it never was. */
  readonly robots?: RobotsExplanation
  readonly heldBackBy: readonly Hold[]
}

export interface UnknownUrlReport extends CommonReport {
  readonly known: false
  /** Known URLs of its host. */
  readonly nearest: readonly string[]
}

export interface KnownUrlReport extends CommonReport {
  readonly known: true
  readonly about: KnownUrl
  readonly fetches: readonly PastFetch[]
  /** For a URL that the policy bids for: one not fetched yet, or a copy. */
  readonly policy?: string
  readonly bid?: ExplainedBid
  /** What the bid is made of, where new pages, copies and links compete. */
  readonly parts?: ExplainedParts
  /** For a URL not fetched yet. */
  readonly demand?: QueryDemand
  /** For a page that is held. */
  readonly copy?: HeldCopy
  /** Queries of the log that it answers now, the weightiest first. */
  readonly answers?: readonly Answered[]
  /** When it is fetched again, under `refreshAfter`; seconds since 1970. */
  readonly refreshAt?: number
}

export interface Answered {
  readonly query: string
  readonly weight: number
  readonly rank: number
  readonly score: number
}

/** The first of these that the crawl knows, or just the first. */
export function knownOf(urls: readonly string[], frontier: Frontier): string {
  return urls.find((url) => frontier.urls.find(url) !== undefined) ?? urls[0]
}

/** All that is to be said of a URL. Fetches nothing. */
export async function explainUrl(
  url: string,
  opened: OpenCrawl,
  settings: Settings,
  budget: number,
  now: number,
  registry: Registry = REGISTRY,
  prepared = prepare(opened, settings, budget, registry),
): Promise<ExplainReport> {
  const { store, state } = opened
  const { frontier, scope } = state
  const { hostStates, robotsRecords } = await store.fetcherMemory()
  await learnStoredRules(opened, settings)
  const robots = storedRobots(robotsRecords, identityOf(settings).agentToken, url, now)
  const number = frontier.urls.find(url)
  const depth = number === undefined ? 0 : frontier.discoveries.depthOf(number)
  const isNamedSitemap = number !== undefined && frontier.discoveries.sourceOf(number) === 'robots'
  const scopeOfIt: ScopeTest = (url, depth) => scope(url, depth, isNamedSitemap)
  const heldBackBy = outerHolds(url, depth, scopeOfIt, robots, hostStates, now)
  const common = { url, dir: settings.dir, at: now, robots }
  if (number === undefined)
    return { ...common, known: false, heldBackBy, nearest: nearestUrls(frontier, url) }
  const about = await knownUrl(frontier, prepared, store, number)
  const fetches = await store.reports.urls.fetchesOf(number)
  const isHeld = about.state === 'page'
  const isUnfetched = UNFETCHED.has(about.state)
  const question = { opened, settings, registry, budget, now, url: number, prepared }
  const explained = isHeld || isUnfetched ? await explainBid(question) : undefined
  if (!isHeld) heldBackBy.push(...ownHolds(frontier, number, now))
  if (about.state === 'redirect') heldBackBy.push(...strayHolds(url, depth, fetches, scope))
  heldBackBy.push(...(explained?.holds ?? []))
  const copy = isHeld ? await heldCopy(store, number) : undefined
  const { policy } = settings
  const refreshAfter = refreshLimit(frontier, planRules(settings))?.(number)
  const { parts, demand, onHost } = explained ?? {}
  const isShut = heldBackBy.some(({ kind }) => SHUT.has(kind))
  const bid = explained &&
    onHost && {
      ...explained.bid,
      ...(!isShut && { board: await placeOnBoard(url, onHost, opened, settings) }),
    }
  return {
    ...common,
    known: true,
    about,
    fetches,
    ...(copy && { copy, answers: await answeredBy(opened, number, now) }),
    ...(isHeld &&
      refreshAfter !== undefined &&
      refreshAfter < Number.POSITIVE_INFINITY && {
        refreshAt: frontier.lastVisitOf(number) + refreshAfter,
      }),
    ...(bid && { policy, bid }),
    parts,
    demand,
    heldBackBy,
  }
}

/** When a URL's turn comes on its host. */
async function placeOnBoard(
  url: string,
  { place, of }: { readonly place: number; readonly of: number },
  opened: OpenCrawl,
  settings: Settings,
) {
  const paceOf = await storedPaces(opened, settings)
  return { host: hostOf(url), place, of, inSeconds: (place - 1) * paceOf(url) }
}

/** Queries of the log that have a page among the results that plans look at. */
async function answeredBy(
  { store, state }: OpenCrawl,
  url: number,
  now: number,
): Promise<Answered[]> {
  if (!state.indexer) return []
  const queries = await store.queries(now)
  const { depth, kept, urls, scores } = answersOf(state.indexer.index, queries, defaultScoring)
  const answered: Answered[] = []
  for (const [query, { text, weight }] of queries.entries()) {
    const first = query * depth
    const place = urls.subarray(first, first + kept[query]).indexOf(url)
    if (place < 0) continue
    answered.push({ query: text, weight, rank: place + 1, score: scores[first + place] })
  }
  return answered
}
