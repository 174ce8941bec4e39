import fc from 'fast-check'
import { expect, test } from 'vitest'
import { REL_SITEMAP } from '#parse/page/page.ts'
import { LinkStore } from './link-store.ts'

const rowOf = (targets: readonly number[]) => ({
  targets: Uint32Array.from(targets),
  anchors: Uint32Array.from(targets, (target) => target + 1),
  rels: Uint8Array.from(targets, () => 0),
})

test('replacing a page’s links forgets the old ones, whatever the order of replacements', () => {
  const url = fc.nat(9)
  fc.assert(
    fc.property(
      fc.array(fc.tuple(url, fc.array(url, { maxLength: 6 })), { maxLength: 30 }),
      (steps) => {
        const store = new LinkStore()
        const naive = new Map<number, number[]>()
        for (const [page, targets] of steps) {
          store.replace(page, rowOf(targets))
          naive.set(page, targets)
        }
        for (let page = 0; page < 10; page++) {
          expect([...store.rowOf(page).targets]).toEqual(naive.get(page) ?? [])
          for (let target = 0; target < 10; target++)
            expect(store.has(page, target)).toBe(naive.get(page)?.includes(target) ?? false)
        }
        const { offsets, targets } = store.toCsr(10)
        for (let page = 0; page < 10; page++) {
          const distinct = [...new Set(naive.get(page) ?? [])].filter((target) => target !== page)
          expect([...targets.subarray(offsets[page], offsets[page + 1])]).toEqual(distinct)
        }
      },
    ),
  )
})

test('a store rewritten over and over stays as large as what it holds', () => {
  const store = new LinkStore()
  const many = Array.from({ length: 1000 }, (_, i) => i)
  for (let round = 0; round < 500; round++) store.replace(round % 3, rowOf(many))
  expect(store.size).toBe(3000)
  expect([...store.rowOf(2).targets]).toEqual(many)
  expect([...store.rowOf(2).anchors.subarray(0, 3)]).toEqual([1, 2, 3])
})

test('links read back piece by piece are the links that were stored', () => {
  const store = new LinkStore()
  store.reserve(5)
  store.extend(3, [1, 2], [2, 3], [0, 0])
  store.extend(3, [4], [5], [0])
  store.extend(0, [3], [4], [0])
  store.replace(0, rowOf([7]))
  expect([...store.rowOf(3).targets]).toEqual([1, 2, 4])
  expect([...store.rowOf(3).anchors]).toEqual([2, 3, 5])
  expect([...store.rowOf(0).targets]).toEqual([7])
  expect(store.size).toBe(4)
})

test('a page is called what links call it, each wording once, votes only', () => {
  const store = new LinkStore()
  const [here, telling, listed] = ['here', 'a telling name', 'listed'].map((text) =>
    store.anchors.add(text),
  )
  const link = (targets: number[], anchors: number[], rels: number[]) => ({
    targets: Uint32Array.from(targets),
    anchors: Uint32Array.from(anchors),
    rels: Uint8Array.from(rels),
  })
  store.replace(0, link([2, 2, 3], [here, here, telling], [0, 0, 0]))
  store.replace(1, link([2, 2], [telling, listed], [0, REL_SITEMAP]))
  store.replace(2, link([2], [listed], [0]))
  const limits = { each: 10, eachSite: 10, siteOf: new Uint32Array(8) }
  const called = store.anchorsTo([2, 7], limits)
  expect(called.get(2)).toEqual([here, telling])
  expect(called.get(7)).toEqual([])
  expect(store.anchorsTo([2], { ...limits, each: 1 }).get(2)!.length).toBe(1)
  // Who numbers pages otherwise hears the same first, by keys.
  const keys = Uint32Array.of(7, 5, 6, 4)
  expect(store.anchorsTo([2], { ...limits, each: 1 }).get(2)).toEqual([here])
  expect(store.anchorsTo([2], { ...limits, each: 1, keys }).get(2)).toEqual([telling])
  expect(store.anchorsTo([2, 3], { ...limits, keys })).toEqual(
    new Map([
      [2, [telling, here]],
      [3, [telling]],
    ]),
  )
})

test('no other site, and no page of thousands of links, drowns out what the rest call a page', () => {
  const store = new LinkStore()
  const texts = (word: string, count: number) =>
    Uint32Array.from({ length: count }, (_, i) => store.anchors.add(`${word}${i}`))
  const linkTo = (target: number, anchors: Uint32Array) => ({
    ...{ targets: new Uint32Array(anchors.length).fill(target), anchors },
    rels: new Uint8Array(anchors.length),
  })
  const limits = { each: 30, eachSite: 5, siteOf: Uint32Array.of(1, 1, 2, 0, 0) }
  for (const [page, word] of ['loud', 'louder', 'other', 'own'].entries())
    store.replace(page, linkTo(4, texts(word, 9)))
  const called = store.anchorsTo([4], limits).get(4)!
  const words = called.map((number) => store.anchors.at(number).replace(/\d/, ''))
  const counts = Map.groupBy(words, (word) => word)
  expect(Array.from(counts, ([word, all]) => [word, all.length])).toEqual([
    ...[['loud', 5] as const, ['other', 5] as const, ['own', 9] as const],
  ])
  const many = rowOf(Array.from({ length: 1_001 }, (_, i) => (i < 1_000 ? 0 : 4)))
  store.replace(3, many)
  expect(store.anchorsTo([4], limits).get(4)).toEqual(called.slice(0, 10))
})
