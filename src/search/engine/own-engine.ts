import type { Scoring } from '../full-text/scoring.ts'
import type { TextIndex } from '../full-text/text-index.ts'
import type { SearchEngine } from './search-engine.ts'

/** Our own index as an engine. */
export function ownEngine(index: TextIndex, scoring: Scoring): SearchEngine {
  const times = new Map<number, number>()
  const isLate = (id: number, at: number) => {
    if (at <= (times.get(id) ?? Number.NEGATIVE_INFINITY)) return true
    times.set(id, at)
    return false
  }
  return {
    keep: async (pages) => {
      for (const { id, at, url, title, text } of pages)
        if (!isLate(id, at)) index.replace(id, { url, title, text, anchors: [] })
    },
    forget: async (pages) => {
      for (const { id, at } of pages) if (!isLate(id, at)) index.remove(id)
    },
    scoresOf: async (queries, pages) =>
      queries.map((text) => {
        const query = index.prepare(text, scoring)
        return Float64Array.from(pages, (page) => index.scoreOf(page, query))
      }),
    curvesOf: async (queries, depth) =>
      queries.map((text) => index.search(index.prepare(text, scoring), depth)),
  }
}
