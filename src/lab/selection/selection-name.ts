import { SettingError } from '#errors/setting-error.ts'
import { hintAt } from '#policy/registry/policy-name.ts'

/** What tells how many pages a domain deserves: linking domains, clicked URLs, or both in one. */
const SIGNALS = ['domains', 'clicks', 'entries'] as const
export type Signal = (typeof SIGNALS)[number]

const METHODS = ['score', 'rank'] as const
type Method = (typeof METHODS)[number]

/** How many pages a domain may have. */
export type LimitRule =
  | { readonly kind: 'static'; readonly pages: number }
  | {
      readonly kind: Method
      readonly signal: Signal
      readonly scale: number
    }

/** The parts of a selection's name: `policy[+tdCUTOFF][@LIMIT[-refill]]`. */
interface SelectionName {
  readonly policy: string
  /** URLs with so many trans-domain links or more go first. */
  readonly cutoff?: number
  readonly limit?: LimitRule & { readonly refill: boolean }
}

/** Names that show the grammar, for help texts. */
export const SELECTION_EXAMPLES: readonly { readonly name: string; readonly summary: string }[] = [
  { name: 'pagerank', summary: 'the N best by PageRank' },
  { name: 'pagerank+td2', summary: 'first all URLs that 2 or more pages of other domains link to' },
  { name: 'pagerank@static-100', summary: 'of the N best, at most 100 of a domain' },
  { name: 'pagerank@domains-score-10', summary: 'at most 10 for each domain that links to theirs' },
  { name: 'pagerank@domains-rank-0.1', summary: 'from 1000 to 1, by rank of linking domains' },
  { name: 'pagerank@clicks-score-4', summary: 'at most 4 for each URL of the domain with a click' },
  {
    name: 'pagerank@entries-score-4',
    summary: 'at most 4 for each URL with a click or a link from another domain',
  },
  {
    name: 'pagerank+td2@static-100-refill',
    summary: 'all together; freed places go to the next best',
  },
]

/** Takes a selection's name apart, or throws a SettingError that says which part is wrong. */
export function parseSelectionName(name: string, policies: readonly string[]): SelectionName {
  // A user's policy may have any name, even one with our signs in it.
  if (policies.includes(name)) return { policy: name }
  const [, policy, , union, , limit] = /^([^+@]*)(\+([^@]*))?(@(.*))?$/.exec(name) ?? []
  const wrong = (why: string): never => {
    throw new SettingError('policies', `{policies}: "${name}" ${why}`)
  }
  if (policy === undefined || !policies.includes(policy)) {
    return wrong(`begins with none of ${policies.join(', ')}.${hintAt(policy ?? name, policies)}`)
  }
  return {
    policy,
    cutoff: union === undefined ? undefined : parseCutoff(union, wrong),
    limit: limit === undefined ? undefined : parseLimit(limit, wrong),
  }
}

function parseCutoff(text: string, wrong: (why: string) => never): number {
  const cutoff = /^td([1-9]\d*)$/.exec(text)?.[1]
  return cutoff === undefined
    ? wrong('has after its + no td and a whole number above 0, as in pagerank+td2')
    : Number(cutoff)
}

const LIMIT = /^(static|[a-z]+-[a-z]+)-(\d+(?:\.\d+)?|\.\d+)(-refill)?$/

function parseLimit(text: string, wrong: (why: string) => never): SelectionName['limit'] {
  const kinds = ['static', ...SIGNALS.flatMap((s) => METHODS.map((m) => `${s}-${m}`))]
  const [, kind, digits, suffix] = LIMIT.exec(text) ?? []
  const amount = Number(digits)
  const refill = suffix !== undefined
  if (kind === undefined || !kinds.includes(kind)) {
    const meant = kind ?? text.replace(/-?[\d.].*$/, '')
    return wrong(
      `has a limit other than ${kinds.join('-S, ')}-S, each with a number for S and perhaps -refill.${hintAt(meant, kinds)}`,
    )
  }
  if (!(amount > 0)) return wrong('has a limit of 0, which no page passes')
  if (kind === 'static') {
    if (!Number.isInteger(amount)) return wrong('must have a whole number of pages after static-')
    return { kind, pages: amount, refill }
  }
  const [signal, method] = kind.split('-') as [Signal, Method]
  return { kind: method, signal, scale: amount, refill }
}
