import { UsageError } from '#errors/usage-error.ts'
import type { Parts } from './added-bids.ts'

/** A budget divided by fixed shares, and who bids for each; undefined for nobody. */
export interface NamedSplit {
  readonly shares: Parts
  readonly acquirer: string | undefined
  readonly refresher: string | undefined
  readonly discoverer: string | undefined
}

/** Whether a policy's name is that of a split. */
export function isSplitName(name: string): boolean {
  return name.startsWith('split:')
}

/**
 * What `split:70/20/10` means: per cent for new pages, copies and links; `split:50/50/0:bfs,uniform,none`
 * also says who bids.
 */
export function parseSplit(name: string): NamedSplit {
  const [, shares = '', bidders = 'impact,quality,yield', ...more] = name.split(':')
  const numbers = shares.split('/').map((text) => (/^\d+(\.\d+)?$/.test(text) ? Number(text) : -1))
  const names = bidders.split(',').map((text) => (text === 'none' ? undefined : text))
  const total = numbers.reduce((sum, number) => sum + number, 0)
  if (numbers.length !== 3 || numbers.some((number) => number < 0) || !(total > 0))
    throw new UsageError(
      `policy "${name}": shares are three numbers, for new pages, copies and links, as in split:70/20/10`,
    )
  if (names.length !== 3 || names.includes('') || more.length > 0)
    throw new UsageError(
      `policy "${name}": who bids for new pages, copies and links is told by three names, as in split:50/50/0:bfs,uniform,none`,
    )
  const [acquire, refresh, discover] = numbers.map((number) => number / total)
  const [acquirer, refresher, discoverer] = names
  return { shares: { acquire, refresh, discover }, acquirer, refresher, discoverer }
}
