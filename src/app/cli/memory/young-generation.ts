import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** Of each of its two halves; it begins with 1. */
const MOST_MB = 4

/**
 * Keeps the engine's space for new objects as small as it begins while programs are loaded, all of which stay. The
 * flag for its limit is read at a program's start, and how fast it grows each time it does: so that is changed.
 */
export function holdYoungGeneration(): void {
  growBy(1)
}

/**
 * Lets it grow so far and no further. Left alone it takes 128 MB, which a crawl then holds for good and is no faster by:
 * most of what a page needs is garbage soon (docs/results/performance.md). In a quiet hour the engine makes it smaller,
 * so this is looked at whenever garbage was collected.
 */
export function letYoungGenerationGrow(): void {
  // A thread that begins later must not be held at the size it begins with; its own limit is given to it.
  setFlagsFromString(`--min-semi-space-size=${MOST_MB}`)
  growBy(2)
  const watch = () => growBy(youngMb() < 2 * MOST_MB ? 2 : 1)
  new PerformanceObserver(watch).observe({ entryTypes: ['gc'] })
}

function growBy(factor: number): void {
  setFlagsFromString(`--semi-space-growth-factor=${factor}`)
}

function youngMb(): number {
  const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
  return (young?.space_size ?? 0) / 2 ** 20
}
