import { rankCorrelation } from '#numeric/learning/rank-correlation.ts'
import { exactGains, gainRates, termGains } from '../../refresh/period-gains.ts'
import type { RefreshLab, RefreshScoring } from '../../refresh/refresh-lab.ts'

/** How gains are measured: whole queries and exactly, or single terms by curves of three pieces, as the paper did. */
export const GAIN_MEASURES = ['exact', 'terms'] as const
type GainMeasure = (typeof GAIN_MEASURES)[number]

/** How well what refreshing a page gained in the first half of the time foretells what it gains in the second. */
export type ForecastRow = ReturnType<typeof forecast>['row']

/** A page's gain a week in either half; pages without any are left out. */
export type ForecastPoint = readonly [first: number, second: number]

const FEWEST = 5

/**
 * Compares what each page gains a week in the first and in the second half of the weeks.
 *
 * @paper PandeyOlston2005 §6.2 Fig. 3 — beside the paper's single terms also exact gains of whole queries.
 */
export function forecast(lab: RefreshLab, scoring: RefreshScoring, measure: GainMeasure) {
  const last = lab.pages.weeks - 1
  const half = Math.floor(last / 2)
  const gainsOf = (from: number, to: number) => {
    const period = { from, to }
    const gains = measure === 'exact' ? exactGains(lab, period) : termGains(lab, scoring, period)
    return gainRates(lab.pages.archivePages.length, period, gains)
  }
  const first = gainsOf(0, half)
  const second = gainsOf(half, last)
  const points = Array.from(first, (gain, page): ForecastPoint => [gain, second[page]])
  const gaining = points.filter(([a, b]) => a > 0 || b > 0)
  const inBoth = points.filter(([a, b]) => a > 0 && b > 0)
  return {
    row: {
      scoring,
      measure,
      pages: points.length,
      // Pages that gained in both halves, in one of them, and in neither.
      both: inBoth.length,
      firstOnly: points.filter(([a, b]) => a > 0 && b <= 0).length,
      secondOnly: points.filter(([a, b]) => a <= 0 && b > 0).length,
      neither: points.length - gaining.length,
      // Null where there are too few.
      correlationOfBoth: correlationOf(inBoth),
      correlationOfAny: correlationOf(gaining),
      // Of the second half's gain: of the tenth of the pages that gained most in the first, and of the best to know.
      topTenthShare: shareOfTopTenth(points, ([a]) => a),
      bestTenthShare: shareOfTopTenth(points, ([, b]) => b),
    },
    points: gaining,
  }
}

function correlationOf(points: readonly ForecastPoint[]): number | null {
  if (points.length < FEWEST) return null
  return rankCorrelation(
    points.map(([a]) => a),
    points.map(([, b]) => b),
  )
}

function shareOfTopTenth(
  points: readonly ForecastPoint[],
  key: (point: ForecastPoint) => number,
): number | null {
  const total = points.reduce((sum, [, b]) => sum + b, 0)
  if (!(total > 0)) return null
  const top = points.toSorted((a, b) => key(b) - key(a)).slice(0, Math.ceil(points.length / 10))
  return top.reduce((sum, [, b]) => sum + b, 0) / total
}
