import { SettingError } from '#errors/setting-error.ts'
import type { Bidder } from './bidder.ts'
import { type Bids, PURPOSES } from './bids.ts'
import { type FactName, type Facts, FREE_FACTS, type FreeFact } from './facts/facts.ts'

export type { GraphFacts } from '#frontier/graph-facts.ts'
export type { Csr } from '#numeric/csr.ts'
export type { Bidder } from './bidder.ts'
export type { Bids, ExpectedLinks, Purpose } from './bids.ts'
export type { FactName, Facts } from './facts/facts.ts'

/** A bidder as users write it down; see `Bidder` for what the fields mean. */
export interface BidderDefinition<Need extends FactName> {
  /** Letters, digits and `-`: what users type. */
  readonly name: string
  /** One line that says what goes first. */
  readonly summary?: string
  readonly task: Bidder['task']
  /** `rank` if left out: only the order of the bids counts. */
  readonly unit?: Bidder['unit']
  /** The facts that `bids` reads. */
  readonly needs: readonly Need[]
  /** Reads facts and makes bids. It holds no state, does no I/O and asks no clock. `why` may be left out. */
  bids(
    facts: Pick<Facts, Need | FreeFact>,
  ): Omit<Bids, 'purpose' | 'why'> & Partial<Pick<Bids, 'why'>>
}

/**
 * A bidder of a user's own, for `--policy-file` and for crawls by the library. What it gives is checked: one finite bid
 * of at least 0 a URL, for URLs of its task. What it does to its facts, no other bidder sees.
 *
 * @example
 * export default defineBidder({
 *   name: 'news-first',
 *   task: 'refresh',
 *   needs: ['pages', 'ages', 'addresses'],
 *   bids: ({ pages, ages, addresses }) => ({
 *     urls: pages,
 *     gains: ages.map((age, i) => (addresses.of(pages[i]).includes('/news/') ? 10 : 1) * age),
 *   }),
 * })
 */
export function defineBidder<const Need extends FactName>(
  definition: BidderDefinition<Need>,
): Bidder {
  const { name, summary = 'a policy of your own', task, unit = 'rank', needs } = definition
  return {
    ...{ name, summary, task, unit, needs },
    bids: (facts) => {
      const shared = sharedFacts(facts, needs, name)
      const bids = { why: () => `by ${name}`, ...definition.bids(shared), purpose: task }
      return checkedBids(name, bids, facts)
    },
  }
}

/**
 * Facts as a user's bidder gets them: those that it names, and columns of its own, so that it cannot change what
 * others see.
 */
function sharedFacts(facts: Facts, needs: readonly FactName[], name: string): Facts {
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

/** A user's bids as they came, or a SettingError that says which promise of a bidder they break. */
function checkedBids(name: string, bids: Bids, facts: Pick<Facts, 'candidates' | 'pages'>): Bids {
  const wrong = (what: string): never => {
    throw new SettingError('policyFile', `policy "${name}" ${what}`)
  }
  const { purpose, urls, gains } = bids
  if (!PURPOSES.includes(purpose)) return wrong(`must be for one of ${PURPOSES.join(', ')}`)
  if (!(urls instanceof Uint32Array && gains instanceof Float64Array))
    return wrong('must give its urls as a Uint32Array and its gains as a Float64Array')
  if (urls.length !== gains.length)
    return wrong(`makes bids for ${urls.length} URLs with ${gains.length} gains`)
  const open = openUrls(purpose, facts)
  for (let i = 0; i < urls.length; i++) {
    if (!open.delete(urls[i]))
      return wrong(`bids for URL ${urls[i]}, which is no ${WORDS[purpose]} or has a bid already`)
    if (!(gains[i] >= 0 && gains[i] < Number.POSITIVE_INFINITY))
      return wrong(`bids ${gains[i]} for URL ${urls[i]}; a gain is a finite number of at least 0`)
  }
  return bids
}

const WORDS = { acquire: 'candidate', refresh: 'page held', discover: 'candidate or page held' }

/** The URLs that a task may be about. */
export function openUrls(
  purpose: Bids['purpose'],
  facts: Pick<Facts, 'candidates' | 'pages'>,
): Set<number> {
  const open = new Set<number>()
  if (purpose !== 'refresh') for (const url of facts.candidates) open.add(url)
  if (purpose !== 'acquire') for (const url of facts.pages) open.add(url)
  return open
}
