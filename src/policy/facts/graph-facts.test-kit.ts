import type { GraphFacts } from '#frontier/graph-facts.ts'
import { csrFromEdges, distinctRows } from '#numeric/csr.ts'
import { seededRandom } from '#numeric/random.ts'

/** Links as a crawl leaves them: fetched pages have some, the URLs they point to are candidates. */
export function graphFacts(
  urlCount: number,
  edges: readonly (readonly [source: number, target: number])[],
  overrides: Partial<GraphFacts> = {},
): GraphFacts {
  const sources = Uint32Array.from(edges, ([source]) => source)
  const targets = Uint32Array.from(edges, ([, target]) => target)
  const all = Uint32Array.from({ length: urlCount }, (_, url) => url)
  return {
    candidates: all.filter((url) => !sources.includes(url)),
    links: distinctRows(csrFromEdges(urlCount, sources, targets)),
    depths: Uint16Array.from(all, (url) => Math.min(url, 5)),
    hosts: all.map((url) => url % 6), // two hosts a domain
    domains: all.map((url) => url % 3),
    visits: all.filter((url) => sources.includes(url)),
    seed: 1,
    ...overrides,
  }
}

/** Link graphs of all sorts, ordinary and extreme, by what is special about them. */
export function variedGraphFacts(): Record<string, GraphFacts> {
  return {
    'nothing known': graphFacts(0, []),
    'one seed': graphFacts(1, []),
    'everything fetched': graphFacts(2, [[0, 1], [1, 0]], { candidates: new Uint32Array(0) }), // biome-ignore format: one graph
    'no links': graphFacts(5, []),
    'two islands': graphFacts(8, [[0, 1], [0, 2], [4, 5], [4, 6], [5, 6]]), // biome-ignore format: one graph
    'a far-off URL': graphFacts(3, [[0, 1]], { depths: Uint16Array.of(0, 1, 65535) }), // biome-ignore format: one graph
    'a small random web': randomFacts(30, 100),
    'a larger random web': randomFacts(2000, 12_000),
  }
}

function randomFacts(urlCount: number, edgeCount: number): GraphFacts {
  const random = seededRandom(urlCount)
  const edges = Array.from({ length: edgeCount }, (): [number, number] => [
    random.below(urlCount / 3),
    random.below(urlCount),
  ])
  return graphFacts(urlCount, edges, { seed: random.below(1000) })
}
