import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Less is not worth it, as a rule. */
const WORTHWHILE_BYTES = 24 * 2 ** 20

let collect: (() => void) | undefined

/**
 * Collects the garbage of a thread at moments when there is much of it, which only the program knows. The engine would
 * first let it grow to a multiple of what is in use. To look for it stops the thread, so there must be so much more than
 * was left last time.
 */
export function garbageCollector(worthwhileBytes: number = WORTHWHILE_BYTES): () => void {
  let left = Number.POSITIVE_INFINITY
  return () => {
    const held = heldBytes()
    left = Math.min(left, held)
    if (held - left < worthwhileBytes) return
    collect ??= shownByEngine()
    collect()
    left = heldBytes()
  }
}

/** In objects and in arrays. */
function heldBytes(): number {
  const { used_heap_size, external_memory } = getHeapStatistics()
  return used_heap_size + external_memory
}

/** The engine shows it to what begins while a flag is set; compiled sources that were kept go by flags. */
function shownByEngine(): () => void {
  setFlagsFromString('--expose-gc')
  const shown: () => void = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  return shown
}
