import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seededRandom } from '#numeric/random.ts'
import { GAIN_FORECASTS, GainHistory } from './gain-history.ts'

const sum = (values: ArrayLike<number>) => Array.from(values).reduce((a, b) => a + b, 0)

const fetches = fc.array(
  fc.record({
    url: fc.nat(5),
    days: fc.constantFrom(7, 14, 70),
    changed: fc.boolean(),
    gain: fc.double({ min: 0, max: 3, noNaN: true }),
  }),
  { maxLength: 40 },
)
const viewsOf = (url: number) => url + 1
const classOf = (url: number) => url % 2

test('gains, paces and what a view is worth are means over pages, not over fetches', () => {
  fc.assert(
    fc.property(fetches, (list) => {
      const history = new GainHistory()
      const measured = list.map((one) => ({ ...one, gain: one.changed ? one.gain : 0 }))
      for (const { url, ...one } of measured)
        history.observe(url, { ...one, views: viewsOf(url), classNumber: classOf(url) })
      const byUrl = [...Map.groupBy(measured, ({ url }) => url)]
      const changed = byUrl.flatMap(([url, own]) => {
        const gains = own.filter((one) => one.changed).map(({ gain }) => gain)
        return gains.length > 0 ? { url, mean: sum(gains) / gains.length } : []
      })
      for (const [url, own] of byUrl) {
        const pace = sum(own.map(({ gain, days }) => gain / days)) / own.length
        expect(history.paceOf(url)).toBeCloseTo(pace, 9)
        const gains = own.filter((one) => one.changed).map(({ gain }) => gain)
        expect(history.gainsOf(url).changes).toBe(gains.length)
        expect(history.gainsOf(url).gain).toBeCloseTo(sum(gains), 9)
      }
      fc.pre(sum(changed.map(({ mean }) => mean)) > 1e-3)
      const views = sum(changed.map(({ url }) => viewsOf(url)))
      expect(history.gainPerView).toBeCloseTo(sum(changed.map(({ mean }) => mean)) / views, 9)
    }),
  )
})

test('before anything was measured views are all there is', () => {
  const history = new GainHistory()
  expect(history.expectedGain(3, 0, 0.25, history.beliefs())).toBe(0.25)
  expect(history.paceOf(3)).toBe(0)
})

test('a page that nobody saw and that rose to the top promises of others no more than there is to lose', () => {
  const history = new GainHistory()
  history.observe(0, { days: 7, changed: true, gain: 0.16, views: 0.001, classNumber: 0 })
  const expected = (url: number, scorePerView?: number) =>
    history.expectedGain(url, 0, 0.05, history.beliefs(), scorePerView)
  expect(expected(1)).toBeCloseTo(0.05 * 160, 9)
  expect(expected(1, 3)).toBeCloseTo(0.05 * 3, 9)
  expect(expected(1, 1000)).toBe(expected(1))
  expect(expected(0, 0)).toBeGreaterThan(0) // what the page itself gained is no guess
})

/** Pages that change every week; `gainOf` says what a change gains. */
function learnt(gainOf: (url: number, random: () => number) => number): GainHistory {
  const random = seededRandom(5)
  const history = new GainHistory()
  for (let week = 0; week < 30; week++)
    for (let url = 0; url < 20; url++)
      history.observe(url, {
        days: 7,
        changed: true,
        gain: gainOf(url, () => random.next()),
        views: 1 + (url % 4),
        classNumber: url < 10 ? 0 : 1,
      })
  return history
}

const beliefIn = (history: GainHistory, test: (i: number) => boolean) =>
  sum(history.beliefs().filter((_, i) => test(i)))

test('where pages keep gaining what they gained, their past is believed', () => {
  const history = learnt((url) => (url % 5 === 0 ? 4 : 0.1))
  expect(beliefIn(history, (i) => GAIN_FORECASTS[i].viewWeight <= 8)).toBeGreaterThan(0.95)
  expect(history.expectedGain(5, 0, 2, history.beliefs())).toBeGreaterThan(2.5)
  expect(history.expectedGain(6, 0, 3, history.beliefs())).toBeLessThan(0.6)
})

test('where gains come by chance, in proportion to views, the past of a page is hardly listened to', () => {
  const history = learnt((url, random) => (random() < 0.1 ? 10 * (1 + (url % 4)) : 0))
  expect(beliefIn(history, (i) => GAIN_FORECASTS[i].viewWeight <= 2)).toBeLessThan(0.1)
})

test('a class of pages whose changes nobody sees is told from one whose changes matter', () => {
  const history = learnt((url, random) => (url < 10 && random() < 0.2 ? 5 * (1 + (url % 4)) : 0))
  expect(history.gainPerViewOf(1)).toBeLessThan(history.gainPerViewOf(0) / 2)
  expect(beliefIn(history, (i) => GAIN_FORECASTS[i].byClass)).toBeGreaterThan(0.95)
  expect(history.gainPerViewOf(77)).toBe(history.gainPerView)
})

test('what the links of a page did for others is expected to go on, whoever sees the page itself', () => {
  const history = new GainHistory()
  expect(history.anchorPaceOf(0)).toBe(0)
  const seen = { days: 7, changed: false, gain: 0, views: 0.5, classNumber: 0 }
  for (let visit = 0; visit < 4; visit++) {
    history.observe(0, { ...seen, anchorGain: 3, views: 0 })
    history.observe(1, seen)
  }
  // All pages gained 1.5 in 7 days, which counts as two visits.
  const [hub, leaf, stranger] = [0, 1, 2].map((url) => history.anchorPaceOf(url))
  expect(hub).toBeCloseTo((2 * 1.5 + 4 * 3) / (2 * 7 + 4 * 7), 9)
  expect(leaf).toBeCloseTo((2 * 1.5) / (2 * 7 + 4 * 7), 9)
  expect(stranger).toBeCloseTo(1.5 / 7, 9)
  expect(history.gainsOf(0)).toEqual({ changes: 0, gain: 0 })
  expect(history.paceOf(0)).toBeCloseTo(3 / 7, 9)
})
