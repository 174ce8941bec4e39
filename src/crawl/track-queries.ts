import type { Result } from '#search/best-results.ts'
import { defaultScoring } from '#search/default-search.ts'
import type { TextIndex } from '#search/text-index.ts'
import { progressOf, type QueryProgress, TOP_RESULTS } from '#workload/improvability.ts'
import type { Query } from '#workload/workload.ts'

/** So many of the weightiest queries are asked after every cycle: a fifth of a millisecond each. */
const MOST_TRACKED = 300

/** What a cycle did for one query, by its text. */
export type TrackedProgress = QueryProgress & { readonly query: string }

/** Asks the weightiest queries after every cycle, to learn which ones fetching can improve. */
export class QueryTracker {
  readonly #texts: readonly string[]
  #before: Result[][]

  constructor(queries: readonly Query[], index: TextIndex) {
    const byWeight = [...queries].sort((a, b) => b.weight - a.weight)
    this.#texts = byWeight.slice(0, MOST_TRACKED).map(({ text }) => text)
    this.#before = this.#ask(index)
  }

  /** What changed since it was last asked. */
  progress(index: TextIndex): TrackedProgress[] {
    const after = this.#ask(index)
    const progress = this.#texts.map((query, i) => ({
      query,
      ...progressOf(this.#before[i], after[i]),
    }))
    this.#before = after
    return progress
  }

  #ask(index: TextIndex): Result[][] {
    return this.#texts.map((text) => index.search(index.prepare(text, defaultScoring), TOP_RESULTS))
  }
}
