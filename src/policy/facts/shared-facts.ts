import { SettingError } from '#errors/setting-error.ts'
import { type FactName, type Facts, FREE_FACTS } from './facts.ts'

/**
 * Facts as a user's bidder gets them: those that it names, and columns of its own, so that it cannot change what
 * others see.
 */
export function sharedFacts(facts: Facts, needs: readonly FactName[], name: string): Facts {
  const allowed = new Set<string>([...needs, ...FREE_FACTS])
  const copies = new Map<string, unknown>()
  return new Proxy({} as Facts, {
    get: (_, fact) => {
      if (typeof fact !== 'string') return undefined
      if (!allowed.has(fact))
        throw new SettingError(
          'policyFile',
          `policy "${name}" reads the fact "${fact}", which its needs do not name: add it to them`,
        )
      if (!copies.has(fact)) copies.set(fact, copied(facts[fact as keyof Facts]))
      return copies.get(fact)
    },
    has: (_, fact) => allowed.has(String(fact)),
    ownKeys: () => [...allowed],
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  })
}

function copied(fact: unknown): unknown {
  if (ArrayBuffer.isView(fact)) return (fact as Uint32Array).slice()
  if (!isPlain(fact)) return fact
  return Object.fromEntries(Object.entries(fact).map(([name, part]) => [name, copied(part)]))
}

function isPlain(fact: unknown): fact is object {
  return (
    typeof fact === 'object' && fact !== null && Object.getPrototypeOf(fact) === Object.prototype
  )
}
