import { defaultScoring } from '#search/full-text/default-search.ts'
import type { TextIndex } from '#search/full-text/text-index.ts'
import { QuerySketches } from '#search/gain/query-sketches.ts'
import { powerVisibility } from '#search/gain/visibility.ts'
import { wholeQueries } from '#search/gain/yardstick.ts'
import { progressOf } from '#workload/improvability.ts'
import type { Query } from '#workload/workload.ts'
import type { TrackedProgress } from '../entries/entry.ts'
import { GainMeter } from './gain-meter.ts'

/** So many of the weightiest queries are asked after every cycle: about a millisecond each. */
const MOST_TRACKED = 300

/** Asks the weightiest queries after every cycle, to learn which ones fetching can improve. */
export class QueryTracker {
  /** How the queries are answered since they were last asked; heaviest first. */
  readonly sketches: QuerySketches
  /** Measures what fetches are worth to them. */
  readonly meter: GainMeter

  constructor(queries: readonly Query[], index: TextIndex) {
    const byWeight = [...queries].sort((a, b) => b.weight - a.weight).slice(0, MOST_TRACKED)
    this.sketches = new QuerySketches(byWeight, {
      scoring: defaultScoring,
      visibility: powerVisibility,
    })
    this.sketches.refresh(index)
    this.meter = new GainMeter(index, wholeQueries(index, this.sketches))
  }

  /** What changed since it was last asked. */
  progress(index: TextIndex): TrackedProgress[] {
    const { queries } = this.sketches
    const before = queries.map((_, query) => this.sketches.topOf(query))
    this.sketches.refresh(index)
    return queries.map(({ text }, query) => ({
      query: text,
      ...progressOf(before[query], this.sketches.topOf(query)),
    }))
  }
}
