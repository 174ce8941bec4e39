import type { GraphFacts } from '#frontier/graph-facts.ts'
import type { ChangeHistory } from '#learn/change-history.ts'
import type { GainHistory } from '#learn/gain-history.ts'
import type { AnchorTexts } from './anchor-texts.ts'
import type { ClaimFacts, GoneFacts } from './held-pages.ts'
import type { QueryFacts } from './query-facts.ts'
import type { Yields } from './yields.ts'

/**
 * Everything that bidders may look at, as a crawl knows it when it makes a plan. A fact is worked out when it is first
 * read. Columns are by URL number, unless they are said to be by place in `pages`. Nobody may write to them.
 */
export interface Facts extends GraphFacts {
  /** The time of the plan, in seconds since 1970. */
  readonly now: number
  /** Fetches until there is a new plan. */
  readonly budget: number

  /** The address of each URL. */
  readonly addresses: Addresses
  /** What links call each URL. */
  readonly anchors: AnchorTexts
  /** The class of each URL: its host and the shape of its path. Pages of one class are expected to behave alike. */
  readonly classes: Uint32Array
  /** The folder that each URL lies in. */
  readonly sections: Uint32Array
  /** Characters of each address. */
  readonly addressLengths: Uint16Array

  /** The pages held that may be fetched again, ascending. */
  readonly pages: Uint32Array
  /** Seconds since the copy of pages[i] was last seen to be good. */
  readonly ages: Float64Array
  /** By place in `pages`: how many pages held link to it; undefined if nobody knows. */
  readonly inLinks: Uint32Array | undefined
  /** All copies of the crawl, where others hold some of them; undefined where `pages` are all there is. */
  readonly copies: CopyTotals | undefined
  /** By place in `pages`: how often searchers see the copy, a search. */
  readonly views: Float64Array
  /** The score that they see, mean over views; undefined if nobody knows. */
  readonly scorePerView: number | undefined
  /** How often each page was seen to change. */
  readonly changes: ChangeHistory
  /** What refreshing each page gained. */
  readonly gains: GainHistory
  /** What sitemaps and feeds say about the pages held; undefined where nobody says anything. */
  readonly claims: ClaimFacts | undefined
  /** What is known about pages that vanish; undefined where none ever does. */
  readonly gone: GoneFacts | undefined
  /** Fetches there are for all these pages together. */
  readonly fetchesPerDay: number
  /** The new links that fetches are expected to show. */
  readonly yields: Yields

  /** What searchers ask, and how that is answered; undefined without a query log. */
  readonly asked: QueryFacts | undefined
  /** The same for synthetic queries, where there is no log or a small one. */
  readonly synthetic: QueryFacts | undefined
}

/** All copies of a crawl that is divided into buckets. */
export interface CopyTotals {
  readonly pages: number
  readonly views: number
  readonly inLinks: number
}

/** The address of each URL. */
export interface Addresses {
  of(url: number): string
}

/** What every bidder may read. */
export const FREE_FACTS = ['now', 'seed', 'budget'] as const
export type FreeFact = (typeof FREE_FACTS)[number]
/** What a bidder has to name before it may read it. */
export type FactName = Exclude<keyof Facts, FreeFact>

/** Facts that are made when they are first read, once. */
export function lazyFacts<T extends object>(
  makers: { readonly [Name in keyof T]: () => T[Name] },
): T {
  const facts = {} as T
  for (const name of Object.keys(makers) as (keyof T)[])
    Object.defineProperty(facts, name, {
      enumerable: true,
      configurable: true,
      get: () => {
        const value = makers[name]()
        Object.defineProperty(facts, name, { enumerable: true, value })
        return value
      },
    })
  return facts
}

/** The facts there are where not all are known; reading another one is a fault of ours. */
export function someFacts(known: Partial<Facts>): Facts {
  return new Proxy(known, {
    get: (facts, name) => {
      if (typeof name === 'string' && !(name in facts))
        throw new Error(`nobody knows the fact "${name}" here`)
      return Reflect.get(facts, name)
    },
  }) as Facts
}
