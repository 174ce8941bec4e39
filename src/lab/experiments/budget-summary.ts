import { CLASSICAL_SPLITS, GREEDY_SPLITS } from '../budget/budget-policies.ts'
import type { QueryKind } from '../budget/query-shares.ts'
import { type Interval, meanInterval } from '../metrics/bootstrap.ts'
import type { BudgetRow } from './budget.ts'

export type ArchiveRow = BudgetRow & { readonly archive: string }

/** Whom one policy is compared with: of several rivals the best in hindsight, for each archive and budget. */
export interface Comparison {
  readonly name: string
  readonly policy: string
  readonly rivals: readonly string[]
}

/** What a comparison came to, for one start and kind of queries. */
export interface ComparisonResult {
  readonly comparison: string
  readonly start: number
  readonly queries: QueryKind
  /** Mean over archives of the shortfall ratio, with a 95 % interval over archives. */
  readonly ratio: Interval
  readonly archives: readonly ArchiveRatio[]
}

export interface ArchiveRatio {
  readonly archive: string
  /** Mean over budgets. */
  readonly ratio: number
  readonly byBudget: readonly {
    readonly budget: number
    readonly ratio: number
    readonly rival: string
  }[]
}

/** One budget against the splits it has to beat, and against itself with one term known. */
const COMPARISONS: readonly Comparison[] = [
  { name: 'best classical split', policy: 'unified', rivals: CLASSICAL_SPLITS },
  {
    name: 'best split, 97/2/1 and 90/5/5 included',
    policy: 'unified',
    rivals: [...CLASSICAL_SPLITS, ...GREEDY_SPLITS],
  },
  ...['split:70/20/10', 'split:97/2/1', 'bfs+uniform', 'pagerank+split', 'clairvoyant'].map(
    (rival) => ({ name: rival, policy: 'unified', rivals: [rival] }),
  ),
  ...['unified+values', 'unified+losses', 'unified+yields'].map((policy) => ({
    name: `${policy} ÷ unified`,
    policy,
    rivals: ['unified'],
  })),
]

/** All comparisons that the rows allow; `leaveOut` names archives that are not to count. */
export function compareShortfalls(
  rows: readonly ArchiveRow[],
  seed: number,
  leaveOut: readonly string[] = [],
): ComparisonResult[] {
  const counted = rows.filter(({ archive }) => !leaveOut.includes(archive))
  const groups = Map.groupBy(counted, ({ start, queries }) => `${start} ${queries}`)
  return COMPARISONS.flatMap((comparison) =>
    [...groups.values()].flatMap((own) => {
      const archives = archiveRatios(own, comparison)
      const ratio = meanInterval(
        Float64Array.from(archives, (one) => one.ratio),
        { seed },
      )
      const { start, queries } = own[0]
      return ratio ? { comparison: comparison.name, start, queries, ratio, archives } : []
    }),
  )
}

function archiveRatios(
  rows: readonly ArchiveRow[],
  { policy, rivals }: Comparison,
): ArchiveRatio[] {
  const byArchive = Map.groupBy(rows, ({ archive }) => archive)
  return [...byArchive].flatMap(([archive, own]) => {
    const budgets = [...new Set(own.map(({ budget }) => budget))]
    const byBudget = budgets.flatMap((budget) => {
      const shortfalls = meanShortfalls(own.filter((row) => row.budget === budget))
      const ours = shortfalls.get(policy)
      const tried = rivals.filter((rival) => shortfalls.has(rival))
      if (ours === undefined || tried.length === 0) return []
      const best = tried.reduce((a, b) => (shortfalls.get(b)! < shortfalls.get(a)! ? b : a))
      const least = shortfalls.get(best)!
      return least > 0 ? { budget, ratio: ours / least, rival: best } : []
    })
    if (byBudget.length === 0) return []
    const ratio = byBudget.reduce((sum, one) => sum + one.ratio, 0) / byBudget.length
    return { archive, ratio, byBudget }
  })
}

/** By policy: the mean over splits of the queries. */
function meanShortfalls(rows: readonly ArchiveRow[]): Map<string, number> {
  return new Map(
    [...Map.groupBy(rows, ({ policy }) => policy)].map(([policy, own]) => [
      policy,
      own.reduce((sum, { shortfall }) => sum + shortfall, 0) / own.length,
    ]),
  )
}
