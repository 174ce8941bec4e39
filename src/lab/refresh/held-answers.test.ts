import fc from 'fast-check'
import { expect, test } from 'vitest'
import { GainCurve } from '#search/gain/gain-curve.test-kit.ts'
import { powerVisibility } from '#search/gain/visibility.ts'
import { repositoryQuality, type ScoredQuery } from '../metrics/repository-quality.test-kit.ts'
import type { AnswerScores } from './answer-scores.ts'
import { HeldAnswers } from './held-answers.ts'
import type { WeeklyPages } from './weekly-pages.ts'

/** A little web: scores by page, by content of the page, by query; 0 is no answer. Few scores, so many ties. */
const webs = fc.array(
  fc.array(fc.array(fc.nat(4), { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
  { minLength: 1, maxLength: 6 },
)
type Web = readonly (readonly (readonly number[])[])[]
const SHARES = [0.5, 0.3, 0.2]

/** All pages have their first content in the only week. */
function asArrays(web: Web): { pages: WeeklyPages; answers: AnswerScores } {
  const slots = SHARES.flatMap((_, query) =>
    web.flatMap((contents, page) =>
      contents.some((scores) => scores[query] > 0) ? { query, page } : [],
    ),
  )
  const rows = web.flatMap((contents, page) =>
    contents.map((scores) =>
      slots.flatMap((slot, i) =>
        slot.page === page && scores[slot.query] > 0 ? [[i, scores[slot.query]]] : [],
      ),
    ),
  )
  const starts = <T>(lists: readonly (readonly T[])[]) =>
    Uint32Array.from([0, ...lists.map((_, i) => lists.slice(0, i + 1).flat(1).length)])
  const slotOffsets = [0, 1, 2, 3].map((query) => slots.filter((slot) => slot.query < query).length)
  return {
    pages: {
      weeks: 1,
      archivePages: Uint32Array.from(web.keys()),
      contents: Uint32Array.from(web, (_, page) => web.slice(0, page).flat().length),
      versions: Uint32Array.from(rows.keys()),
      changedPages: [new Uint32Array()],
      days: Float64Array.of(0),
    },
    answers: {
      shares: Float64Array.from(SHARES),
      slotOffsets: Uint32Array.from(slotOffsets),
      slotPages: Uint32Array.from(slots, ({ page }) => page),
      slotQueries: Uint32Array.from(slots, ({ query }) => query),
      offsets: starts(rows),
      slots: Uint32Array.from(rows.flat(), ([slot]) => slot),
      scores: Float64Array.from(rows.flat(), ([, score]) => score),
    },
  }
}

/** The naive twin: which content of each page is stored, which is live. */
class Naive {
  readonly stored: number[]
  readonly live: number[]
  readonly web: Web
  constructor(web: Web) {
    this.web = web
    this.stored = web.map(() => 0)
    this.live = web.map(() => 0)
  }
  queries(): ScoredQuery[] {
    return SHARES.map((weight, query) => ({
      weight,
      pages: [...this.web.keys()],
      storedScores: this.web.map((contents, page) => contents[this.stored[page]][query]),
      liveScores: this.web.map((contents, page) => contents[this.live[page]][query]),
    }))
  }
  earned(): number {
    return repositoryQuality(this.queries()).earned.reduce((a, b) => a + b, 0)
  }
  clicks(): number[] {
    return this.web.map((_, page) =>
      this.queries().reduce((sum, { weight, storedScores }) => {
        if (storedScores[page] === 0) return sum
        const ahead = [...this.web.keys()].filter(
          (other) =>
            storedScores[other] > storedScores[page] ||
            (storedScores[other] === storedScores[page] && other < page),
        )
        return sum + weight * powerVisibility(ahead.length + 1)
      }, 0),
    )
  }
  /** By the gain curve of the other copies. */
  measuredGain(page: number): number {
    return this.queries().reduce((sum, { weight, storedScores }, query) => {
      const others = Array.from(storedScores).filter((_, other) => other !== page)
      const curve = GainCurve.from(
        others.sort((a, b) => b - a),
        powerVisibility,
      )
      const now = this.web[page][this.live[page]][query]
      return sum + weight * curve.gain(storedScores[page], now)
    }, 0)
  }
}

const events = fc.array(fc.record({ page: fc.nat(), content: fc.nat(), isRefresh: fc.boolean() }), {
  maxLength: 30,
})

test('kept event by event, the quality earned is that of the whole repository', () => {
  fc.assert(
    fc.property(webs, events, (web, list) => {
      const { pages, answers } = asArrays(web)
      const held = HeldAnswers.at(pages, answers, 0)
      const naive = new Naive(web)
      for (const event of list) {
        const page = event.page % web.length
        if (event.isRefresh) {
          const before = naive.earned()
          const trueGain = held.trueGain(page)
          naive.stored[page] = naive.live[page]
          held.refresh(page)
          expect(trueGain).toBeCloseTo(naive.earned() - before, 9)
        } else {
          naive.live[page] = event.content % web[page].length
          held.change(page, pages.contents[page] + naive.live[page])
        }
        expect(held.isStale(page)).toBe(naive.live[page] !== naive.stored[page])
        expect(held.earned).toBeCloseTo(naive.earned(), 9)
        naive.clicks().forEach((clicks, i) => {
          expect(held.clicks[i]).toBeCloseTo(clicks, 9)
        })
      }
    }),
  )
})

test('what a refresh gains by its own measure is what the gain curve says, ties between copies apart', () => {
  // Where two copies tie, the curve puts the page last and the list puts it by number.
  const scores = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), {
    minLength: 3,
    maxLength: 3,
  })
  const pages = fc.array(fc.array(scores, { minLength: 2, maxLength: 2 }), {
    minLength: 1,
    maxLength: 5,
  })
  fc.assert(
    fc.property(pages, fc.nat(), (web, lot) => {
      for (let query = 0; query < SHARES.length; query++) {
        const all = web
          .flat()
          .map((row) => row[query])
          .filter((score) => score > 0)
        fc.pre(new Set(all).size === all.length)
      }
      const { pages, answers } = asArrays(web)
      const held = HeldAnswers.at(pages, answers, 0)
      const naive = new Naive(web)
      const page = lot % web.length
      naive.live[page] = 1
      held.change(page, pages.contents[page] + 1)
      expect(held.refresh(page)).toBeCloseTo(naive.measuredGain(page), 9)
    }),
  )
})

test('where pages come and go, quality is judged by other searchers than those who click', () => {
  const judging = [0.1, 0, 0.9]
  fc.assert(
    fc.property(webs, events, (someWeb, list) => {
      // Every page may also be nothing: a content without a score, which all of them share.
      const web = [[[0, 0, 0]], ...someWeb.map((contents) => [[0, 0, 0], ...contents])]
      const { pages, answers } = asArrays(web)
      const numberOf = (page: number, content: number) =>
        content === 0 ? 0 : pages.contents[page] + content
      const nothing = { ...pages, contents: new Uint32Array(web.length) }
      const held = HeldAnswers.at(nothing, answers, 0, {
        isHeld: () => false,
        judging: Float64Array.from(judging),
      })
      const naive = new Naive(web)
      const judged = () =>
        repositoryQuality(
          naive.queries().map((query, i) => ({ ...query, weight: judging[i] })),
        ).earned.reduce((a, b) => a + b, 0)
      for (const event of list) {
        const page = event.page % web.length
        if (event.isRefresh) {
          const before = judged()
          const trueGain = held.trueGain(page)
          const measuredGain = held.measuredGain(page)
          naive.stored[page] = naive.live[page]
          expect(held.refresh(page)).toBeCloseTo(measuredGain, 9)
          expect(trueGain).toBeCloseTo(judged() - before, 9)
        } else {
          naive.live[page] = event.content % web[page].length
          held.change(page, numberOf(page, naive.live[page]))
        }
        expect(held.isHeld(page)).toBe(naive.stored[page] > 0)
        expect(held.earned).toBeCloseTo(judged(), 9)
        naive.clicks().forEach((clicks, i) => {
          expect(held.clicks[i]).toBeCloseTo(clicks, 9)
        })
      }
    }),
  )
})
