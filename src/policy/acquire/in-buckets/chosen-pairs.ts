/** Pairs of a query and a page as buckets tell of them; columns of one length. */
export interface ToldPairs {
  readonly query: Uint32Array
  readonly low: Uint32Array
  readonly high: Uint32Array
  /** 1 where the page's words match; else results link to it. */
  readonly byWords: Uint32Array
  /** What pairs are chosen by: how much of the query its words are, and how well what links to it ranks. */
  readonly coverage: Float64Array
  readonly closeness: Float64Array
  readonly hits: Float64Array
  readonly standing: Float64Array
}

/**
 * Of the pairs that buckets have chosen, those that one bucket with all pages would have: so many of a query by words,
 * and so many of the others by links. By ascending query, and hash; each bucket has told enough.
 */
export function chosenPairs(told: ToldPairs, most: (query: number) => number): Uint32Array {
  const { query, low, high, byWords, coverage, closeness, hits, standing } = told
  const byHash = (a: number, b: number) => low[a] - low[b] || high[a] - high[b]
  const byMatch = (a: number, b: number) =>
    coverage[b] - coverage[a] || closeness[b] - closeness[a] || hits[b] - hits[a] || byHash(a, b)
  const byStanding = (a: number, b: number) => standing[b] - standing[a] || byHash(a, b)
  const rows = Uint32Array.from(query.keys()).sort((a, b) => query[a] - query[b] || byHash(a, b))
  const chosen: number[] = []
  for (let from = 0; from < rows.length; ) {
    const asked = query[rows[from]]
    let end = from
    while (end < rows.length && query[rows[end]] === asked) end++
    const own = [...rows.subarray(from, end)]
    const matching = new Set(
      own
        .filter((row) => byWords[row] === 1)
        .sort(byMatch)
        .slice(0, most(asked)),
    )
    const linked = own
      .filter((row) => !matching.has(row) && standing[row] > 0)
      .sort(byStanding)
      .slice(0, most(asked))
    chosen.push(...[...matching, ...linked].sort(byHash))
    from = end
  }
  return Uint32Array.from(chosen)
}
