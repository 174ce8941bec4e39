import fc from 'fast-check'
import { expect, test } from 'vitest'
import { syntheticWorkload } from './synthetic.ts'

const site = (titles: Record<string, number>) =>
  Object.entries(titles).map(([title, inLinks]) => ({ title, inLinks }))

test('queries come from titles and anchors, weighted by links, and say that nobody asked them', () => {
  const queries = syntheticWorkload(site({ 'Red Shoes': 4, Boots: 0 }), [
    { text: 'red shoes', links: 3, pages: 1 },
    { text: 'winter boots', links: 2, pages: 1 },
  ])
  expect(queries.map(({ text, weight }) => [text, weight])).toEqual([
    ['red shoes', 8],
    ['winter boots', 2],
    ['boots', 1],
  ])
  expect(queries.every(({ synthetic, source }) => synthetic && source === 'synthetic')).toBe(true)
})

test('the name of the site and texts that say nothing are no queries', () => {
  const titles = ['Apples', 'Pears', 'Plums', 'Cherries'].map((fruit) => `${fruit} | Fruit Shop`)
  const queries = syntheticWorkload(
    titles.map((title) => ({ title, inLinks: 1 })),
    [
      { text: 'Read more', links: 50, pages: 2 },
      { text: '2', links: 30, pages: 1 },
      { text: 'About us', links: 40, pages: 20 },
      { text: 'mail me@example.org', links: 9, pages: 1 },
    ],
  )
  expect(queries.map(({ text }) => text)).toEqual(['apples', 'cherries', 'pears', 'plums'])
})

test('the order of what is known does not matter', () => {
  const anchor = fc.record({
    text: fc.constantFrom('red shoes', 'boots', 'Boots', 'hats', 'here'),
    links: fc.nat(9),
    pages: fc.nat(4),
  })
  fc.assert(
    fc.property(fc.array(anchor), (anchors) => {
      expect(syntheticWorkload([], anchors.toReversed())).toEqual(syntheticWorkload([], anchors))
    }),
  )
})
