import { Frontier } from '#frontier/frontier.ts'
import { type Random, seededRandom, WeightedSampler, zipfWeights } from '#numeric/random.ts'
import { StringTable } from '#numeric/string-table.ts'
import { defaultAnalyser } from '#search/default-search.ts'
import { TextIndex } from '#search/text-index.ts'

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

const VOCABULARY = 300_000
const LINKS_A_PAGE = 50
const WORDS_A_PAGE = 80
const SITES = 20_000
const FURNITURE = ['home', 'next', 'read more', 'contact us', 'login', 'about', 'download', '']
const QUESTIONS = ['what is the', 'how do i find', 'where are the', 'who was', 'why does a']

/**
 * Draws the web and its queries. Words follow Zipf's law with a flattened head, as content words do; every
 * page has a title, which its address, most links to it, and some queries take words from.
 */
export function drawAcquireWeb({ urls, links, queries, seed }: AcquireSizes): AcquireWeb {
  const fetched = Math.ceil(links / LINKS_A_PAGE)
  const known = fetched + urls
  const random = seededRandom(seed)
  const weights = Float64Array.from({ length: VOCABULARY }, (_, rank) => 1 / (rank + 10))
  const sampler = new WeightedSampler(weights)
  const drawWord = () => wordOf(sampler.sample(random))
  const drawWords = (count: number) => Array.from({ length: count }, drawWord)
  const frontier = new Frontier()
  const titles = new StringTable()
  const titleOf = new Uint32Array(known)
  for (let url = 0; url < known; url++) {
    const title = drawWords(2 + random.below(4))
    titleOf[url] = titles.add(title.join(' '))
    const site = random.below(SITES)
    const section = wordOf((site * 7 + random.below(10)) % VOCABULARY)
    const path = `${section}/${title.join('-')}-${url}`
    const address = `https://www.${wordOf(site + 1000)}.com/${path}`
    frontier.add(random.chance(0.5) ? `${address}.html` : address, 'link', random.below(9), 1)
  }
  const pick = (page: number) => titles.at(titleOf[page]).split(' ')
  const popular = new WeightedSampler(zipfWeights(known, 0.8))
  const anchorTo = (target: number): string => {
    const lot = random.next()
    if (lot < 0.15) return random.pick(FURNITURE)
    if (lot < 0.6) return titles.at(titleOf[target])
    if (lot < 0.8) return partOf(pick(target), random).join(' ')
    return drawWords(1 + random.below(4)).join(' ')
  }
  const { anchors } = frontier.links
  const index = new TextIndex(defaultAnalyser)
  for (let source = 0; source < fetched; source++) {
    const count = Math.min(LINKS_A_PAGE, links - source * LINKS_A_PAGE)
    const targets = new Uint32Array(count)
    const anchorOf = new Uint32Array(count)
    for (let link = 0; link < count; link++) {
      targets[link] = random.chance(0.5) ? random.below(known) : popular.sample(random)
      anchorOf[link] = anchors.add(anchorTo(targets[link]))
    }
    frontier.links.replace(source, { targets, anchors: anchorOf, rels: new Uint8Array(count) })
    frontier.visit(source, { state: 'page', at: 1 })
    const title = titles.at(titleOf[source])
    const text = drawWords(WORDS_A_PAGE).join(' ')
    index.replace(source, { url: frontier.urls.urlOf(source), title, text, anchors: [] })
  }
  while (index.compact());
  const asked = zipfWeights(queries, 0.9)
  const log = Array.from({ length: queries }, (_, rank) => {
    const words = partOf(pick(random.below(known)), random)
    const text = random.chance(0.6)
      ? words.join(' ')
      : [random.pick(QUESTIONS), ...words, drawWord()].join(' ')
    return { text, weight: Math.ceil((10 * asked[rank]) / asked[queries - 1]) / 10 }
  })
  return { frontier, index, queries: log }
}

/** Some words that stand together. */
function partOf(words: readonly string[], random: Random): readonly string[] {
  const start = random.below(words.length)
  return words.slice(start, start + 1 + random.below(words.length - start))
}

/** A word for a number, pronounceable so that it is treated as a word is. */
function wordOf(number: number): string {
  let word = ''
  for (let left = number + 80; left > 0; left = Math.floor(left / 80))
    word += 'bcdfghklmnprstvz'[left % 16] + 'aeiou'[Math.floor(left / 16) % 5]
  return word
}
