import type { CycleRecord } from '#crawl/ports.ts'
import type { Frontier } from '#frontier/frontier.ts'
import { costOf } from '#learn/entries/outcome.ts'

/** What was found at the end of a week. */
interface JudgedWeek {
  /** Quality of the answers with words of links as they are, and as they were when their targets were fetched. */
  readonly atOnce: number
  readonly ifLate: number
  readonly held: number
  readonly late: number
}

/** What fetches of one kind gained. */
interface Sums {
  fetches: number
  gain: number
  anchorGain: number
  /** Fetches by which others gained. */
  naming: number
}

/** Counts what the words of links were worth in a crawl. */
export class AnchorTally {
  readonly #firsts: Sums = { fetches: 0, gain: 0, anchorGain: 0, naming: 0 }
  readonly #again: Sums = { fetches: 0, gain: 0, anchorGain: 0, naming: 0 }
  readonly #fetched = new Set<number>()
  readonly #byPage = new Map<string, number>()
  readonly #weeks: JudgedWeek[] = []
  #renamed = 0

  take({ fetches, indexed }: CycleRecord, { urls }: Frontier): void {
    this.#renamed += indexed?.renewed.length ?? 0
    for (const { outcome, realisedGain = 0, anchorGain = 0 } of fetches) {
      if (costOf(outcome) === 0) continue
      const sums = this.#fetched.has(outcome.id) ? this.#again : this.#firsts
      this.#fetched.add(outcome.id)
      sums.fetches++
      sums.gain += realisedGain
      sums.anchorGain += anchorGain
      if (anchorGain > 0) sums.naming++
      const url = urls.urlOf(outcome.id)
      if (sums === this.#again) this.#byPage.set(url, (this.#byPage.get(url) ?? 0) + anchorGain)
    }
  }

  judged(week: JudgedWeek): void {
    this.#weeks.push(week)
  }

  found() {
    const mean = (value: (week: JudgedWeek) => number) =>
      this.#weeks.reduce((sum, week) => sum + value(week), 0) / this.#weeks.length
    const best = [...this.#byPage].sort(([, a], [, b]) => b - a)
    return {
      ...{ firsts: withShare(this.#firsts), again: withShare(this.#again) },
      renamedPerFetch: this.#renamed / (this.#firsts.fetches + this.#again.fetches),
      shortfall: 1 - mean(({ atOnce }) => atOnce),
      shortfallIfLate: 1 - mean(({ ifLate }) => ifLate),
      lateShare: mean(({ late, held }) => late / held),
      qualities: this.#weeks.map(({ atOnce, ifLate }) => [atOnce, ifLate]),
      best: best.slice(0, 3).map(([url, gain]) => ({ url, gain })),
    }
  }
}

function withShare(sums: Sums) {
  return {
    ...sums,
    anchorShare: sums.anchorGain / sums.gain,
    namingShare: sums.naming / sums.fetches,
  }
}
