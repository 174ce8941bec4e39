interface Mass {
  readonly mass: number
  /** Of the mass of all pages, 0 to 1; undefined if that is 0. */
  readonly share: number | undefined
}

/**
 * How much of a weight that pages carry a set of them holds, each named once: with PageRanks of the
 * whole graph its RankMass, with impacts its impact. A page beyond the weights has none.
 *
 * @paper FetterlyCraswellVinay2009 §2.1 — the mass of given ranks; no bound is computed while crawling.
 */
export function rankMass(ranks: Float64Array, held: Uint32Array): Mass {
  let mass = 0
  for (const url of held) mass += ranks[url] ?? 0
  const total = ranks.reduce((sum, rank) => sum + rank, 0)
  return { mass, share: total === 0 ? undefined : mass / total }
}
