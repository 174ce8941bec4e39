import { expect, test } from 'vitest'
import { RatePrior } from './rate-prior.ts'

const [SITE, LISTS, ARTICLES] = [1, 2, 3]
const lists = Uint32Array.of(SITE, LISTS)
const articles = Uint32Array.of(SITE, ARTICLES)

test('before anything is known, all pages promise the same', () => {
  const prior = new RatePrior(0.01)
  expect(prior.perDay(lists)).toBeCloseTo(0.01)
  expect(prior.perDay(articles)).toBeCloseTo(0.01)
})

test('after many first revisits a group promises what it delivered', () => {
  const prior = new RatePrior(0.01)
  for (let page = 0; page < 100; page++) {
    prior.record(lists, 2, 7)
    prior.record(articles, 0, 7)
  }
  expect(prior.perDay(lists)).toBeCloseTo(2 / 7, 2)
  expect(prior.perDay(articles)).toBeLessThan(1e-3)
})

test('a page of a group never seen promises what the wider group does', () => {
  const prior = new RatePrior(0.01)
  for (let page = 0; page < 100; page++) prior.record(lists, 2, 7)
  expect(prior.perDay(articles)).toBeCloseTo(2 / 7, 2)
})

test('silence lowers hope only as far as it has lasted: not once for each group that it is counted in', () => {
  const prior = new RatePrior(0.01)
  for (let page = 0; page < 100; page++) prior.record(articles, 0, 10)
  // Half a new page in a thousand days of silence, and no less than a quarter of that.
  expect(prior.perDay(articles)).toBeLessThan(0.5 / 1000)
  expect(prior.perDay(articles)).toBeGreaterThan(0.5 / 4000)
})

test('a group may promise more than others until it was looked at', () => {
  const prior = new RatePrior(0.01, new Map([[LISTS, 0.3]]))
  expect(prior.perDay(Uint32Array.of(LISTS, SITE))).toBeCloseTo(0.3)
  expect(prior.perDay(lists)).toBeCloseTo(0.01) // its widest group is another
  for (let page = 0; page < 10; page++) prior.record(Uint32Array.of(LISTS, SITE), 0, 7)
  expect(prior.perDay(Uint32Array.of(LISTS, SITE))).toBeLessThan(0.03)
})

test('where more is promised, visits that all groups have seen count once', () => {
  const [MENUS, DEPTH, PATTERN] = [4, 5, 6]
  const prior = new RatePrior(0.01, new Map([[MENUS, 0.25]]))
  const menu = Uint32Array.of(MENUS, SITE, DEPTH, PATTERN)
  prior.record(menu, 0, 7)
  prior.record(menu, 0, 7)
  expect(prior.perDay(menu)).toBeCloseTo(2 / (14 + 2 / 0.25))
  // One of another pattern takes all of it from the groups it shares; what it has of its own counts too.
  const other = Uint32Array.of(MENUS, SITE, DEPTH, 7)
  expect(prior.perDay(other)).toBeCloseTo(2 / (14 + 2 / 0.25))
  prior.record(other, 3, 7)
  expect(prior.perDay(other)).toBeGreaterThan(1.5 * prior.perDay(menu))
})

test('the larger the batches new pages come in, the less silence says', () => {
  const MENUS = 4
  const groups = Uint32Array.of(MENUS)
  const rateOf = (batch: number) => {
    const prior = new RatePrior(0.01, new Map([[MENUS, 0.5]]))
    prior.record(groups, batch, 7 * batch) // one page a week, in batches
    for (let visit = 0; visit < 20; visit++) prior.record(groups, 0, 7)
    return prior.perDay(groups) * (140 + 7 * batch) - batch // what is expected beyond what came
  }
  expect(rateOf(10)).toBeGreaterThan(3 * rateOf(1))
})

test('the more one menu showed, the more is hoped of the others of its site', () => {
  const [MENUS, AS_DEEP, OTHER_SITE] = [4, 5, 6]
  const hopeAfter = (shown: number) => {
    const prior = new RatePrior(0.01, new Map([[MENUS, 0.1]]))
    for (let site = 0; site < 10; site++)
      prior.record(Uint32Array.of(MENUS, AS_DEEP, OTHER_SITE + site), 1, 10)
    prior.record(Uint32Array.of(MENUS, 99, SITE), shown, 7) // not as deep, but of the same site
    return prior.perDay(Uint32Array.of(MENUS, AS_DEEP, SITE))
  }
  const hopes = [0, 1, 5, 9, 85].map(hopeAfter)
  expect(hopes).toEqual(hopes.toSorted((a, b) => a - b))
  expect(hopes[4]).toBeGreaterThan(2 * hopes[0])
})
