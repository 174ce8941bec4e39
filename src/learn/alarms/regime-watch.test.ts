import { expect, test } from 'vitest'
import { factorsOf, RegimeWatch } from './regime-watch.ts'

const fine = { isGone: false, expectedLinks: 0.1, links: 0 }

test('when a section vanishes, its other copies are doubted until they are looked at', () => {
  const watch = new RegimeWatch()
  for (let at = 0; at < 200; at++) watch.observe({ ...fine, classNumber: at % 10, at })
  for (let at = 200; at < 204; at++) watch.observe({ ...fine, classNumber: 3, isGone: true, at })
  const oddsFactor = factorsOf(watch.alarms().vanishing)
  expect(oddsFactor(3, 150)).toBeGreaterThan(10)
  expect(oddsFactor(3, 203)).toBe(1)
  expect(oddsFactor(4, 150)).toBe(1)
  expect(watch.alarms().vanishing).toHaveLength(1)
})

test('where links come in a burst, other pages of the class are expected to have some', () => {
  const watch = new RegimeWatch()
  for (let at = 0; at < 3; at++) watch.observe({ ...fine, classNumber: 2, links: 4, at: 10 + at })
  const linksFactor = factorsOf(watch.alarms().bursts)
  expect(linksFactor(2, 5)).toBeGreaterThan(5)
  expect(linksFactor(2, 11)).toBe(1)
  expect(watch.alarms().vanishing).toHaveLength(0)
})
