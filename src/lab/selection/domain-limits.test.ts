import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csrFromEdges, distinctRows } from '#numeric/csr.ts'
import {
  limitsByRank,
  limitsByScore,
  linkingDomains,
  markedUrls,
  withinLimits,
} from './domain-limits.ts'

test('linking domains are counted once, however many of their pages link', () => {
  const links = distinctRows(
    csrFromEdges(5, Uint32Array.of(0, 1, 2, 3, 3), Uint32Array.of(3, 3, 3, 4, 0)),
  )
  expect([...linkingDomains(links, Uint32Array.of(0, 0, 1, 2, 2))]).toEqual([1, 0, 2])
})

test('marked URLs are counted by domain', () => {
  expect([...markedUrls(Uint32Array.of(0, 2, 2, 0), Uint8Array.of(1, 1, 1, 0))]).toEqual([1, 0, 2])
})

test('a score limit is a multiple of the score, in whole pages, and never below one', () => {
  expect([...limitsByScore(Uint32Array.of(0, 1, 3, 40), 0.5)]).toEqual([1, 1, 1, 20])
  expect([...limitsByScore(Uint32Array.of(0, 1, 3, 40), 256)]).toEqual([1, 256, 768, 10_240])
  expect([...limitsByScore(Uint32Array.of(100), 0.29)]).toEqual([29])
})

test('the rank limit falls as in IRLbot: 10000, 5005 half way, 10 from rank 10000 on', () => {
  const scores = Uint32Array.from({ length: 10_500 }, (_, domain) => 20_000 - domain)
  const limits = limitsByRank(scores, 1)
  expect([0, 9999, 10_000, 10_499].map((domain) => limits[domain])).toEqual([10_000, 10, 10, 10])
  expect(limits[4999]).toBe(5005)
  expect(limitsByRank(scores, 2)[4999]).toBe(10_010)
  expect(limitsByRank(scores, 0.01)[10_000]).toBe(1)
})

test('domains with equal scores get equal limits, those of their best rank', () => {
  const limits = limitsByRank(Uint32Array.of(3, 7, 3, 7), 1)
  expect([...limits]).toEqual([limits[0], 10_000, limits[0], 10_000])
  expect(limits[0]).toBe(Math.floor(10 + (9990 * (10_000 - 3)) / 9999))
})

const order = fc.uniqueArray(fc.nat(19), { maxLength: 20 })
const domainOfUrl = fc.array(fc.nat(4), { minLength: 20, maxLength: 20 })
const limitOfDomain = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 5, maxLength: 5 })

test('of the best N each domain keeps its best; a refill goes on down the order', () => {
  fc.assert(
    fc.property(order, domainOfUrl, limitOfDomain, fc.nat(25), (urls, domains, limits, size) => {
      const isKept = (url: number, place: number) =>
        urls.slice(0, place).filter((other) => domains[other] === domains[url]).length <
        limits[domains[url]]
      const keep = (refill: boolean) => [
        ...withinLimits(Uint32Array.from(urls), size, {
          domains: Uint32Array.from(domains),
          limitOf: (domain) => limits[domain],
          refill,
        }),
      ]
      expect(keep(false)).toEqual(urls.slice(0, size).filter(isKept))
      expect(keep(true)).toEqual(urls.filter(isKept).slice(0, size))
    }),
  )
})
