import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** So much more than was left last time may be garbage. To look for it stops the thread: less is not worth that. */
const WORTHWHILE_BYTES = 24 * 2 ** 20

let collect: (() => void) | undefined
let left = Number.POSITIVE_INFINITY

/**
 * Collects the garbage of this thread, if there may be much: what a cycle held, pages above all, once it is committed. The
 * engine would first let garbage grow to three times of what is in use, and cannot know that now is the time when
 * least is.
 */
export function collectGarbage(): void {
  const held = heldBytes()
  left = Math.min(left, held)
  if (held - left < WORTHWHILE_BYTES) return
  collect ??= garbageCollector()
  collect()
  left = heldBytes()
}

const LOOKS_EACH_MS = 1000

/**
 * Does so now and then, for a thread that has no such time. What sockets received is soon garbage, and outside of the
 * heap, where the engine lets some 60 MB of it pile up.
 */
export function collectGarbageNowAndThen(): void {
  setInterval(collectGarbage, LOOKS_EACH_MS).unref()
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
