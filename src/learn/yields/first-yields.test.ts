import { expect, test } from 'vitest'
import { FirstYields } from './first-yields.ts'

test('nothing is expected before anything was fetched', () => {
  expect(new FirstYields().of(0, 7)).toBe(0)
})

test('a class is expected to lead to what it led to, one not met yet to what all did', () => {
  const yields = new FirstYields()
  for (let fetch = 0; fetch < 40; fetch++) {
    yields.observe(1, 1, 10)
    yields.observe(2, 2, 0)
  }
  expect(yields.of(1, 1)).toBeGreaterThan(9)
  expect(yields.of(2, 2)).toBeLessThan(1)
  expect(yields.of(3, 3)).toBeCloseTo(yields.ofAll)
  expect(yields.ofAll).toBeCloseTo(5, 0)
})

test('as a site becomes known, less is expected soon', () => {
  const yields = new FirstYields()
  for (let fetch = 0; fetch < 100; fetch++) yields.observe(1, 1, 20)
  for (let fetch = 0; fetch < 60; fetch++) yields.observe(1, 1, 0)
  expect(yields.of(1, 1)).toBeLessThan(1)
})

test('a class not met yet leads to what others of its host do', () => {
  const yields = new FirstYields()
  for (let fetch = 0; fetch < 40; fetch++) {
    yields.observe(1, fetch, 0)
    yields.observe(2, 100 + fetch, 10)
  }
  expect(yields.of(1, 77)).toBeLessThan(2)
  expect(yields.of(2, 77)).toBeGreaterThan(8)
})

test('an unread sitemap is expected to list what such files did elsewhere, and its own site counts most', () => {
  const yields = new FirstYields()
  const [here, elsewhere] = [0, 99]
  expect(yields.ofList('robots.txt', here)).toBe(100) // sitemaps bring many
  expect(yields.ofList('pages', here)).toBe(5)
  for (let site = 1; site <= 20; site++) {
    yields.observeList('robots.txt', site, 1000)
    yields.observeList('usual place', site, 0)
    for (let page = 0; page < 10; page++) yields.observe(site, site, 1)
  }
  expect(yields.ofList('robots.txt', elsewhere)).toBeGreaterThan(900)
  expect(yields.ofList('usual place', elsewhere)).toBeLessThan(2)
  expect(yields.of(99, 99)).toBeCloseTo(1)
  for (let file = 0; file < 4; file++) yields.observeList('robots.txt', here, 2)
  expect(yields.ofList('robots.txt', here)).toBeLessThan(200)
  expect(yields.ofList('robots.txt', elsewhere)).toBeGreaterThan(800)
})
