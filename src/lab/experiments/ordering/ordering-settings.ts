import { inDegree } from '#importance/in-degree.ts'
import { pageRank } from '#importance/pagerank.ts'
import type { Random } from '#numeric/random.ts'
import type { Query } from '#workload/workload.ts'
import { corpusGraph } from '../../crawls/corpus-graph.ts'
import type { AnswerTruth } from '../../judging/answer-truth.ts'
import { recordedScope } from '../../worlds/recorded-scope.ts'
import { WorldCrawl } from '../../worlds/world-crawl.ts'

/** A crawl as it stands, and the pages it could still fetch. */
export interface OrderingSetting {
  readonly crawl: WorldCrawl
  /** Pages of the archive, ascending. */
  readonly uncrawled: Uint32Array
}

/** How a page stands in the link graph of the whole web; by page of the archive. */
export interface Importance {
  readonly pageRank: Float64Array
  readonly inDegree: Float64Array
  /** The pages in breadth-first order from the seeds; those that no link reaches last. */
  readonly order: Uint32Array
  readonly depths: Uint16Array
}

/** The share of the pages that a sample takes away, and of those the share that Dataset 2 gives back. */
const SAMPLE_SHARE = 0.3
const IMPORTANT_SHARE = 0.2
/** The share of the pages that are crawled breadth-first before an order is asked for. */
const BASE_SHARE = 0.1
/** Of a page that no link reaches. */
const NO_DEPTH = 0xffff

/** What the links among all pages say of each page. */
export function importanceOf(truth: AnswerTruth): Importance {
  const graph = corpusGraph(truth.web, { seed: 0 })
  const { links, depths, domains } = graph.facts
  const ranks = pageRank(links)
  const degrees = inDegree(links, domains.length)
  const found = {
    pageRank: new Float64Array(truth.pageCount),
    inDegree: new Float64Array(truth.pageCount),
    depths: new Uint16Array(truth.pageCount).fill(NO_DEPTH),
  }
  const numbers = new Map<number, number>()
  for (const page of truth.pages) {
    const number = graph.numberOf(truth.urlOf(page))
    if (number === undefined) continue
    numbers.set(page, number)
    found.pageRank[page] = ranks[number]
    found.inDegree[page] = degrees[number]
    found.depths[page] = depths[number]
  }
  const placeOf = (page: number) => numbers.get(page) ?? domains.length + page
  return { ...found, order: truth.pages.slice().sort((a, b) => placeOf(a) - placeOf(b)) }
}

/**
 * A random part of the pages is taken for not crawled, the rest for crawled. In Dataset 2 the most
 * important of that part are crawled too, as they would be in a crawl that has gone on for a while.
 *
 * @paper PandeyOlston2008 §6.1 — theirs was a small sample of a large web; ours is 30 % of a small one.
 */
export async function sampleSetting(
  truth: AnswerTruth,
  importance: Importance,
  dataset: 1 | 2,
  random: Random,
): Promise<OrderingSetting> {
  const shuffled = random.shuffle([...truth.pages])
  const sample = shuffled.slice(0, Math.round(SAMPLE_SHARE * shuffled.length))
  const { pageRank } = importance
  const byImportance = sample.sort((a, b) => pageRank[b] - pageRank[a] || a - b)
  const given = dataset === 2 ? Math.round(IMPORTANT_SHARE * sample.length) : 0
  const uncrawled = Uint32Array.from(byImportance.slice(given)).sort()
  const isUncrawled = new Set(uncrawled)
  const crawled = importance.order.filter((page) => !isUncrawled.has(page))
  const depthOf = (url: string) => importance.depths[truth.pageAt(url) as number]
  const crawl = crawlOf(truth, [], 0)
  await crawl.visit(
    Array.from(crawled, (page) => truth.urlOf(page)),
    depthOf,
  )
  return { crawl, uncrawled }
}

/**
 * A crawl that has made its first fetches breadth-first; everything else is still to be fetched, most of it not even
 * known. `log` is what it may read of queries.
 */
export async function frontierSetting(
  truth: AnswerTruth,
  log: readonly Query[],
  seed: number,
): Promise<OrderingSetting> {
  const crawl = crawlOf(truth, log, seed)
  await crawl.spend('bfs', Math.round(BASE_SHARE * truth.pages.length))
  const isHeld = heldPages(truth, crawl)
  return { crawl, uncrawled: truth.pages.filter((page) => isHeld[page] === 0) }
}

/** Sitemaps are not read, so that URLs and anchors are known from pages only. */
function crawlOf({ web }: AnswerTruth, log: readonly Query[], seed: number): WorldCrawl {
  const { archive, snapshot: week } = web
  const scope = recordedScope(web)
  return new WorldCrawl({ archive, week, log, seed, scope, seeksSitemaps: false })
}

/** By page of the archive: 1 if the crawl has fetched it. */
export function heldPages(truth: AnswerTruth, { state }: WorldCrawl): Uint8Array {
  const { frontier } = state
  const isHeld = new Uint8Array(truth.pageCount)
  for (let url = 0; url < frontier.size; url++) {
    if (frontier.stateOf(url) !== 'page') continue
    const page = truth.pageAt(frontier.urls.urlOf(url))
    if (page !== undefined) isHeld[page] = 1
  }
  return isHeld
}
