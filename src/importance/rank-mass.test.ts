import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Csr, csrFromEdges, distinctRows, rowOf } from '#numeric/csr.ts'
import { rankMass } from './rank-mass.ts'

const URLS = 10
const DAMPING = 0.85
const url = fc.integer({ min: 0, max: URLS - 1 })
const graph = fc.array(fc.tuple(url, url), { maxLength: 40 }).map((edges) => linksOf(edges))
const trusted = fc.uniqueArray(url, { minLength: 1, maxLength: 3 })

function linksOf(edges: readonly (readonly [number, number])[]): Csr {
  const sources = Uint32Array.from(edges, ([source]) => source)
  const targets = Uint32Array.from(edges, ([, target]) => target)
  return distinctRows(csrFromEdges(URLS, sources, targets))
}

/** Follows every step of a surfer who starts at a trusted URL, until nearly nobody is left. */
function naiveMass(links: Csr, trusted: readonly number[]): number[] {
  const mass = new Array<number>(URLS).fill(0)
  let now = mass.map((_, url) => (trusted.includes(url) ? (1 - DAMPING) / trusted.length : 0))
  for (let step = 0; step < 250; step++) {
    const next = new Array<number>(URLS).fill(0)
    now.forEach((held, url) => {
      mass[url] += held
      const targets = rowOf(links, url)
      for (const target of targets) next[target] += (DAMPING * held) / targets.length
    })
    now = next
  }
  return mass
}

const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0)

test('every bound is below the true mass, and together they miss no more than allowed', () => {
  const tolerances = fc.constantFrom(0.5, 0.01, 1e-6)
  fc.assert(
    fc.property(graph, trusted, tolerances, (links, seeds, tolerance) => {
      const bounds = rankMass(links, Uint32Array.from(seeds), { tolerance })
      const exact = naiveMass(links, seeds)
      bounds.forEach((bound, url) => {
        expect(bound).toBeLessThanOrEqual(exact[url] + 1e-12)
      })
      expect(sum(exact) - sum(bounds)).toBeLessThanOrEqual(tolerance + 1e-12)
    }),
  )
})

test('all URLs within L links of the trusted ones hold the mass that the paper guarantees', () => {
  // A ring never loses a surfer; URLs 0 to 3 are within 3 links of URL 0.
  const ring = linksOf(Array.from({ length: URLS }, (_, url) => [url, (url + 1) % URLS] as const))
  const bounds = rankMass(ring, Uint32Array.of(0), { tolerance: 1e-9 })
  expect(sum(bounds.slice(0, 4))).toBeGreaterThanOrEqual(1 - DAMPING ** 4)
  expect(sum(bounds)).toBeCloseTo(1, 8)
})

test('what no way leads to gets nothing, and with nobody to trust nothing is sure', () => {
  const links = linksOf([[0, 1], [2, 3]]) // biome-ignore format: one graph
  expect([...rankMass(links, Uint32Array.of(0))].slice(2, 4)).toEqual([0, 0])
  expect(sum(rankMass(links, new Uint32Array(0)))).toBe(0)
})

test('it stops as soon as it misses no more than it may, a millionth unless told', () => {
  const pair = linksOf([[0, 1], [1, 0]]) // biome-ignore format: one graph
  const massFor = (options?: { damping?: number; tolerance: number }) =>
    sum(rankMass(pair, Uint32Array.of(0), options))
  // Of a surfer who follows every other link, 1/2, 3/4 and 7/8 of the mass are sure after each step.
  expect(massFor({ damping: 0.5, tolerance: 1 / 8 })).toBe(7 / 8)
  expect(massFor()).toBe(massFor({ tolerance: 1e-6 }))
  expect(massFor()).toBeLessThan(massFor({ tolerance: 0.5e-6 }))
})

test('a round passes on what waits at pages with at least half the mean', () => {
  // After a round 0.2 waits at page 0 and 0.05 at page 1: less than half of 0.125, so only page 0 passes on.
  const links = linksOf([[2, 0], [3, 0], [4, 0], [5, 0], [6, 1], [0, 8], [1, 9]]) // biome-ignore format: one graph
  const bounds = rankMass(links, Uint32Array.of(2, 3, 4, 5, 6), { damping: 0.5, tolerance: 0.06 })
  expect(bounds[0]).toBeCloseTo(0.2, 12)
  expect(bounds[1]).toBeCloseTo(0.05, 12)
  expect(bounds[8]).toBeCloseTo(0.1, 12)
  expect(bounds[9]).toBe(0)
})
