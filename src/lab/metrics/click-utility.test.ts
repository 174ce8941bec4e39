import fc from 'fast-check'
import { expect, test } from 'vitest'
import { prepareClicks } from './click-utility.ts'

test('clicks on a URL that nobody knows are in the total, and no set of pages gets them', () => {
  const clicks = [
    { url: 'known', clicks: 2 },
    { url: 'unknown', clicks: 5 },
  ]
  const clicked = prepareClicks(clicks, (url) => (url === 'known' ? 0 : undefined))
  expect(clicked.total).toBe(7)
  expect(clicked.utilityOf(() => true)).toBe(2)
})

test('only clicks on pages held count', () => {
  const page = fc.record({ url: fc.string({ maxLength: 1 }), clicks: fc.nat(1000) })
  fc.assert(
    fc.property(fc.array(page), fc.func(fc.boolean()), (clicks, isHeld) => {
      const urls = [...new Set(clicks.map(({ url }) => url))].reverse()
      const clicked = prepareClicks(clicks, (url) => urls.indexOf(url))
      const held = clicks.filter(({ url }) => isHeld(url))
      expect(clicked.utilityOf((url) => isHeld(urls[url]))).toBe(
        held.reduce((sum, { clicks }) => sum + clicks, 0),
      )
    }),
  )
})
