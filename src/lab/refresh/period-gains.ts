import { RankCurve } from '#search/gain/rank-curve.ts'
import { tfIdfScoring, tfIdfWeights } from './answer-scores.ts'
import { HeldAnswers } from './held-answers.ts'
import type { RefreshLab, RefreshScoring } from './refresh-lab.ts'
import type { Period } from './simulate.ts'

/** Is told what each refresh of a page gained, in the order of weeks. Every change of a page triggers one. */
type GainVisitor = (page: number, week: number, gain: number) => void
/** What is told of a period. */
type PeriodGains = (visit: GainVisitor) => void

/**
 * δQ, by page: the mean over its refreshes of what each gained by the weeks since the one before. A page that never
 * changed has 0.
 *
 * @paper PandeyOlston2005 §6.1.3 — the copies are current when the period begins, as after a refresh.
 */
export function gainRates(pages: number, { from }: Period, gains: PeriodGains): Float64Array {
  const sums = new Float64Array(pages)
  const refreshes = new Uint32Array(pages)
  const lastRefresh = new Uint32Array(pages).fill(from)
  gains((page, week, gain) => {
    sums[page] += gain / (week - lastRefresh[page])
    refreshes[page]++
    lastRefresh[page] = week
  })
  return sums.map((sum, page) => sum / Math.max(1, refreshes[page]))
}

/** Another reading of δQ: were every page refreshed every week, the mean over all weeks of what that gains. */
export function weeklyGains(pages: number, { from, to }: Period, gains: PeriodGains): Float64Array {
  const sums = new Float64Array(pages)
  gains((page, _week, gain) => {
    sums[page] += gain
  })
  return sums.map((sum) => sum / (to - from))
}

/** What refreshes gain, measured exactly. */
export function exactGains({ pages, answers }: RefreshLab, { from, to }: Period): PeriodGains {
  return (visit) => {
    const held = HeldAnswers.at(pages, answers, from)
    for (let week = from + 1; week <= to; week++) {
      const changed = pages.changedPages[week]
      for (const page of changed) held.change(page, pages.contents[page * pages.weeks + week])
      for (const page of changed) visit(page, week, held.refresh(page))
    }
  }
}

/**
 * The same as the paper estimates it: queries are split into single terms, and the scores of the other
 * results are read off curves of three pieces.
 *
 * @paper PandeyOlston2005 §5.1 — curves as at the beginning of the period, with `RankCurve`'s corrections.
 */
export function termGains(
  lab: RefreshLab,
  scoring: RefreshScoring,
  { from, to }: Period,
): PeriodGains {
  const { pages, rows, queries, pagesWith, inLinks } = lab
  const { part } = tfIdfScoring(tfIdfWeights(pagesWith, pages.archivePages.length))
  const scoreOf = (page: number, content: number, term: number, count: number): number =>
    scoring === 'tfidf' ? part!(term, count, rows.lengths[content]) : inLinks[page]
  const shares = new Float64Array(queries.termCount)
  queries.terms.forEach((terms, query) => {
    for (const term of terms) shares[term] += queries.shares[query]
  })
  const scores: number[][] = Array.from({ length: queries.termCount }, () => [])
  forEachPage(lab, from, (page, content) => {
    for (let at = rows.offsets[content]; at < rows.offsets[content + 1]; at++) {
      const score = scoreOf(page, content, rows.terms[at], rows.counts[at])
      if (score > 0) scores[rows.terms[at]].push(score)
    }
  })
  const curves = scores.map((list) => new RankCurve(Float64Array.from(list).sort().reverse()))
  const before = new Float64Array(queries.termCount)
  const after = new Float64Array(queries.termCount)
  const fill = (target: Float64Array, page: number, content: number, touched: Set<number>) => {
    for (let at = rows.offsets[content]; at < rows.offsets[content + 1]; at++) {
      target[rows.terms[at]] = scoreOf(page, content, rows.terms[at], rows.counts[at])
      touched.add(rows.terms[at])
    }
  }
  const gainOf = (page: number, week: number): number => {
    const touched = new Set<number>()
    fill(before, page, pages.contents[page * pages.weeks + week - 1], touched)
    fill(after, page, pages.contents[page * pages.weeks + week], touched)
    let gain = 0
    for (const term of touched) {
      if (before[term] !== after[term])
        gain += shares[term] * curves[term].gainOfResult(before[term], after[term])
      before[term] = 0
      after[term] = 0
    }
    return Math.max(0, gain)
  }
  return (visit) => {
    for (let week = from + 1; week <= to; week++)
      for (const page of pages.changedPages[week]) visit(page, week, gainOf(page, week))
  }
}

function forEachPage(
  { pages }: RefreshLab,
  week: number,
  visit: (page: number, content: number) => void,
): void {
  for (let page = 0; page < pages.archivePages.length; page++)
    visit(page, pages.contents[page * pages.weeks + week])
}
