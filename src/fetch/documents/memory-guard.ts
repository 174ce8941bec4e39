import { getHeapStatistics } from 'node:v8'

/** A process that took more memory than it may ends with this code. */
export const OUT_OF_MEMORY = 42
/** Smaller ones are not worth a look. */
const SMALL_BYTES = 65_536
/** After so many new bytes it is looked at what is held. */
const LOOK_AFTER_BYTES = 16 * 1024 * 1024
const LOOK_MS = 50

/**
 * Ends this process when its arrays of bytes hold more than a limit: that of the engine is for objects and texts alone. A
 * stream in a PDF can unpack to a thousand times its length.
 */
export function guardMemory(mostBytes: number): void {
  let sinceLook = 0
  const look = (more = 0) => {
    sinceLook = 0
    if (getHeapStatistics().external_memory + more > mostBytes) process.exit(OUT_OF_MEMORY)
  }
  const Plain = globalThis.Uint8Array
  const Guarded: typeof Plain = new Proxy(Plain, {
    construct: (target, args: unknown[], newTarget): object => {
      const [size] = args
      if (typeof size === 'number' && size > SMALL_BYTES) {
        sinceLook += size
        if (sinceLook > LOOK_AFTER_BYTES) look(size)
      }
      return Reflect.construct(target, args, newTarget === Guarded ? target : newTarget)
    },
  })
  globalThis.Uint8Array = Guarded
  setInterval(look, LOOK_MS).unref()
}
