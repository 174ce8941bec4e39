import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csrFromEdges, rowOf } from '#numeric/csr.ts'
import {
  type CoverGraph,
  coverGraph,
  keepNewPages,
  mergeNewPages,
  NEW,
  OLD,
} from './cover-graph.ts'

const linksOf = (pages: number, edges: readonly (readonly [number, number])[]) =>
  csrFromEdges(
    pages,
    Uint32Array.from(edges, ([from]) => from),
    Uint32Array.from(edges, ([, to]) => to),
  )

/** What each old page leads to, by page numbers. */
const leads = ({ oldPages, newPages, covers }: CoverGraph) =>
  Object.fromEntries(
    Array.from(oldPages, (page, row) => [
      page,
      Array.from(rowOf(covers, row).slice().sort(), (place) => newPages[place]),
    ]),
  )

/** Pages 1 to 3 are old, 4 to 7 new: 1 links to 4 and 5, 3 to 5, and 4 to 6 and 7. */
const figure1 = {
  links: linksOf(8, [
    [1, 4],
    [1, 5],
    [3, 5],
    [4, 6],
    [4, 7],
    [2, 3],
  ]),
  roles: Uint8Array.of(0, OLD, OLD, OLD, NEW, NEW, NEW, NEW),
}

test('Figure 1: what a new page leads to is covered by the old page that leads to it', () => {
  const graph = coverGraph(figure1)
  expect(leads(graph)).toEqual({ 1: [4, 5, 6, 7], 3: [5] })
  expect(graph.orphans).toBe(0)
})

test('a path through an old page covers nothing, and a new page that no path reaches is an orphan', () => {
  const links = linksOf(5, [
    [0, 1],
    [1, 2],
    [2, 3],
    [4, 4],
  ])
  const graph = coverGraph({ links, roles: Uint8Array.of(OLD, OLD, NEW, OLD, NEW) })
  expect(leads(graph)).toEqual({ 1: [2] })
  expect([...graph.newPages]).toEqual([2])
  expect(graph.orphans).toBe(1)
})

test('a page may lead to any number of new ones', () => {
  const pages = 3001
  const fromLast = Array.from({ length: pages - 1 }, (_, page): [number, number] => [3000, page])
  const roles = new Uint8Array(pages).fill(NEW)
  roles[3000] = OLD
  const graph = coverGraph({ links: linksOf(pages, fromLast), roles })
  expect(new Set(graph.covers.targets).size).toBe(3000)
})

test('links may be kept by version instead of by page', () => {
  const links = linksOf(3, [
    [0, 1],
    [2, 1],
  ])
  const roles = Uint8Array.of(OLD, NEW)
  expect(leads(coverGraph({ links, roles, rowOf: Int32Array.of(2, 1) }))).toEqual({ 0: [1] })
  expect(leads(coverGraph({ links, roles, rowOf: Int32Array.of(1, 1) }))).toEqual({})
})

test('new pages can be left out, and told by group', () => {
  const graph = coverGraph(figure1)
  expect(leads(keepNewPages(graph, (page) => page !== 5))).toEqual({ 1: [4, 6, 7] })
  const bySite = mergeNewPages(graph, (page) => (page === 7 ? undefined : page % 2))
  expect(leads(bySite)).toEqual({ 1: [0, 1], 3: [1] })
})

test('groups and what leads to them are told in rising order', () => {
  const graph = mergeNewPages(coverGraph(figure1), (page) => 20 - page)
  expect([...graph.newPages]).toEqual([13, 14, 15, 16])
  expect([...rowOf(graph.covers, 0)]).toEqual([0, 1, 2, 3])
  expect([...rowOf(graph.covers, 1)]).toEqual([2])
})

const page = fc.nat(11)
const site = fc.record({
  edges: fc.array(fc.tuple(page, page), { maxLength: 40 }),
  roles: fc.array(fc.constantFrom(0, OLD, NEW), { minLength: 12, maxLength: 12 }),
})

test('a naive search of all paths agrees', () => {
  fc.assert(
    fc.property(site, ({ edges, roles }) => {
      const graph = coverGraph({ links: linksOf(12, edges), roles: Uint8Array.from(roles) })
      /** All new pages on paths from a page whose steps are all new; `seen` keeps paths simple. */
      const reach = (from: number, seen: ReadonlySet<number>): number[] =>
        edges.flatMap(([source, target]) =>
          source === from && roles[target] === NEW && !seen.has(target)
            ? [target, ...reach(target, new Set([...seen, target]))]
            : [],
        )
      const naive = roles.flatMap((role, from) => {
        const reached = [...new Set(role === OLD ? reach(from, new Set()) : [])]
        return reached.length === 0 ? [] : [[from, reached.sort((a, b) => a - b)] as const]
      })
      expect(leads(graph)).toEqual(Object.fromEntries(naive))
      const covered = new Set(naive.flatMap(([, reached]) => reached))
      expect(new Set(graph.newPages)).toEqual(covered)
      expect(graph.orphans).toBe(roles.filter((role) => role === NEW).length - covered.size)
    }),
  )
})

test('groups agree with those of the pages that each old page leads to', () => {
  const groups = fc.array(fc.option(fc.nat(3), { nil: undefined }), {
    minLength: 12,
    maxLength: 12,
  })
  fc.assert(
    fc.property(site, groups, ({ edges, roles }, groupOf) => {
      const graph = coverGraph({ links: linksOf(12, edges), roles: Uint8Array.from(roles) })
      const naive = Object.entries(leads(graph)).flatMap(([from, reached]) => {
        const own = new Set(reached.map((page) => groupOf[page]).filter((one) => one !== undefined))
        return own.size === 0 ? [] : [[from, [...own].sort()]]
      })
      const merged = mergeNewPages(graph, (page) => groupOf[page])
      expect(leads(merged)).toEqual(Object.fromEntries(naive))
    }),
  )
})
