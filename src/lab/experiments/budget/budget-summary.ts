import { isSplitName } from '#policy/registry/policy-name.ts'
import { CLASSICAL_SPLITS, GREEDY_SPLITS } from '../../budget/budget-policies.ts'
import type { QueryKind } from '../../budget/query-shares.ts'
import { type Interval, meanInterval } from '../../metrics/bootstrap.ts'
import type { BudgetRow } from './budget.ts'

export type ArchiveRow = BudgetRow & { readonly archive: string }

/** Whom one policy is compared with: of several rivals the best, for each archive and budget. */
interface Comparison {
  readonly name: string
  readonly policy: string
  readonly rivals: readonly string[]
  /**
   * Whether the best is chosen for each sample of the queries by the others, as somebody could have who knows the
   * site. In hindsight whoever was lucky is chosen too, which flatters the rivals.
   */
  readonly isForeseen?: boolean
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

interface ArchiveRatio {
  readonly archive: string
  /** Mean over budgets. */
  readonly ratio: number
  readonly byBudget: readonly {
    readonly budget: number
    readonly ratio: number
    readonly rival: string
  }[]
}

const USUAL_SPLITS = [...CLASSICAL_SPLITS, ...GREEDY_SPLITS]

/** One budget against the splits it has to beat, and against itself with one term known. */
const COMPARISONS: readonly Comparison[] = [
  { name: 'best classical split', policy: 'unified', rivals: CLASSICAL_SPLITS },
  {
    name: 'best split, 97/2/1 and 90/5/5 included',
    policy: 'unified',
    rivals: USUAL_SPLITS,
  },
  {
    name: 'the split that other samples would choose',
    policy: 'unified',
    rivals: USUAL_SPLITS,
    isForeseen: true,
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
  return [...COMPARISONS, ...withOtherSplits(rows)].flatMap((comparison) =>
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

/** Where splits ran that are not among the usual ones: against all that ran. */
function withOtherSplits(rows: readonly ArchiveRow[]): Comparison[] {
  const splits = [...new Set(rows.map(({ policy }) => policy))].filter(isSplitName)
  if (splits.every((split) => USUAL_SPLITS.includes(split))) return []
  return [
    { name: 'best of all splits that ran', policy: 'unified', rivals: splits },
    {
      name: 'the one of all that other samples would choose',
      policy: 'unified',
      rivals: splits,
      isForeseen: true,
    },
  ]
}

function archiveRatios(rows: readonly ArchiveRow[], comparison: Comparison): ArchiveRatio[] {
  const byArchive = Map.groupBy(rows, ({ archive }) => archive)
  return [...byArchive].flatMap(([archive, own]) => {
    const budgets = [...new Set(own.map(({ budget }) => budget))]
    const byBudget = budgets.flatMap((budget) => {
      const some = own.filter((row) => row.budget === budget)
      const found = comparison.isForeseen
        ? foreseenRatio(some, comparison)
        : hindsightRatio(some, comparison)
      return found ? { budget, ...found } : []
    })
    if (byBudget.length === 0) return []
    const ratio = byBudget.reduce((sum, one) => sum + one.ratio, 0) / byBudget.length
    return { archive, ratio, byBudget }
  })
}

interface Ratio {
  readonly ratio: number
  readonly rival: string
}

/** To the rival that was best over all samples. */
function hindsightRatio(
  rows: readonly ArchiveRow[],
  { policy, rivals }: Comparison,
): Ratio | undefined {
  const shortfalls = meanShortfalls(rows)
  const ours = shortfalls.get(policy)
  const rival = bestOf(shortfalls, rivals)
  if (ours === undefined || rival === undefined) return undefined
  const least = shortfalls.get(rival)!
  return least > 0 ? { ratio: ours / least, rival } : undefined
}

/** Over all samples, to what was best in the other ones: there must be two at least. */
function foreseenRatio(
  rows: readonly ArchiveRow[],
  { policy, rivals }: Comparison,
): Ratio | undefined {
  const samples = [...new Set(rows.map(({ split }) => split))]
  let [ours, theirs] = [0, 0]
  const chosen = new Set<string>()
  for (const sample of samples) {
    const rival = bestOf(meanShortfalls(rows.filter(({ split }) => split !== sample)), rivals)
    const now = meanShortfalls(rows.filter(({ split }) => split === sample))
    if (rival === undefined || !now.has(rival) || !now.has(policy)) return undefined
    chosen.add(rival)
    ours += now.get(policy)!
    theirs += now.get(rival)!
  }
  return theirs > 0 ? { ratio: ours / theirs, rival: [...chosen].join(', ') } : undefined
}

function bestOf(
  shortfalls: ReadonlyMap<string, number>,
  rivals: readonly string[],
): string | undefined {
  const tried = rivals.filter((rival) => shortfalls.has(rival))
  if (tried.length === 0) return undefined
  return tried.reduce((a, b) => (shortfalls.get(b)! < shortfalls.get(a)! ? b : a))
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
