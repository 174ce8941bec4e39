import { SettingError } from '#errors/setting-error.ts'
import { editDistance } from '#numeric/edit-distance.ts'
import type { Bidder } from '../bidder.ts'
import type { Purpose } from '../bids.ts'
import { alone, type Composition } from '../planning/composition.ts'
import { REGISTRY, type Registry, renamedTo } from './registry.ts'

/** Spends every fetch where it gains most. */
export const UNIFIED = 'unified'
const UNIFIED_SUMMARY = 'new pages, copies and links compete for every fetch by what searchers gain'

const TASK_WORDS: readonly (readonly [task: Purpose, word: string])[] = [
  ['acquire', 'new pages'],
  ['refresh', 'copies'],
  ['discover', 'links'],
]

/** Every policy that can be named by a word, with its line for `--help`. */
export function policySummaries(registry: Registry = REGISTRY): Record<string, string> {
  const summaries: Record<string, string> = { [UNIFIED]: UNIFIED_SUMMARY }
  for (const { name, summary, task } of registry.all())
    summaries[name] =
      task === 'acquire'
        ? summary
        : `half new pages, half ${task === 'refresh' ? `copies: ${summary}` : summary}`
  return summaries
}

/** Whether a policy's name is that of fixed shares. */
export function isSplitName(name: string): boolean {
  return name.startsWith('split:')
}

/** The policies of a comma-separated list; a split that says who bids has commas of its own. */
export function policyList(text: string): string[] {
  const names = text.match(/split:[^,:]*:[^,]*,[^,]*,[^,]*|[^,]+/g) ?? []
  return names.map((name) => name.trim()).filter((name) => name !== '')
}

/**
 * The policy of that name: `unified`, fixed shares, or a bidder. A bidder for new pages crawls alone; one for copies or
 * links gets half of the budget, and `impact` the other half. Throws a SettingError if there is none.
 */
export function policyNamed(name: string, registry: Registry = REGISTRY): Composition {
  if (name === UNIFIED) {
    const [acquire, refresh, discover] = ['impact', 'quality', 'yield'].map(
      (one) => registry.named(one)!,
    )
    return { name, spends: 'one currency', bidders: { acquire, refresh, discover } }
  }
  if (isSplitName(name)) return splitNamed(name, registry)
  const bidder = registry.named(name)
  if (bidder === undefined)
    throw new SettingError('policy', `there is no policy "${name}".${policyHint(name, registry)}`)
  if (bidder.task === 'acquire') return { ...alone(bidder), name }
  const shares = bidder.task === 'refresh' ? '50/50/0:impact,' : '50/0/50:impact,none,'
  const rest = bidder.task === 'refresh' ? `${bidder.name},none` : bidder.name
  return { ...splitNamed(`split:${shares}${rest}`, registry), name }
}

/**
 * What `split:70/20/10` means: per cent for new pages, copies and links; `split:50/50/0:bfs,uniform,none`
 * also says who bids.
 */
function splitNamed(name: string, registry: Registry): Composition {
  const [, shares = '', named = 'impact,quality,yield', ...more] = name.split(':')
  const numbers = shares.split('/').map((text) => (/^\d+(\.\d+)?$/.test(text) ? Number(text) : -1))
  const names = named.split(',')
  const total = numbers.reduce((sum, number) => sum + number, 0)
  if (numbers.length !== 3 || numbers.some((number) => number < 0) || !(total > 0))
    throw new SettingError(
      'policy',
      `policy "${name}": shares are three numbers, for new pages, copies and links, as in split:70/20/10`,
    )
  if (names.length !== 3 || names.includes('') || more.length > 0)
    throw new SettingError(
      'policy',
      `policy "${name}": who bids for new pages, copies and links is told by three names, as in split:50/50/0:bfs,uniform,none`,
    )
  const bidders: { [Task in Purpose]?: Bidder } = {}
  TASK_WORDS.forEach(([task, word], i) => {
    if (names[i] !== 'none') bidders[task] = bidderOf(name, task, word, names[i], registry)
  })
  const [acquire, refresh, discover] = numbers.map((number) => number / total)
  return { name, spends: 'shares', bidders, shares: { acquire, refresh, discover } }
}

function bidderOf(
  split: string,
  task: Purpose,
  word: string,
  name: string,
  registry: Registry,
): Bidder {
  const bidder = registry.named(name)
  if (bidder?.task === task) return bidder
  const names = registry.of(task).map((one) => one.name)
  throw new SettingError(
    'policy',
    `policy "${split}": for ${word} may bid ${names.join(', ')} or none, not "${name}".${hintAt(name, names)}`,
  )
}

/** Whether there is a policy of that name. */
export function isPolicyName(name: string, registry: Registry = REGISTRY): boolean {
  return faultOf(name, registry) === undefined
}

/** The name as it is, or a SettingError that says what is wrong with it; `setting` is what it was given for. */
export function checkedPolicy(
  name: string,
  setting = 'policy',
  registry: Registry = REGISTRY,
): string {
  const fault = faultOf(name, registry)
  if (fault === undefined) return name
  if (isSplitName(name))
    throw new SettingError(setting, `{${setting}} ${fault.replace(/^policy /, '')}`)
  const names = Object.keys(policySummaries(registry))
  throw new SettingError(
    setting,
    `{${setting}} must be one of ${names.join(', ')}, or fixed shares as in split:70/20/10, not "${name}".${hintAt(name, names)}`,
  )
}

/** What is wrong with a name that is none, or what was probably meant; begins with a space. */
export function policyHint(name: string, registry: Registry = REGISTRY): string {
  if (!isSplitName(name)) return hintAt(name, Object.keys(policySummaries(registry)))
  const fault = faultOf(name, registry)
  return fault === undefined ? '' : ` ${fault[0].toUpperCase()}${fault.slice(1)}`
}

/** What to say of bidders in a policy's name that are called otherwise now; undefined if there are none. */
export function renameNote(name: string): string | undefined {
  const words = isSplitName(name) ? (name.split(':')[2] ?? '').split(',') : [name]
  const old = words.find((word) => renamedTo(word) !== undefined)
  return old === undefined
    ? undefined
    : `policy ${old} is called ${renamedTo(old)} now, as nobody clicked: it goes by what searchers see`
}

function faultOf(name: string, registry: Registry): string | undefined {
  try {
    policyNamed(name, registry)
    return undefined
  } catch (error) {
    if (error instanceof SettingError) return error.message
    throw error
  }
}

/** A question after the name that was probably meant; empty if none comes near. */
export function hintAt(name: string, names: readonly string[]): string {
  const slips = names.map((known) => editDistance(name.toLowerCase(), known))
  const fewest = Math.min(...slips)
  return fewest <= name.length / 3 ? ` Did you mean ${names[slips.indexOf(fewest)]}?` : ''
}
