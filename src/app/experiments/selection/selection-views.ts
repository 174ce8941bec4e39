import type { Ceiling, SelectionRow } from '#lab/experiments/selection/selection.ts'
import type { View } from '#lab/report/view.ts'

type Row = SelectionRow & { readonly archive: string }

export type SelectionFound = {
  readonly rows: readonly Row[]
  readonly ceilings: readonly (Ceiling & { readonly archive: string })[]
}

const isUnion = ({ policy }: Row) => /^[^@]*\+/.test(policy)
const singles = (rows: readonly Row[]) => rows.filter(({ policy }) => !/[+@]/.test(policy))
const unions = (rows: readonly Row[]) =>
  rows.some(isUnion) ? rows.filter((row) => isUnion(row) || row.policy === 'pagerank') : []
/** All that can be shown where nobody judged or clicked. */
const unjudged = (rows: readonly Row[]) =>
  singles(rows).filter(({ maxNdcg, clicks }) => maxNdcg === null && clicks === null)

const BY_SIZE = { as: 'lines', of: 'rows', each: 'archive', x: 'selected', logX: true } as const

const ceilingOf = ({ ceilings }: SelectionFound, archive: string) =>
  ceilings.find((one) => one.archive === archive)
const ceiling = ([{ archive }]: readonly Row[], found: SelectionFound) => {
  const y = ceilingOf(found, archive)?.maxNdcg
  return y === null || y === undefined ? undefined : { name: 'all URLs known', y }
}

/** Single policies by quality and by clicks, unions, and domain limits, each a picture: the paper's Figures 1 to 3. */
export const selectionViews: readonly View<SelectionFound>[] = [
  {
    ...BY_SIZE,
    title: 'what each policy could give',
    pick: singles,
    y: 'maxNdcg',
    band: ['ciLow', 'ciHigh'],
    ceiling,
  },
  { ...BY_SIZE, title: 'clicks on the pages selected', pick: singles, y: 'clicks' },
  {
    ...BY_SIZE,
    title: 'PageRank that the pages selected hold',
    pick: unjudged,
    y: 'pageRankMass',
  },
  { ...BY_SIZE, title: 'unions', pick: unions, y: 'maxNdcg', ceiling },
  {
    ...BY_SIZE,
    title: 'domain limits on the largest selection, a point for each scale',
    pick: limited,
    by: ({ policy }: Row) => policy.replace(/(@.*)-[\d.]+(?=-refill|$)/, '$1'),
    y: 'maxNdcg',
  },
  {
    as: 'table',
    of: 'rows',
    each: 'archive',
    caption: ([{ archive }], found) => {
      const { known, maxNdcg, queries, dropped } = ceilingOf(found, archive)!
      return `maxNDCG@10 by pages selected; ${known} URLs known, their maxNDCG ${maxNdcg?.toFixed(4) ?? '–'}; ${queries} judged queries, ${dropped} more without a good answer left out`
    },
    columns: ['policy'],
    across: { by: 'size', cell: ([row]) => row.maxNdcg ?? row.clicks ?? row.pageRankMass },
  },
]

/** What each kind of limit leaves of the largest selection, beside what it was taken from. */
function limited(rows: readonly Row[]): Row[] {
  const own = rows.filter(({ policy }) => policy.includes('@'))
  const parents = new Set(own.map(({ policy }) => policy.slice(0, policy.indexOf('@'))))
  const largest = new Map<string, number>()
  for (const { archive, size } of own)
    largest.set(archive, Math.max(size, largest.get(archive) ?? 0))
  return rows.filter(
    ({ archive, policy, size }) =>
      parents.has(policy) || (policy.includes('@') && size === largest.get(archive)),
  )
}
