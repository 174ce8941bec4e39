import type { Archive } from '#archive/format/archive.ts'

const SECONDS_A_DAY = 86_400

/** How current the copies held are; undefined if none is held, or none weighs anything. */
interface Freshness {
  /** Share of the copies that equal the live page. */
  readonly freshness: number | undefined
  /** Mean time since the live page first differed from the copy, 0 for copies that equal it. */
  readonly ageDays: number | undefined
}

/** A page as it was fetched. */
interface Copy {
  readonly page: number
  readonly version: number
  /** When it was fetched. */
  readonly snapshot: number
}

/**
 * Freshness and age at one time. `staleSince` says for each copy when the live page first differed
 * from it, in seconds like `now`: Infinity if it does not. Copies count the same unless weighted.
 *
 * @paper ChoGarciaMolina2003 §2.1 — weights are ours; a page that is gone makes its copy stale.
 */
export function freshnessOf(
  staleSince: Float64Array,
  now: number,
  weights?: Float64Array,
): Freshness {
  let weightSum = 0
  let fresh = 0
  let ages = 0
  for (let i = 0; i < staleSince.length; i++) {
    const weight = weights === undefined ? 1 : weights[i]
    weightSum += weight
    if (staleSince[i] > now) fresh += weight
    else ages += weight * (now - staleSince[i])
  }
  if (weightSum === 0) return { freshness: undefined, ageDays: undefined }
  return { freshness: fresh / weightSum, ageDays: ages / weightSum / SECONDS_A_DAY }
}

/**
 * When the live page first differed from a copy, in seconds since 1970; Infinity if they are equal now,
 * though they may have differed meanwhile. A page that is gone differs. By default all content counts.
 */
export function staleSince(
  archive: Archive,
  { page, version, snapshot }: Copy,
  now: number,
  isSame = (live: number, copy: number) => archive.sameContent(live, copy),
): number {
  const differs = (time: number) => {
    const live = archive.versionAt(page, time)
    return live === undefined || (live !== version && !isSame(live, version))
  }
  if (!differs(now)) return Number.POSITIVE_INFINITY
  let first = snapshot
  while (first < now && !differs(first)) first++
  return archive.timeOf(first)
}

/**
 * Mean over time of values[i], each of which holds from times[i] to times[i + 1]; the last time ends
 * it. Undefined over no time at all.
 */
export function timeAverage(
  times: ArrayLike<number>,
  values: ArrayLike<number>,
): number | undefined {
  if (times.length !== values.length + 1)
    throw new Error(`${values.length} values need ${values.length + 1} times, not ${times.length}`)
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += values[i] * (times[i + 1] - times[i])
  const span = times[values.length] - times[0]
  return span === 0 ? undefined : sum / span
}
