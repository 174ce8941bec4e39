import { setTimeout as sleep } from 'node:timers/promises'
import type { Lookup } from '../wire/dns-cache.ts'

/** How a host's name is looked up. */
export interface ScriptedNames {
  /** The addresses it has, in another order each time. */
  readonly addresses: readonly (readonly string[])[]
  readonly lookUpMs: number
}

/** Look-ups that answer as told. */
export function scriptedLookup(names: ReadonlyMap<string, ScriptedNames>): Lookup {
  const asked = new Map<string, number>()
  return async (host) => {
    const { addresses, lookUpMs } = names.get(host)!
    const times = asked.get(host) ?? 0
    asked.set(host, times + 1)
    await sleep(lookUpMs)
    return addresses[times % addresses.length]!
  }
}
