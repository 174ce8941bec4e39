import { progressOf, type QueryProgress, type TopResult } from './improvability.ts'

/** Improvability is learnt from what so many plans did: earlier ones tell of a crawl that was another. */
const PLANS_REMEMBERED = 10

/** A query with its top results, best first. */
export interface AnsweredText {
  readonly text: string
  readonly top: readonly TopResult[]
}

/** What fetching did for queries from plan to plan, so that improvability can be learnt. */
export class PastProgress {
  readonly #k: number
  #tops = new Map<string, readonly TopResult[]>()
  #plans: (readonly QueryProgress[])[] = []

  /** `earlier` was seen elsewhere, and is never forgotten. */
  constructor(k: number, earlier: readonly QueryProgress[] = []) {
    this.#k = k
    this.#plans.push(earlier)
  }

  /** Takes up how queries are answered at a plan, and tells what the plans before did for them. */
  at(queries: readonly AnsweredText[]): readonly QueryProgress[] {
    const seen = queries.flatMap(({ text, top }) => {
      const before = this.#tops.get(text)
      return before ? [progressOf(before, top, this.#k)] : []
    })
    this.#tops = new Map(queries.map(({ text, top }) => [text, top]))
    const [earlier, ...plans] = this.#plans
    this.#plans = [earlier, ...[...plans, seen].slice(-PLANS_REMEMBERED)]
    return this.#plans.flat()
  }
}
