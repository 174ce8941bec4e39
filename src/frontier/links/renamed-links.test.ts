import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SPOKEN_LINKS } from './link-store.ts'
import { renamedLinks } from './renamed-links.ts'

type Link = readonly [target: number, anchor: number]

const rowOf = (links: readonly Link[]) => ({
  targets: Uint32Array.from(links, ([target]) => target),
  anchors: Uint32Array.from(links, ([, anchor]) => anchor),
})

test('links that came or went with their texts are renamed, others are not', () => {
  const links = fc.array(fc.tuple(fc.nat(4), fc.nat(3)), { maxLength: 8 })
  fc.assert(
    fc.property(links, links, (before, after) => {
      const { targets, anchors } = renamedLinks(rowOf(before), rowOf(after))
      const found = new Set(Array.from(targets, (target, i) => `${target} ${anchors[i]}`))
      const had = new Set(before.map(String))
      const has = new Set(after.map(String))
      const expected = [...had.symmetricDifference(has)].map((link) => link.replace(',', ' '))
      expect(found).toEqual(new Set(expected))
    }),
  )
})

test('of a page with thousands of links only the first are looked at', () => {
  const many = Array.from({ length: 10_000 }, (_, i): Link => [i, 0])
  const renamed = many.map(([target]): Link => [target, 1])
  expect(renamedLinks(rowOf([]), rowOf(many)).targets).toHaveLength(SPOKEN_LINKS)
  const { targets } = renamedLinks(rowOf(many), rowOf(renamed))
  expect(Math.max(...targets)).toBe(SPOKEN_LINKS - 1)
})
