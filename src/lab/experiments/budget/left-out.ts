import type { QueryKind } from '../../budget/query-kinds.ts'
import type { Interval } from '../../metrics/bootstrap.ts'
import { shortfallRatios } from '../../metrics/shortfall-ratios.ts'
import { groupsBy, meanOf } from '../../report/rows.ts'
import type { ArchiveRow } from './budget-summary.ts'

/** Of these the other sites choose one. */
const SPLITS_TO_CHOOSE: readonly string[] = ['split:70/20/10', 'split:97/2/1', 'split:90/5/5']
const OURS = 'unified'
/** Whom `--leave-one-out` compares unless others are named. */
export const LEFT_OUT_POLICIES: readonly string[] = [OURS, ...SPLITS_TO_CHOOSE]
/** Stands for all of the budgets together. */
export const ALL_BUDGETS = 0

/** One budget on archives left out, against the split that the others would choose. */
export interface LeftOutBudget {
  readonly start: number
  readonly queries: QueryKind
  /** Per cent a week, or ALL_BUDGETS. */
  readonly budget: number
  /** Of shortfalls: geometric mean over archives. */
  readonly ratio: Interval
  /** The archive where it is highest, as in "openbsd 1.021". */
  readonly worst: string
  /** What was chosen, and on how many archives and budgets. */
  readonly chosen: string
  /** Where a single page carries most of what `unified` misses, and which share of it. */
  readonly worstPage: string
  /** Mean weeks until a new page is known; and by the split for which they are fewest. */
  readonly weeksUnknown: number | undefined
  readonly weeksOfBestSplit: number | undefined
}

/** All starts, kinds of queries and budgets that the rows allow. */
export function leftOutBudgets(rows: readonly ArchiveRow[], seed: number): LeftOutBudget[] {
  const settings = groupsBy(rows, ({ start, queries }) => `${start} ${queries}`)
  return [...settings.values()].flatMap((own) => {
    const budgets = [ALL_BUDGETS, ...new Set(own.map(({ budget }) => budget))]
    const isOne = budgets.length === 2
    return budgets.slice(isOne ? 1 : 0).flatMap((budget) => {
      const some = budget === ALL_BUDGETS ? own : own.filter((row) => row.budget === budget)
      return leftOutAt(some, budget, seed)
    })
  })
}

function leftOutAt(rows: readonly ArchiveRow[], budget: number, seed: number): LeftOutBudget[] {
  const [result] = shortfallRatios(
    rows,
    [{ name: '', policy: OURS, rivals: SPLITS_TO_CHOOSE, chosenByOther: 'sites' }],
    seed,
  )
  if (result === undefined) return []
  const { ratio, worst, archives } = result
  const [{ start, queries }] = rows
  const rivals = archives.flatMap(({ byBudget }) => byBudget.map(({ rival }) => rival))
  const ofPolicy = (policy: string) => rows.filter((row) => row.policy === policy)
  // However many samples a site has, it counts once.
  const weeks = (policy: string) =>
    meanOf([...groupsBy(ofPolicy(policy), 'archive').values()], (one) =>
      meanOf(one, 'discoveryDelay'),
    )
  const known = SPLITS_TO_CHOOSE.map(weeks).filter((one) => one !== undefined)
  return [
    {
      ...{ start, queries, budget, ratio, worst },
      chosen: counted(rivals),
      worstPage: worstPageOf(ofPolicy(OURS)),
      weeksUnknown: weeks(OURS),
      weeksOfBestSplit: known.length > 0 ? Math.min(...known) : undefined,
    },
  ]
}

/** As in "split:97/2/1 12, split:90/5/5 1". */
function counted(names: readonly string[]): string {
  return [...groupsBy(names, String)]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([name, all]) => `${name} ${all.length}`)
    .join(', ')
}

function worstPageOf(rows: readonly ArchiveRow[]): string {
  const shares = [...groupsBy(rows, 'archive')].map(([archive, own]) => ({
    archive,
    share: meanOf(own, ({ losses }) => losses?.worstPage) ?? 0,
  }))
  const worst = shares.reduce((a, b) => (b.share > a.share ? b : a))
  return `${worst.archive} ${worst.share.toFixed(2)}`
}
