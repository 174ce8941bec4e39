import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ChangeHistory } from '#learn/change-history.ts'
import { GainHistory } from '#learn/gain-history.ts'
import { type Facts, someFacts } from '../facts/facts.ts'
import { copyOutlook } from './explain-refresh.ts'
import { qualityRefresh } from './quality.ts'

const DAY = 86_400
const copy = fc.record({
  ageDays: fc.integer({ min: 1, max: 100 }),
  clicks: fc.integer({ min: 0, max: 100 }).map((percent) => percent / 100),
  changes: fc.array(fc.boolean(), { maxLength: 4 }),
  anchorGain: fc.constantFrom(0, 0.3),
  oddsFactor: fc.constantFrom(0.5, 1, 20),
  goneADay: fc.constantFrom(1e-5, 1e-3, 0.1),
})
type Copy = typeof copy extends fc.Arbitrary<infer Value> ? Value : never

function factsOf(copies: readonly Copy[]): Facts {
  const history = new ChangeHistory()
  const gains = new GainHistory()
  for (const [page, { changes, clicks, anchorGain }] of copies.entries())
    for (const changed of changes) {
      history.observe(page, 7, changed)
      gains.observe(page, {
        days: 7,
        changed,
        gain: changed ? 0.1 : 0,
        anchorGain,
        views: clicks,
        classNumber: 0,
      })
    }
  return someFacts({
    pages: Uint32Array.from(copies, (_, page) => page),
    ages: Float64Array.from(copies, ({ ageDays }) => ageDays * DAY),
    views: Float64Array.from(copies, ({ clicks }) => clicks),
    ...{ copies: undefined, scorePerView: undefined },
    inLinks: Uint32Array.from(copies, (_, page) => page),
    ...{ classes: new Uint32Array(copies.length), domains: new Uint32Array(copies.length) },
    changes: history,
    gains,
    claims: { oddsFactors: Float64Array.from(copies, ({ oddsFactor }) => oddsFactor) },
    gone: {
      goneADay: Float64Array.from(copies, ({ goneADay }) => goneADay),
      oddsFactors: Float64Array.from(copies, ({ oddsFactor }) => oddsFactor),
      gainPerView: 0.7,
    },
    fetchesPerDay: 1,
  })
}

test('the grounds multiply to the bid and to what is expected at once', () => {
  fc.assert(
    fc.property(fc.array(copy, { minLength: 1, maxLength: 8 }), (copies) => {
      const facts = factsOf(copies)
      const { gains, expected } = qualityRefresh.bids(facts)
      for (const [page, { ageDays, clicks }] of copies.entries()) {
        const outlook = copyOutlook(facts, page)!
        expect(outlook).toMatchObject({ ageDays, clicks })
        const { gone, gainOfChange, gainOfOthers, staleDays, changedChance } = outlook
        const worth = gainOfChange * staleDays + (gainOfOthers * ageDays) / 2
        expect(worth + gone!.gain * gone!.days).toBeCloseTo(gains[page], 9)
        const atOnce = gainOfChange * changedChance + gainOfOthers + gone!.gain * gone!.chance
        expect(atOnce).toBeCloseTo(expected![page], 9)
        expect(outlook.changedChance).toBeLessThanOrEqual(1)
      }
    }),
  )
})

test('nothing is said of a page that nobody may fetch again', () => {
  expect(copyOutlook(factsOf([]), 3)).toBeUndefined()
})

test('a plan says why a copy is looked at whose page is likely gone, and nothing where it is not', () => {
  const usual: Copy = {
    ...{ ageDays: 30, clicks: 0.5, changes: [], anchorGain: 0, oddsFactor: 1, goneADay: 1e-5 },
  }
  const { why } = qualityRefresh.bids(
    factsOf([usual, { ...usual, oddsFactor: 20, goneADay: 1e-3 }]),
  )
  expect(why(0)).toMatch(/^a change gains \S+, the copy is 30\.0 days old$/)
  expect(why(1)).toMatch(/30\.0 days old, gone with 38 %$/)
})
