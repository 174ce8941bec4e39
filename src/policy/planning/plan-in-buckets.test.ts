import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Corrections } from '#learn/corrections/corrections.ts'
import { mixHash } from '#numeric/hash.ts'
import { seededRandom } from '#numeric/random.ts'
import { offered, revealing } from '../budget/offers.test-kit.ts'
import { bidsInOneCurrency, OneBudget } from '../budget/one-budget.ts'
import { linksWorth, linkWeights } from '../discover/links-worth.ts'
import { BucketBids } from './bucket-bids.test-kit.ts'
import type { OfferColumns } from './offer-columns.test-kit.ts'
import { planInBuckets } from './plan-in-buckets.test-kit.ts'
import { splitColumns } from './split-columns.test-kit.ts'

const DOMAINS = 40

/** Made-up facts: a URL has a domain, two hosts a domain, three classes, patterns, and gains of which many are equal. */
function madeUp(seed: number, size: number, isCoarse: boolean) {
  const random = seededRandom(seed)
  const numbers = Array.from({ length: size }, (_, url) => url)
  const gain = () => (isCoarse ? random.below(3) / 8 : random.exponential(0.1))
  const domains = Uint32Array.from(numbers, () => random.below(DOMAINS))
  const hosts = domains.map((domain) => 2 * domain + random.below(2))
  const classes = domains.map((domain) => 3 * domain + random.below(3))
  const isList = numbers.map(() => random.chance(0.05))
  const acquire = offered(
    'acquire',
    numbers.filter((url) => url % 2 === 0).map((url) => [url, gain()] as const),
  )
  const refresh = {
    ...offered(
      'refresh',
      numbers.filter((url) => url % 2 === 1).map((url) => [url, 20 * gain()] as const),
    ),
    leastPrices: Float64Array.from({ length: size >> 1 }, () => (random.chance(0.1) ? 1 : 0)),
  }
  const discover = revealing(
    numbers.map((url) => [url, random.poisson(1), random.below(90), 1 - (url % 2)] as const),
  )
  const finderClass = (url: number) => (isList[url] ? 0 : classes[url] + 1)
  const found = {
    finderClasses: Int32Array.from(numbers, (url) =>
      random.chance(0.2) ? -1 : finderClass(random.chance(0.5) ? url : random.below(size)),
    ),
    values: Float64Array.from(numbers, gain),
    weights: linkWeights(size),
  }
  const columns: OfferColumns = {
    ...{ acquire, refresh, discover, found },
    finderClasses: Int32Array.from(numbers, finderClass),
  }
  const hashes = {
    low: Uint32Array.from(numbers, (url) =>
      isCoarse ? mixHash(seed, url) & 15 : mixHash(seed, url),
    ),
    high: Uint32Array.from(numbers, (url) => mixHash(seed + 1, url)),
  }
  const patterns = domains.map((domain) => 5 * domain + random.below(5))
  const quotas = [
    { groups: domains, most: 1 + random.below(12) },
    { groups: hosts, most: 7, before: hosts.map((_, host) => host % 3).slice(0, 2 * DOMAINS) },
    {
      groups: patterns,
      most: Float64Array.from({ length: 5 * DOMAINS }, () => (random.chance(0.2) ? 1 : 1e9)),
      isExempt: (url: number) => url % 5 === 0,
    },
  ]
  const correctionsFor = (urls: Uint32Array | undefined) => {
    const whole = (url: number) => (urls ? urls[url] : url)
    return new Corrections(
      (url) => classes[whole(url)],
      (url) => isList[whole(url)],
      {},
      learnt.calibrations,
    )
  }
  const learnt = new Corrections(
    (url) => classes[url],
    (url) => isList[url],
  )
  for (let i = 0; i < 200; i++) {
    const url = random.below(size)
    const prediction = url % 2 === 0 ? { acquire: gain(), links: 1 } : { refresh: gain(), links: 2 }
    learnt.observe(url, prediction, { quality: gain(), links: random.poisson(1) })
  }
  return { columns, hashes, quotas, domains, correctionsFor }
}

type Facts = ReturnType<typeof madeUp>
interface Spent {
  readonly budget: number
  readonly affords: number
  readonly tieSeed: number
}

const told = (hashes: Facts['hashes'], url: number) => `${hashes.low[url]} ${hashes.high[url]}`

/** As a crawl in one process plans it. */
function planOfOne({ columns, hashes, quotas, correctionsFor }: Facts, spent: Spent) {
  const { acquire, refresh, discover, finderClasses, found } = columns
  const why = () => ''
  const plain = { finderClasses: found!.finderClasses, values: found!.values }
  const known = new Map<number, ReturnType<typeof linksWorth>>()
  const worthAt = (price: number) => {
    if (!known.has(price)) known.set(price, linksWorth(plain, price))
    return known.get(price)!
  }
  const offers = {
    ...{ acquire: { ...acquire, why }, refresh: { ...refresh, why } },
    discover: { ...discover, why },
    worthOfLink: (url: number, price: number) => worthAt(price).of(finderClasses[url]),
  }
  const { budget, affords, tieSeed } = spent
  const limits = { budget, quotas, hashes, tieSeed }
  const random = seededRandom(tieSeed)
  const spending = { limits, affords, random, randomShare: 0.2 }
  const bids = bidsInOneCurrency(offers, correctionsFor(undefined), affords)
  const { fetches, price } = new OneBudget().plan(bids, spending)
  return {
    price,
    fetches: fetches.map((fetch) => ({ ...seen(fetch), url: told(hashes, fetch.url) })),
  }
}

function seen({
  gain,
  parts,
  purpose,
  expected,
  probability,
}: {
  readonly gain: number
  readonly parts: object
  readonly purpose: string
  readonly expected: number
  readonly probability?: number
}) {
  return { gain, parts, purpose, expected, probability }
}

/** The same in buckets, whose URLs have other numbers. */
function planOfMany(
  { columns, hashes, quotas, domains, correctionsFor }: Facts,
  { budget, affords, tieSeed }: Spent,
  count: number,
) {
  const limits = { budget, quotas, hashes, tieSeed }
  const bucketOf = (url: number) => mixHash(3, domains[url]) % count
  // A link counts where the page is that led to it.
  const finderBucketOf = (url: number) => {
    const number = columns.found!.finderClasses[url]
    return number > 0 ? mixHash(3, Math.floor((number - 1) / 3)) % count : bucketOf(url)
  }
  const parts = splitColumns(columns, limits, bucketOf, count, finderBucketOf)
  const { fetches, price } = planInBuckets(
    parts.map((part) => new BucketBids(part.columns, correctionsFor(part.urls), part.limits)),
    { budget, affords, random: seededRandom(tieSeed), randomShare: 0.2 },
  )
  const all = fetches.flatMap((some, bucket) =>
    some.map((fetch) => ({ ...seen(fetch), url: told(hashes, parts[bucket].urls[fetch.url]) })),
  )
  return { price, fetches: all }
}

const inOrder = <T extends { readonly url: string }>(fetches: readonly T[]) =>
  fetches.toSorted((a, b) => (a.url < b.url ? -1 : 1))

test.each([1, 8, 64])(
  'with %i buckets the plan is that of one: the same URLs, bids, chances and price to the last bit',
  (count) => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.integer({ min: 1, max: 300 }),
        fc.boolean(),
        fc.nat(120),
        fc.nat(200),
        (seed, size, isCoarse, budget, more) => {
          const facts = madeUp(seed, size, isCoarse)
          const spent = { budget, affords: budget + more, tieSeed: seed }
          const [one, many] = [planOfOne(facts, spent), planOfMany(facts, spent, count)]
          expect(many.price).toBe(one.price)
          expect(inOrder(many.fetches)).toEqual(inOrder(one.fetches))
        },
      ),
      { numRuns: 60 },
    )
  },
)
