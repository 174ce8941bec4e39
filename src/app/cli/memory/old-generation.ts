import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** So much more than was left last time may be garbage. To look for it stops the thread: less is not worth that. */
const WORTHWHILE_BYTES = 24 * 2 ** 20

let collect: (() => void) | undefined
let left = Number.POSITIVE_INFINITY

/**
 * Collects what a cycle held, pages above all, once it is committed. The engine would first let garbage grow to three
 * times of what is in use, and cannot know that now is the time when least is. What threads that fetch hold is theirs
 * to collect.
 */
export function collectGarbage(): void {
  const held = heldBytes()
  left = Math.min(left, held)
  if (held - left < WORTHWHILE_BYTES) return
  collect ??= garbageCollector()
  collect()
  left = heldBytes()
}

/** In objects and in arrays. */
function heldBytes(): number {
  const { used_heap_size, external_memory } = getHeapStatistics()
  return used_heap_size + external_memory
}

/** The engine shows it to what begins while a flag is set; compiled sources that were kept go by flags. */
function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc')
  const shown: () => void = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  return shown
}
