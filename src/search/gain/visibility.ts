/** The chance that a searcher looks at a rank, 1 being the top; never rises with the rank. */
export type Visibility = (rank: number) => number

/**
 * Attention falls with the rank as r^(-3/2).
 *
 * @paper PandeyOlston2005 §3 Eq. 2 — c = 1: it cancels out wherever quality is a ratio.
 */
export const powerVisibility: Visibility = (rank) => rank ** -1.5

/**
 * Whoever searches sees the first `cutoff` results, and no other.
 *
 * @paper PandeyOlston2008 §5 — the step that their practical policy takes V to be.
 */
export function topVisibility(cutoff: number): Visibility {
  return (rank) => (rank <= cutoff ? 1 : 0)
}
