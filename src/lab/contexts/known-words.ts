import type { Archive } from '#archive/format/archive.ts'
import type { UrlStrings } from '#frontier/link-words/link-words.ts'
import { defaultAnalyser } from '#search/full-text/default-search.ts'
import { type LinkContext, linkContexts } from './link-contexts.ts'

/** What a crawl may read of a page before it is fetched; from the nearest on, as they are tried one after the other. */
export const CONTEXTS = ['near', 'block', 'teaser', 'heading', 'parent'] as const
/** What a fetch alone tells: the first words, as an honest feed would give them, and all. */
export const CONTENTS = ['opening', 'words'] as const
/** By what pages may be found for a query. */
export type Finding = 'contexts' | (typeof CONTENTS)[number]

/** Contexts of so many links to a page are read. */
const MOST_LINKS = 8
const OPENING_WORDS = 60
/** Headings and titles of other pages say too little of one page to find it by. */
const FINDING_CONTEXTS = 3

/** A query's terms with their shares of its weight: rarer ones have more. */
type WeighedTerms = readonly (readonly [term: string, share: number])[]

type Terms = ReadonlySet<string>
const NOTHING: Terms = new Set()

/** What is said of each page of an archive before its fetch, by pages held; and what it says itself. */
export class KnownWords {
  readonly #archive: Archive
  readonly #week: number
  readonly #held: readonly number[]
  /** By page, and by place in CONTEXTS. */
  readonly #contexts = new Map<number, readonly Set<string>[]>()
  readonly #contents = { opening: new Map<number, Terms>(), words: new Map<number, Terms>() }
  /** Pages held that have a term. */
  readonly #pagesWith = new Map<string, number>()

  constructor(archive: Archive, week: number, held: readonly number[]) {
    this.#archive = archive
    this.#week = week
    this.#held = held
    const links = new Map<number, number>()
    for (const page of held) {
      const version = archive.versionAt(page, week)!
      const parent = defaultAnalyser.terms(archive.titleOf(version))
      for (const context of linkContexts(archive, version)) {
        const count = links.get(context.target) ?? 0
        if (context.target === page || count === MOST_LINKS) continue
        links.set(context.target, count + 1)
        this.#add(context, parent)
      }
      for (const term of this.contentOf(page, 'words'))
        this.#pagesWith.set(term, (this.#pagesWith.get(term) ?? 0) + 1)
    }
  }

  #add(context: LinkContext, parent: readonly string[]): void {
    const said = this.#contexts.get(context.target) ?? CONTEXTS.map(() => new Set<string>())
    this.#contexts.set(context.target, said)
    for (const [place, name] of CONTEXTS.entries()) {
      const terms = name === 'parent' ? parent : defaultAnalyser.terms(context[name])
      for (const term of terms) said[place].add(term)
    }
  }

  hasContext(page: number): boolean {
    return this.#contexts.has(page)
  }

  /** Terms of a context of a page. */
  contextOf(page: number, context: (typeof CONTEXTS)[number]): Terms {
    return this.#contexts.get(page)?.[CONTEXTS.indexOf(context)] ?? NOTHING
  }

  /** Terms of the page itself. */
  contentOf(page: number, content: (typeof CONTENTS)[number]): Terms {
    const known = this.#contents[content]
    if (!known.has(page)) known.set(page, this.#read(page, content))
    return known.get(page)!
  }

  #read(page: number, content: (typeof CONTENTS)[number]): Terms {
    const version = page < 0 ? undefined : this.#archive.versionAt(page, this.#week)
    if (version === undefined) return NOTHING
    const text = this.#archive.mainTextOf(version)
    const shown = content === 'words' ? text : text.split(/\s+/, OPENING_WORDS).join(' ')
    return new Set(defaultAnalyser.terms(`${this.#archive.titleOf(version)} ${shown}`))
  }

  /** The terms of a query with their shares, by how rare they are on pages held. */
  weighed(query: string): WeighedTerms {
    const terms = [...new Set(defaultAnalyser.queryTerms(query))]
    const rarities = terms.map((term) => {
      const pages = this.#pagesWith.get(term) ?? 0
      return Math.log(1 + (this.#held.length + 1) / (pages + 0.5))
    })
    const total = rarities.reduce((sum, rarity) => sum + rarity, 0)
    return terms.map((term, i) => [term, rarities[i] / total])
  }

  /** Of some pages those that say half of the query's weight, the most of it first. */
  pagesSaid(query: WeighedTerms, pages: readonly number[], by: Finding, most: number): number[] {
    const found: { readonly page: number; readonly share: number }[] = []
    for (const page of pages) {
      const texts =
        by === 'contexts'
          ? (this.#contexts.get(page)?.slice(0, FINDING_CONTEXTS) ?? [])
          : [this.contentOf(page, by)]
      const share = covered(query, (term) => texts.some((text) => text.has(term)))
      if (share >= 0.5) found.push({ page, share })
    }
    found.sort((a, b) => b.share - a.share || a.page - b.page)
    return found.slice(0, most).map(({ page }) => page)
  }
}

/** The share of a query's weight that is said. */
export function covered(query: WeighedTerms, isSaid: (term: string) => boolean): number {
  let sum = 0
  for (const [term, share] of query) if (isSaid(term)) sum += share
  return sum
}

/** Terms of the address of a page, and of what links call it. */
export function namesOf({ addressWords, anchors }: UrlStrings): Terms {
  const terms = anchors.flatMap(({ text }) => defaultAnalyser.terms(text))
  return new Set([...addressWords, ...terms])
}
