import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Hashes64, mixHash } from '#numeric/hash.ts'
import type { Bids, Purpose } from '../bids.ts'
import { type FetchLimits, planFetches } from './scheduler.ts'

type Offers = readonly (readonly [url: number, gain: number])[]

function bids(purpose: Purpose, offers: Offers): Bids {
  return {
    purpose,
    urls: Uint32Array.from(offers, ([url]) => url),
    gains: Float64Array.from(offers, ([, gain]) => gain),
    why: (i) => `${purpose} ${offers[i][0]}`,
  }
}

function planned(allBids: Bids[], limits: FetchLimits) {
  return planFetches(allBids, limits).map(({ why, ...fetch }) => ({ ...fetch, why: why() }))
}

/** Adds bids up URL by URL, sorts, then walks down the list and counts. */
function naivePlan(allBids: Bids[], limits: FetchLimits) {
  const lot = (url: number) => (limits.tieSeed === undefined ? 0 : mixHash(limits.tieSeed, url))
  const urls = new Set(allBids.flatMap((bids) => [...bids.urls]))
  const offers = [...urls].map((url) => {
    const parts = { acquire: 0, refresh: 0, discover: 0 }
    const reasons: { why: string; gain: number }[] = []
    for (const { purpose, urls, gains, why } of allBids)
      urls.forEach((other, i) => {
        if (other !== url) return
        parts[purpose] = gains[i]
        reasons.push({ why: why(i), gain: gains[i] })
      })
    const gain = parts.acquire + parts.refresh + parts.discover
    const [best, ...others] = reasons.sort((a, b) => b.gain - a.gain)
    const why = [best, ...others.filter((reason) => reason.gain > 0)].map((reason) => reason.why)
    const purpose = best.why.split(' ')[0] as Purpose
    return { url, gain, parts, purpose, expected: gain, why: why.join('; ') }
  })
  offers.sort((a, b) => b.gain - a.gain || lot(a.url) - lot(b.url) || a.url - b.url)
  const plan: typeof offers = []
  for (const offer of offers) {
    const hasRoom = (limits.quotas ?? []).every(({ groups, most }) => {
      const group = groups[offer.url]
      const sharing = plan.filter((other) => groups[other.url] === group).length
      return sharing < (typeof most === 'number' ? most : most[group])
    })
    if (plan.length < limits.budget && hasRoom) plan.push(offer)
  }
  return plan
}

const URLS = 60
const offers = fc.uniqueArray(
  fc.tuple(fc.integer({ min: 0, max: URLS - 1 }), fc.integer({ min: 0, max: 4 })),
  { selector: ([url]) => url, maxLength: URLS },
)
const GROUPS = 8
const quota = fc.record({
  groups: fc
    .array(fc.nat(GROUPS - 1), { minLength: URLS, maxLength: URLS })
    .map((groups) => Uint32Array.from(groups)),
  most: fc.oneof(fc.nat(6), fc.array(fc.nat(6), { minLength: GROUPS, maxLength: GROUPS })),
})

test('a plan is what sorting every bid and walking down the list would give', () => {
  fc.assert(
    fc.property(
      fc.tuple(offers, offers, offers),
      fc.record({
        budget: fc.nat(80),
        quotas: fc.array(quota, { maxLength: 3 }),
        tieSeed: fc.option(fc.integer(), { nil: undefined }),
      }),
      ([first, second, third], limits) => {
        const all = [bids('acquire', first), bids('refresh', second), bids('discover', third)]
        expect(planned(all, limits)).toEqual(naivePlan(all, limits))
      },
    ),
    { numRuns: 300 },
  )
})

test('a URL wanted for two reasons is fetched once, and worth both', () => {
  const all = [bids('refresh', [[3, 0.25]]), bids('discover', [[4, 0.6], [3, 0.5]])] // biome-ignore format: one list
  const parts = { acquire: 0, refresh: 0.25, discover: 0.5 }
  expect(planned(all, { budget: 1 })).toEqual([
    {
      url: 3,
      purpose: 'discover',
      gain: 0.75,
      expected: 0.75,
      parts,
      why: 'discover 3; refresh 3',
    },
  ])
})

test('a host that is full makes room for others, however good its bids', () => {
  const offers: Offers = [[0, 9], [1, 8], [2, 7], [3, 1]] // biome-ignore format: one list
  const quotas = [{ groups: Uint32Array.of(0, 0, 0, 1), most: 2 }]
  const plan = planned([bids('acquire', offers)], { budget: 3, quotas })
  expect(plan.map(({ url }) => url)).toEqual([0, 1, 3])
})

test('equal gains go by the hash of the URL; without hashes by its number, or in random order where a seed is given', () => {
  const all = [
    bids(
      'acquire',
      Array.from({ length: 20 }, (_, i) => [19 - i, 1] as const),
    ),
  ]
  const urls = (tieSeed?: number, hashes?: Hashes64) =>
    planned(all, { budget: 5, tieSeed, hashes }).map(({ url }) => url)
  expect(urls()).toEqual([0, 1, 2, 3, 4])
  expect(urls(1)).not.toEqual(urls(2))
  const words = Uint32Array.from({ length: 20 }, (_, url) => mixHash(9, url))
  const hashes = { low: words, high: words }
  const byKey = [...words.keys()].sort((a, b) => mixHash(1, words[a]) - mixHash(1, words[b]))
  expect(urls(1, hashes)).toEqual(byKey.slice(0, 5))
  // The second word decides where the first does not.
  const alike = { low: new Uint32Array(20), high: words }
  expect(urls(1, alike)).toEqual(byKey.slice(0, 5))
})

test('no bids or no budget make an empty plan', () => {
  expect(planFetches([], { budget: 5 })).toEqual([])
  expect(planFetches([bids('acquire', [])], { budget: 5 })).toEqual([])
  expect(planFetches([bids('acquire', [[1, 1]])], { budget: 0 })).toEqual([])
})
