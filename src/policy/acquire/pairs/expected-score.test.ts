import { expect, test } from 'vitest'
import { tableOf } from '#numeric/learning/feature-table.test-kit.ts'
import { seededRandom } from '#numeric/random.ts'
import { expectedShares, fitExpectedScore, sharesOutOfHalf } from './expected-score.ts'
import type { MatchedPairs } from './matched-pairs.ts'

/** Pairs of 300 pages with five queries each; a page has a trait that nobody else has. */
function somePairs(): MatchedPairs {
  const random = seededRandom(3)
  const rows = Array.from({ length: 1500 }, () => [random.next(), random.next()])
  return {
    table: tableOf(
      ['coverage', 'closeness', 'own trait'],
      rows.map(([coverage, closeness], i) => [coverage, closeness, Math.floor(i / 5)]),
    ),
    queries: Uint32Array.from(rows, (_, i) => i % 5),
    urls: Uint32Array.from(rows, (_, i) => Math.floor(i / 5)),
  }
}

const hosts = new Uint32Array(300)
const meanSquare = (a: Float64Array, b: Float64Array) =>
  a.reduce((sum, value, i) => sum + (value - b[i]) ** 2, 0) / a.length

test('scores that follow from what links say are learnt', () => {
  const pairs = somePairs()
  const scores = Float64Array.from(pairs.table.columns[0], (coverage) => coverage ** 2)
  const model = fitExpectedScore(pairs, scores, hosts)
  expect(meanSquare(expectedShares(model, pairs, hosts), scores)).toBeLessThan(0.002)
})

test('a page is not told by its own score: chance is not foreseen', () => {
  const pairs = somePairs()
  const random = seededRandom(8)
  const luck = Float64Array.from(hosts, () => random.next())
  const scores = Float64Array.from(pairs.urls, (url) => luck[url])
  const honest = sharesOutOfHalf(pairs, scores, hosts)
  const mean = scores.map(() => 0.5)
  expect(meanSquare(honest, scores)).toBeGreaterThan(0.95 * meanSquare(mean, scores))
})

test('a host with one fetched page tells nothing about that page', () => {
  const { table, ...pairs } = somePairs()
  const blank = tableOf(['coverage', 'closeness'], Array(table.rows).fill([1, 1]))
  const random = seededRandom(9)
  const luck = Float64Array.from(hosts, () => random.next())
  const ownHosts = Uint32Array.from(hosts.keys())
  const scores = Float64Array.from(pairs.urls, (url) => luck[url])
  const { tree } = fitExpectedScore({ ...pairs, table: blank }, scores, ownHosts).tree
  expect(tree.values.length).toBe(1)
})

test('hosts whose pages score high promise more', () => {
  const pairs = somePairs()
  const twoHosts = Uint32Array.from(hosts, (_, url) => url % 2)
  const scores = Float64Array.from(pairs.urls, (url) => (url % 2 === 0 ? 0.2 : 0.6))
  const model = fitExpectedScore(pairs, scores, twoHosts)
  const one = { ...pairs, table: tableOf(pairs.table.names, [[0.5, 0.5, 1000]]) }
  const expectedOn = (host: number) =>
    expectedShares(model, { ...one, urls: Uint32Array.of(0) }, Uint32Array.of(host))[0]
  expect(expectedOn(0)).toBeCloseTo(0.2, 2)
  expect(expectedOn(1)).toBeCloseTo(0.6, 2)
})

/** Pairs of which nothing is known but their pages. */
function blankPairs(urls: readonly number[]): MatchedPairs {
  return {
    table: tableOf(['coverage', 'closeness'], Array(urls.length).fill([1, 1])),
    queries: new Uint32Array(urls.length),
    urls: Uint32Array.from(urls),
  }
}

test('a host’s mean is that of its pairs and of five average ones; a host without any is average', () => {
  const scores = Float64Array.of(0.2, 0.4, 0.6, 0.9)
  const model = fitExpectedScore(blankPairs([0, 0, 1, 2]), scores, Uint32Array.of(0, 0, 2))
  expect(model.mean).toBeCloseTo(0.525, 12)
  // (1.2 + 5 · 0.525) / 8, and (0.9 + 5 · 0.525) / 6
  expect(Array.from(model.hostMeans, (mean) => Number(mean.toFixed(6)))).toEqual([
    0.478125, 0.525, 0.5875,
  ])
  expect(fitExpectedScore(blankPairs([0]), Float64Array.of(0.3), hosts).mean).toBe(0.3)
  expect(fitExpectedScore(blankPairs([]), new Float64Array(), hosts).hostMeans).toHaveLength(0)
})

test('a page of a host is told by the pairs of the host’s other pages', () => {
  // Two pages a host, 20 pairs each: others' means are 2.5 / 25 and 22.5 / 25, so a mean of a half divides them.
  const urls = [0, 1, 2, 3].flatMap((url) => Array<number>(20).fill(url))
  const scores = Float64Array.from(urls, (url) => (url < 2 ? 0 : 1))
  const model = fitExpectedScore(blankPairs(urls), scores, Uint32Array.of(0, 0, 1, 1))
  const told = { ...model, hostMeans: Float64Array.of(0.45, 0.55) }
  expect([...expectedShares(told, blankPairs([0, 1]), Uint32Array.of(0, 1))]).toEqual([0, 1])
})

test('before anything was learnt the words decide', () => {
  const pairs = { ...somePairs(), table: tableOf(['coverage', 'closeness'], [[1, 1], [0.5, 0.2]]) } // biome-ignore format: rows
  expect([...expectedShares(undefined, pairs, hosts)]).toEqual([0.5, expect.closeTo(0.175, 6)])
})
