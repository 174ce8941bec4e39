import fc from 'fast-check'
import { expect, test } from 'vitest'
import { GoneHistory, type LookedAgain } from './gone-history.ts'

const fine: LookedAgain = {
  days: 30,
  classNumber: 0,
  inLinks: 4,
  isGone: false,
  gain: 0,
  views: 0.1,
}
const gone = { ...fine, isGone: true, gain: 0.05 }

test('a class vanishes as fast as its pages did, beginning with what all pages teach', () => {
  const history = new GoneHistory()
  for (let url = 0; url < 100; url++) history.observe(url, { ...fine, classNumber: 1 })
  for (let url = 100; url < 110; url++) history.observe(url, { ...gone, classNumber: 2 })
  expect(history.goneADay(2)).toBeGreaterThan(20 * history.goneADay(1))
  const unseen = history.goneADay(3)
  expect(unseen).toBeGreaterThan(history.goneADay(1))
  expect(unseen).toBeLessThan(history.goneADay(2))
})

test('pages that lost the links to them are doubted, the more the fewer are left', () => {
  const history = new GoneHistory()
  history.noteLinks(7, 10)
  const factors = [12, 10, 9, 5, 1, 0].map((inLinks) => history.oddsFactorOf(7, inLinks))
  expect(factors.slice(0, 2)).toEqual([1, 1])
  expect(factors[2]).toBeGreaterThan(1)
  expect(factors[3]).toBeGreaterThan(factors[2])
  expect(factors[4]).toBe(factors[3])
  expect(factors[5]).toBeGreaterThan(factors[4])
  expect(history.oddsFactorOf(8, 0)).toBe(1)
})

test('where links come and go while pages stay, lost links say less and less', () => {
  const history = new GoneHistory()
  const look = (url: number, isGone: boolean) => {
    history.noteLinks(url, 8)
    history.observe(url, { ...fine, inLinks: 0, isGone })
  }
  history.noteLinks(0, 8)
  const before = history.oddsFactorOf(0, 0)
  for (let url = 0; url < 200; url++) look(url, false)
  history.noteLinks(500, 8)
  const after = history.oddsFactorOf(500, 0)
  expect(after).toBeLessThan(before / 5)
  for (let url = 200; url < 230; url++) look(url, true)
  expect(history.oddsFactorOf(500, 0)).toBeGreaterThan(5 * after)
})

test('what a copy taken away gives back is learnt from those that were', () => {
  const history = new GoneHistory()
  expect(history.gainPerView(2, 0.1)).toBe(2)
  expect(history.gainPerView(2, 0)).toBe(2)
  for (let url = 0; url < 300; url++) history.observe(url, gone)
  expect(history.gainPerView(2, 0.1)).toBeCloseTo(0.5, 1)
  history.observe(400, { ...gone, gain: Number.NaN })
  expect(history.gainPerView(2, 0.1)).toBeCloseTo(0.5, 1)
})

test('whatever is seen, chances are chances and odds are finite', () => {
  const look = fc.record({
    days: fc.constantFrom(0, 1e-3, 1, 400),
    classNumber: fc.nat(2),
    inLinks: fc.nat(3),
    isGone: fc.boolean(),
    gain: fc.constantFrom(Number.NaN, 0, 0.1),
    views: fc.constantFrom(Number.NaN, 0, 0.5),
  })
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(4), look), { maxLength: 60 }), (looks) => {
      const history = new GoneHistory()
      for (const [url, one] of looks) {
        history.observe(url, one)
        history.noteLinks(url, one.inLinks)
      }
      for (const number of [0, 1, 2, 3]) expect(history.goneADay(number)).toBeGreaterThan(0)
      for (const url of [0, 1, 2, 3, 4, 9]) {
        expect(history.oddsFactorOf(url, 0)).toBeGreaterThan(0)
        expect(history.oddsFactorOf(url, 0)).toBeLessThan(1e6)
      }
      expect(history.gainPerView(1, 0.2)).toBeGreaterThanOrEqual(0)
    }),
  )
})
