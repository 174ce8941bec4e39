import type { AskedQuery } from './acquisition-facts.ts'

/** Queries that pages are sought for, and others that only teach what pages are worth. */
export interface SketchedQueries<Q extends AskedQuery = AskedQuery> {
  readonly sketched: readonly Q[]
  readonly lessons: readonly Q[]
}

/**
 * Gives sketches to the share of the queries that is asked most, and to no more than `most`. What more fetching
 * can do for a query is not told by its scores well enough to add to that.
 */
export function sketchedQueries<Q extends AskedQuery>(
  queries: readonly Q[],
  share: number,
  most = Number.POSITIVE_INFINITY,
): SketchedQueries<Q> {
  const count = Math.min(most, Math.ceil(queries.length * share))
  const best = new Set(queries.toSorted((a, b) => b.weight - a.weight).slice(0, count))
  return {
    sketched: queries.filter((query) => best.has(query)),
    lessons: queries.filter((query) => !best.has(query)),
  }
}
