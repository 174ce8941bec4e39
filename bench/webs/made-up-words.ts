import { type Random, WeightedSampler, zipfWeights } from '#numeric/random.ts'
import { StringTable } from '#numeric/string-table.ts'

const VOCABULARY = 300_000
const WORDS_A_PAGE = 80
const FURNITURE = ['home', 'next', 'read more', 'contact us', 'login', 'about', 'download', '']
const QUESTIONS = ['what is the', 'how do i find', 'where are the', 'who was', 'why does a']

/**
 * The words of a random web. They follow Zipf's law with a flattened head, as content words do;
 * every page has a title, which its address, most links to it, and some queries take words from.
 */
export class MadeUpWords {
  readonly #random: Random
  readonly #sampler = new WeightedSampler(
    Float64Array.from({ length: VOCABULARY }, (_, rank) => 1 / (rank + 10)),
  )
  readonly #titles = new StringTable()
  readonly #titleOf: Uint32Array

  /** For so many pages. */
  constructor(pages: number, random: Random) {
    this.#random = random
    this.#titleOf = new Uint32Array(pages)
  }

  titleOf(page: number): string {
    return this.#titles.at(this.#titleOf[page])
  }

  /** Draws a page's title, and gives its address on a site. */
  addressOf(page: number, site: number): string {
    const random = this.#random
    const title = this.#words(2 + random.below(4))
    this.#titleOf[page] = this.#titles.add(title.join(' '))
    const section = wordOf((site * 7 + random.below(10)) % VOCABULARY)
    const path = `${section}/${title.join('-')}-${page}`
    const address = `https://www.${wordOf(site + 1000)}.com/${path}`
    return random.chance(0.5) ? `${address}.html` : address
  }

  /** What a page says. */
  text(): string {
    return this.#words(WORDS_A_PAGE).join(' ')
  }

  /** What a link calls a page. */
  anchorTo(page: number): string {
    const random = this.#random
    const lot = random.next()
    if (lot < 0.15) return random.pick(FURNITURE)
    if (lot < 0.6) return this.titleOf(page)
    if (lot < 0.8) return this.#partOfTitle(page).join(' ')
    return this.#words(1 + random.below(4)).join(' ')
  }

  /** A log of queries, some asked far more often than others. */
  queries(count: number): { readonly text: string; readonly weight: number }[] {
    const random = this.#random
    const asked = zipfWeights(count, 0.9)
    return Array.from({ length: count }, (_, rank) => {
      const words = this.#partOfTitle(random.below(this.#titleOf.length))
      const text = random.chance(0.6)
        ? words.join(' ')
        : [random.pick(QUESTIONS), ...words, this.#word()].join(' ')
      return { text, weight: Math.ceil((10 * asked[rank]) / asked[count - 1]) / 10 }
    })
  }

  #word(): string {
    return wordOf(this.#sampler.sample(this.#random))
  }

  #words(count: number): string[] {
    return Array.from({ length: count }, () => this.#word())
  }

  /** Some words that stand together. */
  #partOfTitle(page: number): readonly string[] {
    const words = this.titleOf(page).split(' ')
    const start = this.#random.below(words.length)
    return words.slice(start, start + 1 + this.#random.below(words.length - start))
  }
}

/** A word for a number, pronounceable so that it is treated as a word is. */
function wordOf(number: number): string {
  let word = ''
  for (let left = number + 80; left > 0; left = Math.floor(left / 80))
    word += 'bcdfghklmnprstvz'[left % 16] + 'aeiou'[Math.floor(left / 16) % 5]
  return word
}
