import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csrFromEdges, distinctRows } from '#numeric/csr.ts'
import { inDegree } from './in-degree.ts'
import { transDomainInDegree } from './trans-domain-in-degree.ts'

const url = fc.integer({ min: 0, max: 9 })
const pairs = fc.array(fc.tuple(url, url))

function linksOf(edges: [number, number][]) {
  const sources = Uint32Array.from(edges, ([source]) => source)
  return distinctRows(
    csrFromEdges(
      10,
      sources,
      Uint32Array.from(edges, ([, target]) => target),
    ),
  )
}

test('the in-degree counts the pages that link to a URL', () => {
  fc.assert(
    fc.property(pairs, (edges) => {
      const naive = Array.from(
        { length: 10 },
        (_, url) => new Set(edges.filter(([s, t]) => t === url && s !== url).map(([s]) => s)).size,
      )
      expect([...inDegree(linksOf(edges), 10)]).toEqual(naive)
    }),
  )
})

test('the trans-domain in-degree leaves out pages of the same domain', () => {
  const domainOfUrl = fc.array(fc.nat(3), { minLength: 10, maxLength: 10 })
  fc.assert(
    fc.property(pairs, domainOfUrl, (edges, domains) => {
      const naive = domains.map(
        (domain, url) =>
          new Set(edges.filter(([s, t]) => t === url && domains[s] !== domain).map(([s]) => s))
            .size,
      )
      expect([...transDomainInDegree(linksOf(edges), Uint32Array.from(domains))]).toEqual(naive)
    }),
  )
})

test("an airline's flight pages gain nothing from its own site, but do from its careers site", () => {
  const [www, fly, careers] = [0, 1, 2]
  const links = csrFromEdges(3, Uint32Array.of(www, careers), Uint32Array.of(fly, fly))
  const domains = Uint32Array.of(0, 0, 1)
  expect([...inDegree(links)]).toEqual([0, 2, 0])
  expect([...transDomainInDegree(links, domains)]).toEqual([0, 1, 0])
})
