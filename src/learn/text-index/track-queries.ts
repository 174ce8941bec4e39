import { defaultScoring } from '#search/full-text/default-search.ts'
import type { TextIndex } from '#search/full-text/text-index.ts'
import { TopAnswers } from '#search/gain/top-answers.ts'
import { wholeQueries } from '#search/gain/yardstick.ts'
import { progressOf } from '#workload/improvability.ts'
import type { Query } from '#workload/workload.ts'
import type { TrackedProgress } from '../entries/entry.ts'
import { GainMeter } from './gain-meter.ts'

/** So many of the weightiest queries are asked after every cycle. */
const MOST_TRACKED = 300

/** Asks the weightiest queries after every cycle, to learn which ones fetching can improve. */
export class QueryTracker {
  /** How the queries are answered since they were last asked; heaviest first. */
  readonly answers: TopAnswers
  /** Measures what fetches are worth to them. */
  readonly meter: GainMeter

  constructor(queries: readonly Query[], index: TextIndex) {
    const byWeight = [...queries].sort((a, b) => b.weight - a.weight).slice(0, MOST_TRACKED)
    this.answers = new TopAnswers(byWeight, defaultScoring)
    this.answers.refresh(index)
    this.meter = new GainMeter(index, wholeQueries(index, byWeight, defaultScoring))
  }

  /** What changed since it was last asked. */
  progress(index: TextIndex): TrackedProgress[] {
    const { queries } = this.answers
    const before = queries.map((_, query) => this.answers.topOf(query))
    this.answers.refresh(index)
    return queries.map(({ text }, query) => ({
      query: text,
      ...progressOf(before[query], this.answers.topOf(query)),
    }))
  }
}
