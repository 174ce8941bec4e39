import { listFetcher } from '#crawl/list-fetcher.test-kit.ts'
import type { Fetcher } from '#crawl/ports.ts'
import { Frontier } from '#frontier/frontier.ts'
import { NOBODY } from '#frontier/urls/url-states.ts'
import type { Prediction } from '#learn/corrections/corrections.ts'
import { type ObservedFetch, SECONDS_A_DAY } from '#learn/histories.ts'
import { GrowingColumn } from '#numeric/grow.ts'
import { mixHash } from '#numeric/hash.ts'
import { type Random, seededRandom, WeightedSampler, zipfWeights } from '#numeric/random.ts'
import { defaultAnalyser } from '#search/full-text/default-search.ts'
import { TextIndex } from '#search/full-text/text-index.ts'
import { MadeUpWords } from './made-up-words.ts'

export interface CrawlSizes {
  /** All that are known, and how many of them were fetched. */
  readonly urls: number
  readonly held: number
  /** Fetches of each page held, on average, by the time its log was replayed. */
  readonly visits: number
  /** Pages held that are in the index too. */
  readonly indexed: number
  readonly links: number
  readonly queries: number
  readonly seed: number
}

/** A crawl that has gone on for half a year. */
export interface CrawlUnderWay {
  /** All that are known at first. */
  readonly urls: number
  readonly frontier: Frontier
  readonly index: TextIndex
  readonly queries: readonly { readonly text: string; readonly weight: number }[]
  readonly random: Random
  readonly now: number
  /** Fetches every page held as often as it was; calls back with each fetch, page by page. */
  replay(take: (fetch: ObservedFetch & { readonly prediction: Prediction }) => void): void
}

const URLS_A_SITE = 250
const DAYS = 200
const START = 1_700_000_000
/** Sitemaps, feeds and seeds told of so many. */
const FOUND_BY_NOBODY = 0.02
const HUBS = 0.02
const LINKS_OF_HUB = 20

/** Draws the crawl. */
export function drawCrawl(sizes: CrawlSizes): CrawlUnderWay {
  const random = seededRandom(sizes.seed)
  const { pages, ...web } = drawPages(sizes, random)
  return {
    ...web,
    urls: sizes.urls,
    random,
    now: START + DAYS * SECONDS_A_DAY,
    replay: (take) => replay(web.frontier, pages, sizes.visits, random, take),
  }
}

/**
 * Sites are of uneven size, so are classes of URLs; hubs have many links, and every second link goes to a
 * popular page.
 */
function drawPages({ urls, held, indexed, links, queries }: CrawlSizes, random: Random) {
  const words = new MadeUpWords(urls, random)
  const sites = new WeightedSampler(zipfWeights(Math.ceil(urls / URLS_A_SITE), 0.8))
  const frontier = new Frontier()
  const pages = new GrowingColumn(Uint32Array, held)
  for (let url = 0; url < urls; url++) {
    const isSeed = pages.length === 0 || random.chance(FOUND_BY_NOBODY)
    const finder = isSeed ? NOBODY : pages.at(Math.floor(random.next() ** 2 * pages.length))
    const at = START + (DAYS / 2) * SECONDS_A_DAY * (url / urls)
    const depth = finder === NOBODY ? 0 : frontier.discoveries.depthOf(finder) + 1
    frontier.add(words.addressOf(url, sites.sample(random)), 'link', depth, at, finder)
    if (random.chance(held / urls)) pages.push(url)
  }
  const popular = new WeightedSampler(zipfWeights(urls, 0.8))
  const mean = links / held / (1 - HUBS + HUBS * LINKS_OF_HUB)
  const index = new TextIndex(defaultAnalyser)
  for (const [place, page] of pages.view().entries()) {
    const most = mean * (random.chance(HUBS) ? LINKS_OF_HUB : 1)
    const targets = Uint32Array.from({ length: Math.round(random.exponential(most)) }, () =>
      random.chance(0.5) ? random.below(urls) : popular.sample(random),
    )
    const anchors = targets.map((target) => frontier.links.anchors.add(words.anchorTo(target)))
    frontier.replaceLinks(page, { targets, anchors, rels: new Uint8Array(targets.length) })
    if ((place * indexed) % held < indexed)
      index.replace(page, {
        url: frontier.urls.urlOf(page),
        title: words.titleOf(page),
        text: words.text(),
        anchors: [],
      })
  }
  while (index.compact());
  return { frontier, index, queries: words.queries(queries), pages: pages.view() }
}

/** First fetches lead to some URLs, later ones seldom do; few fetches gain anything. */
function replay(
  frontier: Frontier,
  pages: Uint32Array,
  visits: number,
  random: Random,
  take: Parameters<CrawlUnderWay['replay']>[0],
): void {
  const gap = (0.75 * DAYS) / (visits - 1)
  for (const url of pages) {
    let day = (DAYS / 2) * random.next()
    const perDay = 2 ** -random.below(12)
    const views = random.chance(0.1) ? random.exponential(1e-4) : 0
    for (let days = 0; day < DAYS; day += days) {
      const isFirst = days === 0
      const at = START + day * SECONDS_A_DAY
      const contentChanged = isFirst || random.chance(-Math.expm1(-perDay * days))
      const newUrls = isFirst || random.chance(0.03) ? random.poisson(1) : 0
      const gain = contentChanged && random.chance(0.1) ? random.exponential(1e-5) : 0
      const quality = random.exponential(1e-6)
      take({
        ...{ url, at, kind: 'page', form: 'page', contentChanged, newUrls, gain, views },
        inLinks: frontier.inLinksOf(url),
        prediction: {
          links: random.exponential(isFirst ? 1 : 0.03),
          ...(isFirst ? { acquire: quality } : { refresh: quality }),
        },
      })
      frontier.visit(url, { state: 'page', at })
      days = 0.1 + random.exponential(gap)
    }
  }
}

/** Answers at once: every page has links to some that are known, and to one that is not. */
export function madeUpFetcher(
  { frontier, urls, random }: CrawlUnderWay,
  now: number,
  onCall: () => void,
): Fetcher {
  const words = new MadeUpWords(0, random)
  return listFetcher(async function* (requests) {
    onCall()
    for (const { id, url } of requests) {
      const text = words.text()
      const known = Array.from({ length: 9 }, () => frontier.urls.urlOf(random.below(urls)))
      const links = [...known, `${url}-${random.below(1e9)}`].map((target, link) => ({
        url: target,
        anchor: text.slice(20 * link, 20 * link + 20),
        rel: 0,
      }))
      const page = { form: 'page', title: text.slice(0, 30), text, links } as const
      const contentHash = mixHash(id, random.below(1e9)).toString(16).padStart(13, '0')
      const answer = { id, url, at: now, ms: 1, status: 200, bytes: text.length, contentHash }
      yield { kind: 'page', ...answer, page: { ...page, noindex: false, nofollow: false } }
    }
  })
}
