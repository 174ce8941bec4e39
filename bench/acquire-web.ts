import { Frontier } from '#frontier/frontier.ts'
import { seededRandom, WeightedSampler, zipfWeights } from '#numeric/random.ts'
import { defaultAnalyser } from '#search/full-text/default-search.ts'
import { TextIndex } from '#search/full-text/text-index.ts'
import { MadeUpWords } from './made-up-words.ts'

export interface AcquireSizes {
  /** Not fetched; those fetched come on top. */
  readonly urls: number
  readonly links: number
  readonly queries: number
  readonly seed: number
}

/** A crawl under way: addresses, pages fetched with 50 links each and indexed, and a query log. */
export interface AcquireWeb {
  readonly frontier: Frontier
  readonly index: TextIndex
  readonly queries: readonly { readonly text: string; readonly weight: number }[]
}

const LINKS_A_PAGE = 50
const SITES = 20_000

/** Draws the web and its queries. */
export function drawAcquireWeb({ urls, links, queries, seed }: AcquireSizes): AcquireWeb {
  const fetched = Math.ceil(links / LINKS_A_PAGE)
  const known = fetched + urls
  const random = seededRandom(seed)
  const words = new MadeUpWords(known, random)
  const frontier = new Frontier()
  for (let url = 0; url < known; url++)
    frontier.add(words.addressOf(url, random.below(SITES)), 'link', random.below(9), 1)
  const popular = new WeightedSampler(zipfWeights(known, 0.8))
  const { anchors } = frontier.links
  const index = new TextIndex(defaultAnalyser)
  for (let source = 0; source < fetched; source++) {
    const count = Math.min(LINKS_A_PAGE, links - source * LINKS_A_PAGE)
    const targets = new Uint32Array(count)
    const anchorOf = new Uint32Array(count)
    for (let link = 0; link < count; link++) {
      targets[link] = random.chance(0.5) ? random.below(known) : popular.sample(random)
      anchorOf[link] = anchors.add(words.anchorTo(targets[link]))
    }
    frontier.links.replace(source, { targets, anchors: anchorOf, rels: new Uint8Array(count) })
    frontier.visit(source, { state: 'page', at: 1 })
    const title = words.titleOf(source)
    index.replace(source, {
      url: frontier.urls.urlOf(source),
      title,
      text: words.text(),
      anchors: [],
    })
  }
  while (index.compact());
  return { frontier, index, queries: words.queries(queries) }
}
