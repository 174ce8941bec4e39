import type { Frontier } from '#frontier/frontier.ts'
import type { Analyser } from '#search/text/analysis.ts'

/**
 * For each query, how many pages wait to be fetched whose URL and anchors together hold all of its words.
 * One pass over the links and the URLs that wait.
 */
export function countWaitingPages(
  frontier: Frontier,
  analyser: Analyser,
  queries: readonly string[],
  now: number,
): Uint32Array {
  const terms = queries.map((query) => analyser.queryTerms(query))
  const queriesWith = new Map<string, number[]>()
  terms.forEach((words, query) => {
    for (const word of words) queriesWith.set(word, [...(queriesWith.get(word) ?? []), query])
  })
  const told = anchorTermsOf(frontier, analyser, queriesWith)
  const counts = new Uint32Array(queries.length)
  for (const url of frontier.unfetched(now)) {
    const ofUrl = analyser.urlTerms(frontier.urls.urlOf(url))
    const known = new Set([...ofUrl, ...(told.get(url) ?? [])])
    const found = new Map<number, number>()
    for (const word of known)
      for (const query of queriesWith.get(word) ?? []) found.set(query, (found.get(query) ?? 0) + 1)
    for (const [query, words] of found) if (words === terms[query].length) counts[query]++
  }
  return counts
}

/** By URL, the words of queries that links to it say. */
function anchorTermsOf(
  frontier: Frontier,
  analyser: Analyser,
  queriesWith: ReadonlyMap<string, unknown>,
): Map<number, Set<string>> {
  const wordsOf = new Map<number, readonly string[]>()
  const told = new Map<number, Set<string>>()
  for (let page = 0; page < frontier.size; page++) {
    const { targets, anchors } = frontier.links.rowOf(page)
    targets.forEach((target, i) => {
      if (frontier.lastVisitOf(target) > 0) return
      let words = wordsOf.get(anchors[i])
      if (words === undefined) {
        const said = analyser.terms(frontier.links.anchors.at(anchors[i]))
        words = said.filter((word) => queriesWith.has(word))
        wordsOf.set(anchors[i], words)
      }
      if (words.length === 0) return
      const known = told.get(target)
      if (known) for (const word of words) known.add(word)
      else told.set(target, new Set(words))
    })
  }
  return told
}
