/** Beyond this rank clicks are too rare to be given more weight. */
const LAST_CORRECTED_RANK = 10

/**
 * What a click counts: searchers look at rank r about 1/r as often as at the first, so a click there
 * tells r times as much. A click whose rank is unknown counts once.
 */
export function clickWeight(rank: number | undefined): number {
  return rank === undefined ? 1 : Math.min(Math.max(rank, 1), LAST_CORRECTED_RANK)
}
