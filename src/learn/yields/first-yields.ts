import type { Frontier } from '#frontier/frontier.ts'
import type { ListNamer } from '#frontier/urls/named-lists.ts'
import { GrowingColumn } from '#numeric/grow.ts'

/** What is said of more URLs weighs as much as so many fetches of those in question. */
const TRUST = 4
/** The same for sitemaps and feeds: a site has few, and one tells much about the others. */
const TRUST_IN_LISTS = 1
/** Sums are halved when they reach so many fetches: as a site becomes known, less is left to be found. */
const CLASS_MEMORY = 64
const WHOLE_MEMORY = 1024

/** By who says that there is a sitemap or feed; the usual place is where one mostly lies, though nobody said so. */
export type ListKind = ListNamer | 'header' | 'usual place'

/** New URLs that one is expected to list before any was read: sitemaps list whole sites, feeds the latest items. */
const FIRST_GUESS: Readonly<Record<ListKind, number>> = {
  'robots.txt': 100,
  index: 100,
  pages: 5,
  header: 2,
  'usual place': 20,
}

/** What kind of list a URL is said to be, if anybody says so. */
export function listKindOf(url: number, frontier: Frontier): ListKind | undefined {
  const namer = frontier.named.namerOf(url)
  if (namer) return namer
  const source = frontier.discoveries.sourceOf(url)
  return source === 'usual-place' ? 'usual place' : source === 'header' ? 'header' : undefined
}

/** Fetches, and the URLs nobody had mentioned before that they led to. */
interface Sums {
  fetches: number
  found: number
}

/** What lists of one kind brought, in all and of one host. */
export interface ListEvidence {
  readonly kind: ListKind
  readonly all: Readonly<Sums>
  readonly ofHost: Readonly<Sums>
}

/**
 * How many URLs nobody had mentioned before first fetches led to: of pages by class of URL, of sitemaps and feeds by
 * kind and host.
 */
export class FirstYields {
  readonly #fetches = new GrowingColumn(Float32Array)
  readonly #found = new GrowingColumn(Float32Array)
  readonly #all: Sums = { fetches: 0, found: 0 }
  /** By kind, and by kind and host. */
  readonly #lists = new Map<string, Sums>()

  /** Takes in what the first fetch of a page led to. */
  observe(classNumber: number, found: number): void {
    const kept = this.#fetches.get(classNumber) >= CLASS_MEMORY ? 0.5 : 1
    this.#fetches.put(classNumber, this.#fetches.get(classNumber) * kept + 1)
    this.#found.put(classNumber, this.#found.get(classNumber) * kept + found)
    add(this.#all, found, WHOLE_MEMORY)
  }

  /** Takes in what the first fetch of a sitemap or feed led to. */
  observeList(kind: ListKind, host: number, found: number): void {
    add(this.#sumsOf(kind), found, WHOLE_MEMORY)
    add(this.#sumsOf(`${kind} ${host}`), found, CLASS_MEMORY)
  }

  /** What a first fetch of any page is expected to lead to; 0 before any was fetched. */
  get ofAll(): number {
    return this.#all.fetches > 0 ? this.#all.found / this.#all.fetches : 0
  }

  /** The same for URLs of a class. */
  of(classNumber: number): number {
    const isKnown = classNumber < this.#fetches.length
    const fetches = isKnown ? this.#fetches.view()[classNumber] : 0
    const found = isKnown ? this.#found.view()[classNumber] : 0
    return (found + TRUST * this.ofAll) / (fetches + TRUST)
  }

  /** What a sitemap or feed is expected to list: what others of its host did, beginning with those of its kind. */
  ofList(kind: ListKind, host: number): number {
    const { all, ofHost } = this.listEvidence(kind, host)
    const ofKind = (all.found + TRUST_IN_LISTS * FIRST_GUESS[kind]) / (all.fetches + TRUST_IN_LISTS)
    return (ofHost.found + TRUST_IN_LISTS * ofKind) / (ofHost.fetches + TRUST_IN_LISTS)
  }

  listEvidence(kind: ListKind, host: number): ListEvidence {
    const none = { fetches: 0, found: 0 }
    const [all, ofHost] = [kind, `${kind} ${host}`].map((key) => this.#lists.get(key) ?? none)
    return { kind, all, ofHost }
  }

  #sumsOf(key: string): Sums {
    const sums = this.#lists.get(key) ?? { fetches: 0, found: 0 }
    this.#lists.set(key, sums)
    return sums
  }
}

function add(sums: Sums, found: number, memory: number): void {
  const kept = sums.fetches >= memory ? 0.5 : 1
  sums.fetches = sums.fetches * kept + 1
  sums.found = sums.found * kept + found
}
