import { RankCurve } from '#search/gain/rank-curve.ts'
import { tfIdfScoring, tfIdfWeights } from './answer-scores.ts'
import { HeldAnswers } from './held-answers.ts'
import type { RefreshLab, RefreshScoring } from './refresh-lab.ts'
import type { Period } from './simulate.ts'

/** By page: what refreshing it every week of a period gains a week, on average, measured exactly. */
export function exactGains({ pages, answers }: RefreshLab, { from, to }: Period): Float64Array {
  const held = HeldAnswers.at(pages, answers, from)
  const gains = new Float64Array(pages.archivePages.length)
  for (let week = from + 1; week <= to; week++) {
    const changed = pages.changedPages[week]
    for (const page of changed) held.change(page, pages.contents[page * pages.weeks + week])
    for (const page of changed) gains[page] += held.refresh(page)
  }
  return gains.map((gain) => gain / (to - from))
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
): Float64Array {
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
  const gains = new Float64Array(pages.archivePages.length)
  const fill = (target: Float64Array, page: number, content: number, touched: Set<number>) => {
    for (let at = rows.offsets[content]; at < rows.offsets[content + 1]; at++) {
      target[rows.terms[at]] = scoreOf(page, content, rows.terms[at], rows.counts[at])
      touched.add(rows.terms[at])
    }
  }
  for (let week = from + 1; week <= to; week++)
    for (const page of pages.changedPages[week]) {
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
      gains[page] += Math.max(0, gain)
    }
  return gains.map((gain) => gain / (to - from))
}

function forEachPage(
  { pages }: RefreshLab,
  week: number,
  visit: (page: number, content: number) => void,
): void {
  for (let page = 0; page < pages.archivePages.length; page++)
    visit(page, pages.contents[page * pages.weeks + week])
}
