import { existsSync } from 'node:fs'
import { bucketOf } from '#crawl/buckets/bucket-of.ts'
import { SettingError } from '#errors/setting-error.ts'
import type { ScopeRules } from '#frontier/scope.ts'
import type { HostTally } from '#frontier/urls/address-chances.ts'
import type { UrlState } from '#frontier/urls/url-states.ts'
import type { Cut } from '#numeric/select/select-digits.ts'
import type { StatePart } from '#repository/buckets/bucket-state.ts'
import { BucketsFolder, readJson } from '#repository/buckets/buckets-folder.ts'
import type { PlanSettings } from '../plan/plan-settings.ts'
import type { CopyTally } from './copies.ts'

/** How files of a crawl in buckets are made; it changes when those of earlier versions cannot be gone on with. */
export const FORMAT = 4

/** What holds for a crawl in buckets from its beginning to its end. */
export interface BucketsCrawl {
  readonly format: typeof FORMAT
  readonly buckets: number
  readonly seeds: readonly string[]
  readonly scope: ScopeRules
  /** By what plans are made. */
  readonly settings: PlanSettings
}

/** What an epoch begins with: all that its steps go by beside what buckets know. */
export interface EpochGoal {
  readonly epoch: number
  /** The time of its plan, seconds since 1970. */
  readonly at: number
  /** Fetches of this epoch, and of all that follow too. */
  readonly budget: number
  readonly affords: number
  /** Fetches and bytes paid for before. */
  readonly spent: number
  readonly bytes: number
  /** URLs of all buckets, and the PageRank of those without links, as of the epoch before. */
  readonly rank: { readonly urls: number; readonly dangling: number }
  /** What became of the hosts of all buckets by then. */
  readonly hosts: HostTally
}

/** What learning made of a bucket, in numbers. */
export interface LearnSums {
  readonly parts: readonly StatePart[]
  /** Its own URLs, by state, and all it knows, others' included. */
  readonly states: Readonly<Record<UrlState, number>>
  readonly known: number
  readonly links: number
  /** Mass of PageRank of its URLs without links. */
  readonly dangling: number
  readonly hosts: HostTally
  readonly isPriced: boolean
  /** What its copies have taught, where these are weighed. */
  readonly copies?: CopyTally
  /** Whether links are worth what such links were; else 1. */
  readonly knowsLinks: boolean
  readonly candidates: number
  /** How many gains of content begin with each digit. */
  readonly content: string
}

/** What bidding made of it. */
export interface BidSums {
  readonly bids: number
  /** The highest, if there are any. */
  readonly best?: number
  readonly gains: string
}

/** What couples buckets: the price of content, by which links are weighed. */
export interface ContentPrice {
  readonly price: number
}

/** The last fetch that the budget of an epoch affords; none if it affords all. */
export interface EpochCut {
  readonly last?: Cut
  readonly planned: number
}

/** A crawl in buckets as it lies in its folder. */
export interface OpenBuckets {
  readonly folder: BucketsFolder
  readonly crawl: BucketsCrawl
  ownOf(bucket: number): (domain: string) => boolean
}

export function openBuckets(dir: string): OpenBuckets {
  const folder = new BucketsFolder(dir)
  const crawl = readJson<BucketsCrawl>(folder.crawlPath)
  const { buckets, format } = crawl
  if (format !== FORMAT)
    throw new SettingError(
      'dir',
      `${dir} holds buckets of another version of Forager: go on with that one, or choose another {dir}`,
    )
  return {
    ...{ folder, crawl },
    ownOf: (bucket) => (domain) => bucketOf(domain, buckets) === bucket,
  }
}

/** The latest epoch that has begun; 0 before the first. */
export function latestEpoch({ folder }: Pick<OpenBuckets, 'folder'>): number {
  let epoch = 0
  while (existsSync(folder.ofEpoch(epoch + 1, BEGIN))) epoch++
  return epoch
}

/** Files of an epoch that the driver makes, in this order, and those that its steps make. */
export const BEGIN = 'begin.json'
export const PRICE = 'price.json'
export const CUT = 'cut.json'
export const SUMS = 'sums.json'
/** What a bucket tells others, as far as there is something. */
export const EXCHANGE = 'exchange.parquet'
/** What was fetched since the epoch before: a folder. */
export const OUTCOMES = 'outcomes'

/** What all buckets of a phase came to in numbers. */
export function sumsOf<T>(
  { folder, crawl }: Pick<OpenBuckets, 'folder' | 'crawl'>,
  epoch: number,
  phase: 'learn' | 'bid' | 'cut',
): T[] {
  return Array.from({ length: crawl.buckets }, (_, bucket) =>
    readJson<T>(`${folder.partOf(epoch, phase, bucket)}/${SUMS}`),
  )
}

/** URLs that a bucket crawls itself. */
export function ownUrls({ states }: Pick<LearnSums, 'states'>): number {
  return Object.values(states).reduce((sum, count) => sum + count, 0)
}
