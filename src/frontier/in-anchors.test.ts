import { expect, test } from 'vitest'
import { InAnchors } from './in-anchors.ts'

test('each wording counts once, whoever uses it', () => {
  const anchors = new InAnchors()
  for (const anchor of [5, 8, 5, 9, 8]) anchors.add(3, anchor)
  anchors.add(1, 5)
  expect(anchors.of(3)).toEqual([9, 8, 5])
  expect(anchors.countOf(3)).toBe(3)
  expect(anchors.of(1)).toEqual([5])
  expect(anchors.of(99)).toEqual([])
})

test('a page everybody names differently costs no more than others', () => {
  const anchors = new InAnchors()
  for (let anchor = 0; anchor < 1000; anchor++) anchors.add(0, anchor)
  expect(anchors.countOf(0)).toBe(30)
})
