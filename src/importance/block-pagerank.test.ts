import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Csr, csrFromEdges, distinctRows } from '#numeric/csr.ts'
import { seededRandom } from '#numeric/random.ts'
import { blockPageRank, giftOf, linkShare } from './block-pagerank.ts'
import { pageRank } from './pagerank.ts'

/** Ranks of a web in parts that tell each other, after so many rounds; parts are by the number of a URL. */
function ranksInParts(links: Csr, parts: number, rounds: number): Float64Array {
  const size = links.offsets.length - 1
  const partOf = (url: number) => (url * 7 + (url >> 2)) % parts
  const degreeOf = (url: number) => links.offsets[url + 1] - links.offsets[url]
  const all = Array.from({ length: parts }, (_, part) => {
    const own = Array.from({ length: size }, (_, url) => url).filter((url) => partOf(url) === part)
    const [ranks, outflow] = [new Float64Array(size), new Float64Array(size)]
    for (const url of own) {
      ranks[url] = 1
      for (const target of links.targets.subarray(links.offsets[url], links.offsets[url + 1]))
        if (partOf(target) !== part) outflow[target] += linkShare(1, degreeOf(url))
    }
    return { part, ranks, outflow, dangling: own.filter((url) => degreeOf(url) === 0).length }
  })
  for (let round = 0; round < rounds; round++) {
    const before = all.map((one) => ({ ...one }))
    const gift = giftOf(
      size,
      before.reduce((sum, { dangling }) => sum + dangling, 0),
    )
    for (const one of all) {
      const inflow = new Float64Array(size)
      for (const other of before) {
        if (other.part === one.part) continue
        for (let url = 0; url < size; url++) inflow[url] += other.outflow[url]
      }
      const isForeign = (url: number) => partOf(url) !== one.part
      Object.assign(one, blockPageRank({ links, isForeign, ranks: one.ranks, inflow, gift }))
    }
  }
  return Float64Array.from({ length: size }, (_, url) => all[partOf(url)].ranks[url] / size)
}

function distance(a: Float64Array, b: Float64Array): number {
  return a.reduce((sum, value, i) => sum + Math.abs(value - b[i]), 0)
}

const graph = fc.record({
  size: fc.integer({ min: 2, max: 60 }),
  seed: fc.integer({ min: 0, max: 2 ** 31 }),
  parts: fc.integer({ min: 1, max: 8 }),
})

function randomLinks(size: number, seed: number): Csr {
  const random = seededRandom(seed)
  const edges = Array.from({ length: 3 * size }, () => [random.below(size), random.below(size)])
  const [sources, targets] = [0, 1].map((end) => Uint32Array.from(edges, (edge) => edge[end]))
  const own = Uint32Array.from(sources.keys()).filter((i) => sources[i] !== targets[i])
  const of = (column: Uint32Array) => own.map((i) => column[i])
  return distinctRows(csrFromEdges(size, of(sources), of(targets)))
}

test('parts that tell each other come to the ranks of the whole web, in each round nearer by the damping', () => {
  fc.assert(
    fc.property(graph, ({ size, seed, parts }) => {
      const links = randomLinks(size, seed)
      const whole = pageRank(links, { tolerance: 1e-12, maxRounds: 200 })
      for (const rounds of [1, 10, 60]) {
        const far = distance(ranksInParts(links, parts, rounds), whole)
        expect(far, `${rounds} rounds`).toBeLessThan(2 * 0.85 ** rounds)
      }
    }),
  )
})

test('a part tells others what goes to their pages, and nothing of its own', () => {
  // Pages 0 and 1 are a part; each links to the other and to page 2, which is of another.
  const links = csrFromEdges(3, Uint32Array.of(0, 0, 1, 1), Uint32Array.of(1, 2, 0, 2))
  const { ranks, dangling, outflow } = blockPageRank({
    links,
    isForeign: (url) => url === 2,
    ranks: Float64Array.of(1, 1, 0),
    inflow: new Float64Array(3),
    gift: 0.15,
  })
  expect([...ranks]).toEqual([0.15 + linkShare(1, 2), 0.15 + linkShare(1, 2), 0])
  expect([...outflow]).toEqual([0, 0, 2 * linkShare(ranks[0], 2)])
  expect(dangling).toBe(0)
})

test('in any number of parts, steps give the same ranks to the last bit', () => {
  fc.assert(
    fc.property(graph, ({ size, seed, parts }) => {
      const links = randomLinks(size, seed)
      expect(ranksInParts(links, parts, 5)).toEqual(ranksInParts(links, 1, 5))
    }),
  )
})
