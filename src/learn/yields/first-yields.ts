import type { Frontier } from '#frontier/frontier.ts'
import type { ListNamer } from '#frontier/urls/named-lists.ts'
import { GrowingColumn } from '#numeric/grow.ts'

/** What is said of more URLs weighs as much as so many fetches of those in question. */
const TRUST = 4
/** The same for sitemaps and feeds: a site has few, and one tells much about the others. */
const TRUST_IN_LISTS = 1
/** About so many of the latest fetches count: as a site becomes known, less is left to be found. */
const MEMORY = 16
const WHOLE_MEMORY = 64
/** Sums of sitemaps and feeds, which do not list less as sites become known, are halved when they reach so many. */
const LIST_MEMORY = 1024
const LIST_MEMORY_OF_HOST = 64

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
 * How many URLs nobody had mentioned before first fetches led to: of pages by class of URL and host, of sitemaps and feeds by
 * kind and host.
 */
export class FirstYields {
  readonly #classes = new LatestSums(MEMORY)
  readonly #hosts = new LatestSums(MEMORY)
  /** One group. */
  readonly #all = new LatestSums(WHOLE_MEMORY)
  /** By kind, and by kind and host. */
  readonly #lists = new Map<string, Sums>()

  /** Takes in what the first fetch of a page led to. */
  observe(host: number, classNumber: number, found: number): void {
    this.#classes.add(classNumber, found)
    this.#hosts.add(host, found)
    this.#all.add(0, found)
  }

  /** Takes in what the first fetch of a sitemap or feed led to. */
  observeList(kind: ListKind, host: number, found: number): void {
    add(this.#sumsOf(kind), found, LIST_MEMORY)
    add(this.#sumsOf(`${kind} ${host}`), found, LIST_MEMORY_OF_HOST)
  }

  /** What a first fetch of any page is expected to lead to; 0 before any was fetched. */
  get ofAll(): number {
    return this.#all.mean(0, 0, 0)
  }

  /** The same for URLs of a host and class. */
  of(host: number, classNumber: number): number {
    return this.#classes.mean(classNumber, this.#hosts.mean(host, this.ofAll))
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

/** Sums by number of a group, in columns: there may be millions. */
class LatestSums {
  readonly #kept: number
  readonly #fetches = new GrowingColumn(Float32Array)
  readonly #found = new GrowingColumn(Float32Array)

  /** About so many of the latest fetches of a group count. */
  constructor(memory: number) {
    this.#kept = 1 - 1 / memory
  }

  add(group: number, found: number): void {
    this.#fetches.put(group, this.#fetches.get(group) * this.#kept + 1)
    this.#found.put(group, this.#found.get(group) * this.#kept + found)
  }

  /** What a fetch of the group led to; what is usual counts as so many fetches. */
  mean(group: number, usual: number, trust = TRUST): number {
    const fetches = this.#fetches.get(group) + trust
    return fetches > 0 ? (this.#found.get(group) + trust * usual) / fetches : 0
  }
}
