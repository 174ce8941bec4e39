import { expect, test } from 'vitest'
import { FirstYields } from './first-yields.ts'

test('nothing is expected before anything was fetched', () => {
  expect(new FirstYields().of(7)).toBe(0)
})

test('a class is expected to lead to what it led to, one not met yet to what all did', () => {
  const yields = new FirstYields()
  for (let fetch = 0; fetch < 40; fetch++) {
    yields.observe(1, 10)
    yields.observe(2, 0)
  }
  expect(yields.of(1)).toBeGreaterThan(9)
  expect(yields.of(2)).toBeLessThan(1)
  expect(yields.of(3)).toBeCloseTo(yields.ofAll)
  expect(yields.ofAll).toBeCloseTo(5)
})

test('as a site becomes known, less is expected', () => {
  const yields = new FirstYields()
  for (let fetch = 0; fetch < 100; fetch++) yields.observe(1, 20)
  for (let fetch = 0; fetch < 300; fetch++) yields.observe(1, 0)
  expect(yields.of(1)).toBeLessThan(1)
})

test('a URL that a site announces is judged by others that were announced, until its class is known', () => {
  const yields = new FirstYields()
  for (let site = 0; site < 20; site++) {
    yields.observe(2 * site, 100, 'announced')
    for (let page = 0; page < 10; page++) yields.observe(2 * site + 1, 1)
  }
  expect(yields.of(99, 'announced')).toBeGreaterThan(80)
  expect(yields.of(99, 'linked')).toBeLessThan(2)
  for (let fetch = 0; fetch < 40; fetch++) yields.observe(99, 0, 'announced')
  expect(yields.of(99, 'announced')).toBeLessThan(10)
})
