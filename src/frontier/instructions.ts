import { globTest } from './glob.ts'

/** Something that an operator told a crawl; `at` in seconds since 1970. Of several on the same URL, pattern or host the latest counts. */
export type Instruction = { readonly at: number } & (
  | UrlInstruction
  /** URLs like that are left alone, and links to them too, until they are admitted again. */
  | { readonly kind: 'exclude' | 'readmit'; readonly pattern: string }
  /** What is to hold for a host; whatever is left out is as the settings say. */
  | ({ readonly kind: 'site'; readonly host: string } & HostTerms)
)

/** How a host is asked. */
export interface HostManner {
  /** Seconds between two requests. */
  readonly delay?: number
  /** Requests at the same time. */
  readonly concurrency?: number
  /** Hours in which it is not asked, as in `Mon-Fri 08:00-18:00`. */
  readonly quietHours?: readonly string[]
}

/** How much is fetched of a host. */
export interface HostLimits {
  /** Pages at most, in all. */
  readonly maxPages?: number
  /** A copy that is older, in seconds, is fetched again. */
  readonly refreshAfter?: number
}

/** What operators may settle for a host. */
export interface HostTerms extends HostManner, HostLimits {}

/**
 * `fetch`: it is fetched once, before anything else of its host. `forget`: its copy is let go of, and it is not fetched again
 * unless somebody asks.
 */
interface UrlInstruction {
  readonly kind: 'fetch' | 'forget'
  readonly url: string
}

/** What instructions come to, for the URLs of a frontier. */
export class Instructed {
  /** When each URL was asked for. */
  readonly askedAt = new Map<number, number>()
  readonly #forgotten = new Set<number>()
  readonly #excluded = new Set<number>()
  #patterns: readonly (readonly [pattern: string, matches: (url: string) => boolean])[] = []
  #terms: ReadonlyMap<string, HostTerms> = new Map()
  /** So many have been taken in. */
  #taken = 0

  /** Takes in all instructions so far; gives those that are new. */
  take(all: readonly Instruction[], urls: KnownUrls): readonly Instruction[] {
    const news = all.slice(this.#taken)
    this.#taken = all.length
    if (news.some(({ kind }) => kind === 'exclude' || kind === 'readmit')) this.#exclude(all, urls)
    if (news.some(({ kind }) => kind === 'site')) this.#terms = instructedTerms(all)
    return news
  }

  forget(url: number): void {
    this.#forgotten.add(url)
    this.askedAt.delete(url)
  }

  ask(url: number, at: number): void {
    this.#forgotten.delete(url)
    this.askedAt.set(url, at)
  }

  isForgotten(url: number): boolean {
    return this.#forgotten.has(url)
  }

  /** Whether a URL is left alone; one that is asked for by its address is no other matter here. */
  keepsOut(url: number): boolean {
    return this.#forgotten.has(url) || this.#excluded.has(url)
  }

  /** The pattern that excludes an address, known or not. */
  exclusionOf(address: string): string | undefined {
    return this.#patterns.find(([, matches]) => matches(address))?.[0]
  }

  /** Whether anything was said of single hosts, and what. */
  get hasTerms(): boolean {
    return this.#terms.size > 0
  }

  limitsOf(host: string): HostLimits {
    return this.#terms.get(host) ?? {}
  }

  /** All known URLs are gone through: only when patterns change. New ones do not come in, being out of scope. */
  #exclude(all: readonly Instruction[], urls: KnownUrls): void {
    this.#patterns = excludedPatterns(all).map((pattern) => [pattern, globTest(pattern)])
    this.#excluded.clear()
    if (this.#patterns.length === 0) return
    for (let url = 0; url < urls.size; url++)
      if (this.exclusionOf(urls.urlOf(url)) !== undefined) this.#excluded.add(url)
  }
}

interface KnownUrls {
  readonly size: number
  urlOf(url: number): string
}

/** The patterns that are excluded now, in the order in which that was said. */
export function excludedPatterns(all: readonly Instruction[]): string[] {
  const patterns = new Set<string>()
  for (const one of all) {
    if (one.kind === 'exclude') patterns.add(one.pattern)
    if (one.kind === 'readmit') patterns.delete(one.pattern)
  }
  return [...patterns]
}

/** By host: what is to hold for it, where somebody said so. */
export function instructedTerms(all: readonly Instruction[]): Map<string, HostTerms> {
  const terms = new Map<string, HostTerms>()
  for (const one of all) {
    if (one.kind !== 'site') continue
    const { kind: _, at: __, host, ...ofHost } = one
    terms.delete(host)
    if (Object.keys(ofHost).length > 0) terms.set(host, ofHost)
  }
  return terms
}
