import { expect, test } from 'vitest'
import type { AcquisitionFacts, QueryAnswers } from '../../facts/acquisition-facts.ts'
import { topicWeb } from '../paper/topic-web.test-kit.ts'
import { pageTraits } from './page-traits.ts'
import { PairFinder } from './pair-features.ts'

const { facts } = topicWeb(2)
const traits = pageTraits(facts)
const everything = new Uint8Array(facts.domains.length).fill(1)

/** The answers as they would be had a page never been fetched. */
function answersWithout(answers: QueryAnswers, url: number): QueryAnswers {
  const { depth } = answers
  const copy = structuredClone(answers)
  for (let query = 0; query < copy.kept.length; query++) {
    const first = query * depth
    const at = copy.urls.subarray(first, first + copy.kept[query]).indexOf(url)
    if (at < 0) continue
    for (const column of [copy.urls, copy.scores])
      column.copyWithin(first + at, first + at + 1, first + copy.kept[query])
    copy.kept[query]--
    copy.resultCounts[query]--
  }
  return copy
}

function rowsOf(some: AcquisitionFacts, url: number): number[][] {
  const only = new Uint8Array(some.domains.length)
  only[url] = 1
  const { table, queries } = new PairFinder(some, traits, {}).find(some.queries.keys(), only)
  return Array.from(queries, (query, row) => [query, ...table.columns.map((column) => column[row])])
}

test('a fetched page is described as it was before it was fetched', () => {
  let results = 0
  for (const url of facts.visits.filter((url) => url % 4 === 0)) {
    const before = { ...facts, answers: answersWithout(facts.answers, url) }
    const rows = rowsOf(facts, url)
    results += rows.length
    expect(rows).toEqual(rowsOf(before, url))
  }
  expect(results).toBeGreaterThan(100)
})

test('ranks are those of the answers', () => {
  const { queries, urls, ranks } = new PairFinder(facts, traits, {}).find(
    facts.queries.keys(),
    everything,
  )
  const { depth, kept, urls: results } = facts.answers
  ranks.forEach((rank, row) => {
    const first = queries[row] * depth
    const place = results.subarray(first, first + kept[queries[row]]).indexOf(urls[row])
    expect(rank).toBe(place + 1)
  })
  expect(ranks.some((rank) => rank > 0)).toBe(true)
})

test('candidates are found by words and by links from results', () => {
  const { table, urls } = new PairFinder(facts, traits, {}).find(facts.queries.keys(), everything)
  const column = (name: string) => table.columns[table.names.indexOf(name)]
  const coverage = column('coverage')
  const linking = column('linking results')
  urls.forEach((_, row) => {
    expect(coverage[row] >= 0.5 - 1e-6 || linking[row] > 0).toBe(true)
  })
  expect(linking.some((count, row) => count > 0 && coverage[row] < 0.5)).toBe(true)
})
