import type { HeldCopies } from './held-copies.ts'

/** Why a page is not held as it is: nobody knows it, it was never fetched, its copy is old, or the page is gone. */
const CAUSES = ['unknown', 'unfetched', 'stale', 'gone'] as const
type Cause = (typeof CAUSES)[number]

/** What single pages cost searchers, as shares of what all of them do. */
export interface LossShares extends Readonly<Record<Cause, number>> {
  /** Of the page that costs most. */
  readonly worstPage: number
}

/** What each page that is not held as it is costs searchers, week by week: the quality that its fetch would add. */
export class PageLosses {
  readonly #byPage: Float64Array
  readonly #byCause = { unknown: 0, unfetched: 0, stale: 0, gone: 0 }

  constructor(pages: number) {
    this.#byPage = new Float64Array(pages)
  }

  /** Looks at the copies after a week's fetches. */
  look(copies: HeldCopies, isKnown: (page: number) => boolean): void {
    const { answers, truth, week } = copies
    for (let page = 0; page < this.#byPage.length; page++) {
      if (truth.urlOf(page) === undefined || !answers.isStale(page)) continue
      const loss = Math.max(0, answers.trueGain(page))
      if (loss === 0) continue
      this.#byPage[page] += loss
      this.#byCause[causeOf(answers.isHeld(page), truth.isLive(page, week), isKnown(page))] += loss
    }
  }

  /** Undefined where nothing was ever lost. */
  shares(): LossShares | undefined {
    const all = CAUSES.reduce((sum, cause) => sum + this.#byCause[cause], 0)
    if (all === 0) return undefined
    const { unknown, unfetched, stale, gone } = this.#byCause
    const worst = this.#byPage.reduce((most, loss) => Math.max(most, loss), 0)
    return {
      worstPage: worst / all,
      ...{ unknown: unknown / all, unfetched: unfetched / all },
      ...{ stale: stale / all, gone: gone / all },
    }
  }
}

function causeOf(isHeld: boolean, isLive: boolean, isKnown: boolean): Cause {
  if (!isHeld) return isKnown ? 'unfetched' : 'unknown'
  return isLive ? 'stale' : 'gone'
}
