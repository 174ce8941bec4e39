import type {
  ArchiveRecords,
  LinkRecord,
  PageRecord,
  VersionRecord,
} from '#archive/format/format.ts'
import { seededRandom, WeightedSampler, zipfWeights } from '#numeric/random.ts'
import type { Workload } from '#workload/workload.ts'

interface LightArchiveSizes {
  readonly pages: number
  /** At least so many distinct links, if all pages are reached. */
  readonly links: number
  readonly queries: number
  readonly seed: number
}

/** Pages a domain has on average, and judged pages a query. */
const PAGES_A_DOMAIN = 30
const JUDGED = 30
/** Texts under which a page is linked to; each is a line of the links' file. */
const ANCHORS = 2
/** A page links to its own ten children, so that a crawl from the first page reaches all. */
const CHILDREN = 10
/** Every so many pages one has clicks. */
const CLICKED_EVERY = 20
/** Links drawn beyond those needed, since some are drawn twice. */
const SPARE = 1.25

/**
 * A web without text, written as it is drawn: domains of unequal size (Zipf), and targets drawn by a power
 * law, half of them on the page's own domain. Far lighter than the model web, and with more links a page.
 */
export function drawLightArchive(sizes: LightArchiveSizes): ArchiveRecords {
  const { pages, seed } = sizes
  const urls = drawUrls(pages, seed)
  const date = '2024-01-06'
  return {
    site: {
      format: 'evolution/1',
      id: `bench-${seed}`,
      name: 'A light web for measuring',
      start: [urls.of(0)],
      snapshots: [{ i: 0, date, live: pages }],
    },
    pages: pageLines(pages, urls.of),
    versions: versionLines(sizes, urls.pagesOfDomain),
    blocks: [],
    links: linkLines(pages, urls.of),
    workload: drawWorkload(sizes, urls.of),
  }
}

interface Urls {
  readonly of: (page: number) => string
  /** Pages of the same domain as a page. */
  readonly pagesOfDomain: (page: number) => readonly number[]
}

function drawUrls(pages: number, seed: number): Urls {
  const random = seededRandom(seed).fork('domains')
  const domains = Math.ceil(pages / PAGES_A_DOMAIN)
  const sampler = new WeightedSampler(zipfWeights(domains, 0.8))
  const domainOf = Uint32Array.from({ length: pages }, () => sampler.sample(random))
  const members = Array.from({ length: domains }, () => [] as number[])
  domainOf.forEach((domain, page) => {
    members[domain].push(page)
  })
  return {
    of: (page) => `https://www.domain${domainOf[page]}.test/articles/${page}.html`,
    pagesOfDomain: (page) => members[domainOf[page]],
  }
}

function* pageLines(pages: number, urlOf: (page: number) => string): Generator<PageRecord> {
  for (let i = 0; i < pages; i++) yield { i, url: urlOf(i), v: [[0, 0, i]] }
}

function* linkLines(pages: number, urlOf: (page: number) => string): Generator<LinkRecord> {
  for (let page = 0; page < pages; page++)
    for (let text = 0; text < ANCHORS; text++) yield [urlOf(page), `article ${page} (${text})`, 1]
}

function* versionLines(
  { pages, links, seed }: LightArchiveSizes,
  pagesOfDomain: (page: number) => readonly number[],
): Generator<VersionRecord> {
  const random = seededRandom(seed).fork('links')
  const drawn = Math.max(0, Math.ceil((SPARE * links) / pages) - 1)
  for (let page = 0; page < pages; page++) {
    const neighbours = pagesOfDomain(page)
    const targets = new Set<number>()
    for (let child = page * CHILDREN + 1; child <= (page + 1) * CHILDREN; child++)
      if (child < pages) targets.add(child)
    for (let draw = 0; draw < drawn; draw++) {
      const u = random.next() ** 3
      targets.add(draw % 2 ? neighbours[Math.floor(u * neighbours.length)] : Math.floor(u * pages))
    }
    targets.delete(page)
    const l = Array.from(targets, (target) => [ANCHORS * target + random.below(ANCHORS), 1]).flat()
    const hash = page.toString(16).padStart(12, '0')
    yield { i: page, p: page, h: hash, c: hash, t: `Article ${page}`, n: 0, b: [], l }
  }
}

/** Each query has one page that answers it best, some others near it in number, and many that do not. */
function drawWorkload(
  { pages, queries, seed }: LightArchiveSizes,
  urlOf: (page: number) => string,
): Workload {
  const random = seededRandom(seed).fork('workload')
  const ids = Array.from({ length: queries }, (_, query) => `q${query}`)
  return {
    queries: ids.map((id, query) => ({ id, text: `question ${query}`, weight: 1 })),
    judgments: ids.flatMap((queryId) => {
      const first = Math.floor(random.next() ** 2 * pages)
      return Array.from({ length: JUDGED }, (_, rank) => ({
        queryId,
        url: urlOf((first + rank) % pages),
        grade: Math.max(0, 4 - Math.floor(rank / 3)),
      }))
    }),
    clicks: Array.from({ length: Math.floor(pages / CLICKED_EVERY) }, (_, i) => ({
      url: urlOf(i * CLICKED_EVERY),
      clicks: 1 + random.below(100),
    })),
  }
}
