import type { Hashes64 } from '#numeric/hash.ts'
import type { Bids } from '../bids.ts'
import type { FetchQuota } from '../budget/quota.ts'
import type { FetchLimits } from '../budget/scheduler.ts'
import type { FoundLinks } from '../discover/links-worth.ts'
import type { OfferColumns } from './offer-columns.test-kit.ts'

/** A bucket's part of columns that were drafted in one, in numbers of its own. */
interface ColumnsOfBucket {
  readonly columns: OfferColumns
  readonly limits: FetchLimits
  /** By number in the bucket: the number in the whole. */
  readonly urls: Uint32Array
}

/**
 * Deals what was drafted in one bucket out to many. URLs of a quota's group must go to the same one. What was found
 * through pages of a class goes to the bucket of that class, which judges links by it.
 */
export function splitColumns(
  columns: OfferColumns,
  limits: FetchLimits & { readonly hashes: Hashes64 },
  bucketOf: (url: number) => number,
  count: number,
  finderBucketOf: (url: number) => number = bucketOf,
): ColumnsOfBucket[] {
  const members: number[][] = Array.from({ length: count }, () => [])
  const numbers = new Uint32Array(limits.hashes.low.length)
  for (let url = 0; url < numbers.length; url++) {
    const own = members[bucketOf(url)]
    numbers[url] = own.length
    own.push(url)
  }
  const allUrls = Uint32Array.from(numbers.keys())
  return members.map((own, bucket) => {
    const urls = Uint32Array.from(own)
    const isOwn = (url: number) => bucketOf(url) === bucket
    const found = allUrls.filter((url) => finderBucketOf(url) === bucket)
    return {
      columns: columnsOf(columns, found, numbers, isOwn),
      limits: limitsOf(limits, urls),
      urls,
    }
  })
}

function columnsOf(
  { acquire, refresh, discover, finderClasses, found }: OfferColumns,
  foundUrls: Uint32Array,
  numbers: Uint32Array,
  isOwn: (url: number) => boolean,
): OfferColumns {
  const partOf = (bids: Omit<Bids, 'why'>) => bidsOf(bids, numbers, isOwn)
  return {
    ...{ acquire: partOf(acquire), refresh: partOf(refresh), discover: partOf(discover) },
    finderClasses: finderClasses.filter((_, i) => isOwn(discover.urls[i])),
    ...(found && { found: foundOf(found, foundUrls) }),
  }
}

function foundOf(
  { finderClasses, values, weights }: Required<FoundLinks>,
  urls: Uint32Array,
): Required<FoundLinks> {
  return {
    finderClasses: Int32Array.from(urls, (url) => finderClasses[url]),
    values: Float64Array.from(urls, (url) => values[url]),
    weights: Float64Array.from(urls, (url) => weights[url]),
  }
}

function bidsOf(
  bids: Omit<Bids, 'why'>,
  numbers: Uint32Array,
  isOwn: (url: number) => boolean,
): Omit<Bids, 'why'> {
  const { purpose, urls, gains, expected, leastPrices, reveals } = bids
  const part = (column: Float64Array) => column.filter((_, i) => isOwn(urls[i]))
  return {
    purpose,
    urls: urls.filter(isOwn).map((url) => numbers[url]),
    gains: part(gains),
    ...(expected && { expected: part(expected) }),
    ...(leastPrices && { leastPrices: part(leastPrices) }),
    ...(reveals && {
      reveals: {
        links: part(reveals.links),
        days: part(reveals.days),
        isFirst: reveals.isFirst.filter((_, i) => isOwn(urls[i])),
      },
    }),
  }
}

function limitsOf(limits: FetchLimits & { readonly hashes: Hashes64 }, urls: Uint32Array) {
  const { hashes, quotas = [] } = limits
  const quotaOf = ({ groups, isExempt, ...quota }: FetchQuota): FetchQuota => ({
    ...quota,
    groups: urls.map((url) => groups[url]),
    ...(isExempt && { isExempt: (url: number) => isExempt(urls[url]) }),
  })
  return {
    ...limits,
    hashes: { low: urls.map((url) => hashes.low[url]), high: urls.map((url) => hashes.high[url]) },
    quotas: quotas.map(quotaOf),
  }
}
