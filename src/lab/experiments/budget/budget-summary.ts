import { isSplitName } from '#policy/registry/policy-name.ts'
import { CLASSICAL_SPLITS, GREEDY_SPLITS, knownTermOf } from '../../budget/budget-policies.ts'
import type { QueryKind } from '../../budget/query-kinds.ts'
import {
  type ComparedShortfalls,
  type Comparison,
  shortfallRatios,
} from '../../metrics/shortfall-ratios.ts'
import type { BudgetRow } from './budget.ts'

export type ArchiveRow = BudgetRow & { readonly archive: string }

/** What a comparison came to, for one start and kind of queries. */
export interface ComparisonResult extends ComparedShortfalls {
  readonly start: number
  readonly queries: QueryKind
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
    name: 'the split that other sites would choose',
    policy: 'unified',
    rivals: USUAL_SPLITS,
    chosenByOther: 'sites',
  },
  {
    name: 'the split that other samples would choose',
    policy: 'unified',
    rivals: USUAL_SPLITS,
    chosenByOther: 'samples',
  },
  ...['split:70/20/10', 'split:97/2/1', 'bfs+uniform', 'pagerank+split', 'clairvoyant'].map(
    (rival) => ({ name: rival, policy: 'unified', rivals: [rival] }),
  ),
  ...['unified+values', 'unified+losses', 'unified+yields'].map((policy) => ({
    name: `${policy} ÷ unified`,
    policy,
    rivals: ['unified'],
  })),
  // Who divides better if both know the same?
  ...['values', 'losses', 'yields'].map((term) => ({
    name: `unified+${term} ÷ split:97/2/1+${term}`,
    policy: `unified+${term}`,
    rivals: [`split:97/2/1+${term}`],
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
  const comparisons = [...COMPARISONS, ...withOtherSplits(rows)]
  const found = [...groups.values()].flatMap((own) => {
    const { start, queries } = own[0]
    return shortfallRatios(own, comparisons, seed).map((one) => ({ start, queries, ...one }))
  })
  return comparisons.flatMap(({ name }) => found.filter(({ comparison }) => comparison === name))
}

/** Where splits ran that are not among the usual ones: against all that ran. */
function withOtherSplits(rows: readonly ArchiveRow[]): Comparison[] {
  const splits = [...new Set(rows.map(({ policy }) => policy))].filter(
    (name) => isSplitName(name) && knownTermOf(name) === undefined,
  )
  if (splits.every((split) => USUAL_SPLITS.includes(split))) return []
  return [
    { name: 'best of all splits that ran', policy: 'unified', rivals: splits },
    {
      name: 'the one of all that other samples would choose',
      policy: 'unified',
      rivals: splits,
      chosenByOther: 'samples',
    },
  ]
}
