import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csrFromEdges, distinctRows, rowOf } from '#numeric/csr.ts'
import { linksBetween } from './links-between.ts'

const URLS = 12
const url = fc.integer({ min: 0, max: URLS - 1 })

test('groups link where their URLs do, each to each other once', () => {
  const groupOfUrl = fc.array(fc.nat(4), { minLength: URLS, maxLength: URLS })
  fc.assert(
    fc.property(fc.array(fc.tuple(url, url)), groupOfUrl, (edges, groups) => {
      const links = distinctRows(
        csrFromEdges(
          URLS,
          Uint32Array.from(edges, ([source]) => source),
          Uint32Array.from(edges, ([, target]) => target),
        ),
      )
      const between = linksBetween(links, Uint32Array.from(groups))
      expect(between.offsets.length).toBe(Math.max(...groups) + 2)
      for (let group = 0; group <= Math.max(...groups); group++) {
        const naive = new Set(
          edges
            .filter(([s, t]) => groups[s] === group && groups[t] !== group)
            .map(([, t]) => groups[t]),
        )
        expect([...rowOf(between, group)].sort()).toEqual([...naive].sort())
      }
    }),
  )
})

test('no URLs have no groups', () => {
  const none = linksBetween(
    csrFromEdges(0, new Uint32Array(0), new Uint32Array(0)),
    new Uint32Array(0),
  )
  expect([...none.offsets]).toEqual([0])
})
