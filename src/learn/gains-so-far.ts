/** What some fetches gained, of those that were answered and measured. */
export interface Gains {
  readonly fetches: number
  readonly gain: number
  /** The sum of the squares: large where few fetches made all the gain. */
  readonly squares: number
}

/** What the fetches of a crawl gained, of all runs. */
export interface GainsSoFar {
  readonly all: Gains
  /** Of the latest cycles, oldest first. */
  readonly lately: readonly Gains[]
}

/** So many of the latest fetches tell how fast a crawl gains: fewer are a matter of luck. */
export const TELLING_FETCHES = 50

export const NO_GAINS: GainsSoFar = { all: { fetches: 0, gain: 0, squares: 0 }, lately: [] }

/** What was gained, after one more cycle. */
export function gainsAfter({ all, lately }: GainsSoFar, cycle: Gains): GainsSoFar {
  if (cycle.fetches === 0) return { all, lately }
  const cycles = [...lately, cycle]
  let [first, fetches] = [cycles.length, 0]
  while (first > 0 && fetches < TELLING_FETCHES) fetches += cycles[--first].fetches
  return { all: sumOfGains([all, cycle]), lately: cycles.slice(first) }
}

/** What several cycles gained. */
export function sumOfGains(all: readonly Gains[]): Gains {
  return all.reduce(
    (sum, { fetches, gain, squares }) => ({
      fetches: sum.fetches + fetches,
      gain: sum.gain + gain,
      squares: sum.squares + squares,
    }),
    NO_GAINS.all,
  )
}
