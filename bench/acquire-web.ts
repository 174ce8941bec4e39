import type { LinkRow } from '#frontier/link-store.ts'
import { UrlTable } from '#frontier/url-table.ts'
import { type Random, seededRandom, WeightedSampler, zipfWeights } from '#numeric/random.ts'
import { StringTable } from '#numeric/string-table.ts'

export interface AcquireSizes {
  readonly urls: number
  readonly links: number
  readonly queries: number
  readonly seed: number
}

/** A frontier as a crawl would know it: addresses, and pages of 50 links with anchor texts. */
export interface AcquireWeb {
  readonly urls: UrlTable
  readonly anchors: StringTable
  readonly rows: readonly { readonly source: number; readonly row: LinkRow }[]
  readonly queries: readonly string[]
}

const VOCABULARY = 300_000
const LINKS_A_PAGE = 50
const SITES = 20_000
const FURNITURE = ['home', 'next', 'read more', 'contact us', 'login', 'about', 'download', '']
const QUESTIONS = ['what is the', 'how do i find', 'where are the', 'who was', 'why does a']

/**
 * Draws the web and its queries. Words follow Zipf's law with a flattened head, as content words do; every
 * page has a title, which its address, most links to it, and some queries take words from.
 */
export function drawAcquireWeb({ urls, links, queries, seed }: AcquireSizes): AcquireWeb {
  const random = seededRandom(seed)
  const weights = Float64Array.from({ length: VOCABULARY }, (_, rank) => 1 / (rank + 10))
  const sampler = new WeightedSampler(weights)
  const drawWord = () => wordOf(sampler.sample(random))
  const table = new UrlTable()
  const titles = new StringTable()
  const titleOf = new Uint32Array(urls)
  for (let url = 0; url < urls; url++) {
    const title = Array.from({ length: 2 + random.below(4) }, drawWord)
    titleOf[url] = titles.add(title.join(' '))
    const site = random.below(SITES)
    const section = wordOf((site * 7 + random.below(10)) % VOCABULARY)
    const path = `${section}/${title.join('-')}-${url}`
    table.add(`https://www.${wordOf(site + 1000)}.com/${path}${random.chance(0.5) ? '.html' : ''}`)
  }
  const pick = (page: number) => titles.at(titleOf[page]).split(' ')
  const anchors = new StringTable()
  const popular = new WeightedSampler(zipfWeights(urls, 0.8))
  const anchorTo = (target: number): string => {
    const lot = random.next()
    if (lot < 0.15) return random.pick(FURNITURE)
    if (lot < 0.6) return titles.at(titleOf[target])
    if (lot < 0.8) return partOf(pick(target), random).join(' ')
    return Array.from({ length: 1 + random.below(4) }, drawWord).join(' ')
  }
  const rows = Array.from({ length: Math.ceil(links / LINKS_A_PAGE) }, (_, source) => {
    const count = Math.min(LINKS_A_PAGE, links - source * LINKS_A_PAGE)
    const targets = new Uint32Array(count)
    const anchorOf = new Uint32Array(count)
    for (let link = 0; link < count; link++) {
      targets[link] = random.chance(0.5) ? random.below(urls) : popular.sample(random)
      anchorOf[link] = anchors.add(anchorTo(targets[link]))
    }
    return { source, row: { targets, anchors: anchorOf, rels: new Uint8Array(count) } }
  })
  const texts = Array.from({ length: queries }, () => {
    const words = partOf(pick(random.below(urls)), random)
    if (random.chance(0.6)) return words.join(' ')
    return [random.pick(QUESTIONS), ...words, drawWord()].join(' ')
  })
  return { urls: table, anchors, rows, queries: texts }
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
