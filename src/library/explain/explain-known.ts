import type { Frontier } from '#frontier/frontier.ts'
import { inDegree } from '#importance/in-degree.ts'
import { transDomainInDegree } from '#importance/trans-domain-in-degree.ts'
import { hostOf } from '#parse/url/canonical-url.ts'
import type { HostFetches, LatestCopy } from '#repository/reports/url-reports.ts'
import type { CrawlStore } from '#repository/state/crawl-store.ts'
import type { Prepared } from './prepared.ts'

/** Pages shown that call a URL by one text. */
const SOURCES_SHOWN = 3
const NEAREST_SHOWN = 5

/** What a crawl knows of a URL, fetched or not; times are seconds since 1970. */
export interface KnownUrl {
  readonly state: string
  /** It says next to nothing until its scripts run. */
  readonly isFrame?: boolean
  readonly foundBy: string
  readonly firstSeen: number
  readonly depth: number
  /** Pages that link to it, and those of other registrable domains. */
  readonly inDegree: number
  readonly transDomainInDegree: number
  /** In multiples of the average. */
  readonly pageRank: number
  /** What links call it, the most frequent first. */
  readonly anchors: readonly AnchorText[]
  readonly host: HostFigures
}

interface AnchorText {
  readonly text: string
  readonly links: number
  readonly pages: number
  /** Some of the pages that say so, the most important first. */
  readonly from: readonly string[]
}

interface HostFigures extends HostFetches {
  readonly host: string
  readonly known: number
}

/** Gathers what is known of a URL that the frontier has. */
export async function knownUrl(
  frontier: Frontier,
  prepared: Pick<Prepared, 'graph' | 'ranks'>,
  store: CrawlStore,
  url: number,
): Promise<KnownUrl> {
  const graph = prepared.graph()
  const ranks = prepared.ranks()
  return {
    state: frontier.stateOf(url),
    isFrame: frontier.renderings.signOf(url) === 'shell' || undefined,
    foundBy: frontier.discoveries.sourceOf(url),
    firstSeen: frontier.discoveries.firstSeenOf(url),
    depth: frontier.discoveries.depthOf(url),
    inDegree: inDegree(graph.links, frontier.size)[url],
    transDomainInDegree: transDomainInDegree(graph.links, graph.domains)[url],
    pageRank: ranks[url] * frontier.size,
    anchors: anchorsTo(frontier, url, ranks),
    host: await hostFigures(frontier, store, graph.hosts[url]),
  }
}

function anchorsTo(frontier: Frontier, url: number, ranks: Float64Array): AnchorText[] {
  const found = new Map<number, { links: number; sources: Set<number> }>()
  for (let source = 0; source < frontier.size; source++) {
    const { targets, anchors } = frontier.links.rowOf(source)
    for (let link = 0; link < targets.length; link++) {
      if (targets[link] !== url || source === url) continue
      const said = found.get(anchors[link]) ?? { links: 0, sources: new Set() }
      said.links++
      said.sources.add(source)
      found.set(anchors[link], said)
    }
  }
  const texts = [...found].map(([anchor, { links, sources }]) => ({
    text: frontier.links.anchors.at(anchor),
    links,
    pages: sources.size,
    from: [...sources]
      .sort((a, b) => ranks[b] - ranks[a] || a - b)
      .slice(0, SOURCES_SHOWN)
      .map((source) => frontier.urls.urlOf(source)),
  }))
  return texts.sort((a, b) => b.links - a.links || (a.text < b.text ? -1 : 1))
}

async function hostFigures(
  frontier: Frontier,
  store: CrawlStore,
  host: number,
): Promise<HostFigures> {
  return {
    host: frontier.urls.hostName(host),
    known: frontier.urls.hosts().reduce((count, other) => count + Number(other === host), 0),
    ...(await store.reports.urls.fetchesOfHost(host)),
  }
}

/** Known URLs of the same host whose addresses begin most alike. */
export function nearestUrls({ urls }: Frontier, wanted: string): string[] {
  const name = hostOf(wanted)
  const hosts = urls.hosts()
  const alike: { url: string; common: number }[] = []
  for (let url = 0; url < urls.size; url++) {
    if (urls.hostName(hosts[url]) !== name) continue
    const address = urls.urlOf(url)
    alike.push({ url: address, common: commonStart(afterScheme(address), afterScheme(wanted)) })
  }
  return alike
    .sort((a, b) => b.common - a.common || a.url.length - b.url.length)
    .slice(0, NEAREST_SHOWN)
    .map(({ url }) => url)
}

function afterScheme(url: string): string {
  return url.slice(url.indexOf('://') + 3)
}

function commonStart(a: string, b: string): number {
  let length = 0
  while (length < a.length && a[length] === b[length]) length++
  return length
}

/** The copy of a page that is held. */
export interface HeldCopy extends Omit<LatestCopy, 'duplicateOf' | 'duplicates'> {
  /** The page that said the same before. */
  readonly duplicateOf?: string
  /** Pages that say the same and came later. */
  readonly duplicates: readonly string[]
}

/** The copy held of a URL, if there is one. */
export async function heldCopy(
  { reports: { urls } }: Pick<CrawlStore, 'reports'>,
  url: number,
): Promise<HeldCopy | undefined> {
  const latest = await urls.copyOf(url)
  if (latest === undefined) return undefined
  const { duplicateOf, duplicates, ...copy } = latest
  const original = duplicateOf === undefined ? [] : [duplicateOf]
  const addresses = await urls.addressesOf([...original, ...duplicates])
  return {
    ...copy,
    duplicateOf: duplicateOf === undefined ? undefined : addresses.get(duplicateOf),
    duplicates: duplicates.flatMap((id) => addresses.get(id) ?? []),
  }
}
