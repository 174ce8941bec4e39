import { QUERY_POLICIES } from '#crawl/query-policies.ts'
import { UsageError } from '#errors/usage-error.ts'
import type { Parts } from '#policy/budget/added-bids.ts'
import { isSplitName, parseSplit } from '#policy/budget/split-name.ts'
import { hintAt, POLICIES } from '#policy/policies.ts'
import { REFRESH_POLICIES } from '#policy/refresh/refresh-policies.ts'

/** Who bids for new pages, copies and links; with fixed shares, or in one currency. */
export interface Bidders {
  readonly acquirer: string | undefined
  readonly refresher: string | undefined
  readonly discoverer: string | undefined
  readonly shares?: Parts
}

/** Spends every fetch where it gains most. */
export const UNIFIED = 'unified'
const DISCOVERER = 'yield'
const IN_ONE_CURRENCY: Bidders = {
  acquirer: 'impact',
  refresher: 'quality',
  discoverer: DISCOVERER,
}

/** Who bids for new pages. */
const ACQUIRERS: Readonly<Record<string, { readonly summary: string }>> = {
  ...POLICIES,
  ...QUERY_POLICIES,
}

/** Names that stand for a split: half for new pages, half for what the name says. */
const SHORTHANDS: Readonly<Record<string, { readonly summary: string; readonly split: string }>> = {
  ...Object.fromEntries(
    Object.entries(REFRESH_POLICIES).map(([name, { summary }]) => [
      name,
      {
        summary: `half new pages, half copies: ${summary}`,
        split: `split:50/50/0:impact,${name},none`,
      },
    ]),
  ),
  [DISCOVERER]: {
    summary: 'half new pages, half pages that will show new links',
    split: `split:50/0/50:impact,none,${DISCOVERER}`,
  },
}

/** Every policy that `--policy` knows by a word, with its line for `--help`. */
export const CRAWL_POLICIES: Readonly<Record<string, { readonly summary: string }>> = {
  [UNIFIED]: {
    summary: 'new pages, copies and links compete for every fetch by what searchers gain',
  },
  ...ACQUIRERS,
  ...SHORTHANDS,
}

/** Whether a policy plans copies and links too, not new pages alone. */
export function isBudgetPolicy(name: string): boolean {
  return name === UNIFIED || isSplitName(name) || Object.hasOwn(SHORTHANDS, name)
}

/** Who bids under a policy that plans more than new pages. */
export function biddersOf(name: string): Bidders {
  if (name === UNIFIED) return IN_ONE_CURRENCY
  return parseSplit(SHORTHANDS[name]?.split ?? name)
}

/** Policies that say what they expect in quality, so that it can be held against what was gained. */
export function thinksInQuality(name: string): boolean {
  if (!isBudgetPolicy(name)) return QUERY_POLICIES[name]?.bidsInQuality === true
  const { acquire, refresh } = inQuality(biddersOf(name))
  return acquire && refresh
}

/** By task: whether all that is bid is quality, so that bids can be held against what was gained. */
export function inQuality({ acquirer, refresher }: Bidders) {
  return {
    acquire: acquirer === undefined || QUERY_POLICIES[acquirer]?.bidsInQuality === true,
    refresh: refresher === undefined || REFRESH_POLICIES[refresher].bidsInQuality === true,
  }
}

/** Why a policy that should fetch copies again fetches none, and what to do; undefined if it does its share. */
export function whyNoCopies(name: string, hasQueries: boolean): string | undefined {
  if (hasQueries || !isBudgetPolicy(name)) return undefined
  const { acquirer = '', refresher = '' } = biddersOf(name)
  const makesUpQueries = Object.hasOwn(QUERY_POLICIES, acquirer)
  if (makesUpQueries || !REFRESH_POLICIES[refresher]?.needsClicks) return undefined
  return `no queries are known, and ${refresher} goes by what searchers see, so that no copy is fetched again: bring a query log with forager queries import, or let uniform choose the copies`
}

/** The name as it is, or a UsageError that says what is wrong with it. */
export function checkedPolicy(name: string, flag = '--policy'): string {
  const wrong = isSplitName(name) ? faultOfSplit(name) : undefined
  if (wrong !== undefined) throw new UsageError(`${flag} ${wrong.replace(/^policy /, '')}`)
  if (isSplitName(name) || Object.hasOwn(CRAWL_POLICIES, name)) return name
  const names = Object.keys(CRAWL_POLICIES)
  throw new UsageError(
    `${flag} must be one of ${names.join(', ')}, or fixed shares as in split:70/20/10, not "${name}".${hintAt(name, names)}`,
  )
}

/** Whether there is a policy of that name. */
export function isPolicyName(name: string): boolean {
  return isSplitName(name) ? faultOfSplit(name) === undefined : Object.hasOwn(CRAWL_POLICIES, name)
}

/** What is wrong with a name that is none, or what was probably meant; begins with a space. */
export function policyHint(name: string): string {
  if (!isSplitName(name)) return hintAt(name, Object.keys(CRAWL_POLICIES))
  const fault = faultOfSplit(name)
  return fault === undefined ? '' : ` ${fault[0].toUpperCase()}${fault.slice(1)}`
}

/** What is wrong with the name of a split, if anything is. */
function faultOfSplit(name: string): string | undefined {
  try {
    const { acquirer, refresher, discoverer } = parseSplit(name)
    checkBidder(name, 'new pages', acquirer, Object.keys(ACQUIRERS))
    checkBidder(name, 'copies', refresher, Object.keys(REFRESH_POLICIES))
    checkBidder(name, 'links', discoverer, [DISCOVERER])
    return undefined
  } catch (error) {
    if (error instanceof UsageError) return error.message
    throw error
  }
}

function checkBidder(
  split: string,
  what: string,
  name: string | undefined,
  names: readonly string[],
): void {
  if (name !== undefined && !names.includes(name))
    throw new UsageError(
      `policy "${split}": for ${what} may bid ${names.join(', ')} or none, not "${name}".${hintAt(name, names)}`,
    )
}
