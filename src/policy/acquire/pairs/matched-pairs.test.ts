import { expect, test } from 'vitest'
import { matchesByNgrams } from '#frontier/link-words/rule.ts'
import type { AcquisitionFacts } from '../../facts/acquisition-facts.ts'
import { matchedPairs } from './matched-pairs.ts'

type Words = AcquisitionFacts['words']

test('pairs are described by what links say, by the query and by the page, under the names of their columns', () => {
  const [only, rule] = [Uint8Array.of(1, 1, 1), matchesByNgrams(0.5)]
  const asked: unknown[] = []
  const matches = (...request: Parameters<Words['matches']>) => {
    asked.push(request)
    return {
      urls: Uint32Array.of(2),
      ngramShare: [0.1],
      coverage: [0.2],
      urlCoverage: [0.3],
      bestAnchor: [0.4],
      meanAnchor: [0.5],
      closeness: [0.6],
      anchorHits: [7],
    }
  }
  const pairs = matchedPairs(
    {
      words: { matches } as unknown as Words,
      answers: { lengths: Uint8Array.of(9, 4) } as unknown as AcquisitionFacts['answers'],
    },
    { names: ['number', 'tenfold'], features: [(url) => url, (url) => 10 * url] },
    [1],
    only,
    rule,
  )
  expect(asked).toEqual([[1, rule, { only, most: 500 }]])
  expect([...pairs.queries]).toEqual([1])
  expect([...pairs.urls]).toEqual([2])
  const row = pairs.table.names.map((name, column) => [name, pairs.table.columns[column][0]])
  expect(Object.fromEntries(row)).toEqual({
    'n-gram share': expect.closeTo(0.1, 6),
    coverage: expect.closeTo(0.2, 6),
    'address coverage': expect.closeTo(0.3, 6),
    'best anchor': expect.closeTo(0.4, 6),
    'mean anchor': expect.closeTo(0.5, 6),
    closeness: expect.closeTo(0.6, 6),
    'matching links': expect.closeTo(Math.log(8), 6),
    'query length': 4,
    number: 2,
    tenfold: 20,
  })
})

test('each match of each query has a row of its own', () => {
  const matches = (query: number) => {
    const urls = Uint32Array.of(query + 1, query + 2, query + 3)
    const shares = Array.from(urls, (url) => url / 16)
    const [ngramShare, coverage, urlCoverage] = [shares, shares, shares]
    const [bestAnchor, meanAnchor, closeness, anchorHits] = [shares, shares, shares, shares]
    return {
      urls,
      ngramShare,
      coverage,
      urlCoverage,
      bestAnchor,
      meanAnchor,
      closeness,
      anchorHits,
    }
  }
  const pairs = matchedPairs(
    {
      words: { matches } as unknown as Words,
      answers: { lengths: Uint8Array.of(9, 4) } as unknown as AcquisitionFacts['answers'],
    },
    { names: ['number'], features: [(url) => url] },
    [0, 1],
    new Uint8Array(5).fill(1),
    matchesByNgrams(1),
  )
  const column = (name: string) => [...pairs.table.columns[pairs.table.names.indexOf(name)]]
  expect([...pairs.queries]).toEqual([0, 0, 0, 1, 1, 1])
  expect([...pairs.urls]).toEqual([1, 2, 3, 2, 3, 4])
  expect(column('number')).toEqual([1, 2, 3, 2, 3, 4])
  expect(column('coverage')).toEqual([1, 2, 3, 2, 3, 4].map((url) => url / 16))
  expect(column('query length')).toEqual([9, 9, 9, 4, 4, 4])
})
