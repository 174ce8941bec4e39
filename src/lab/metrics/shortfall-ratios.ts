import { geometricInterval, type Interval } from './bootstrap.ts'

/** What a policy falls short by, on one archive, with one budget, on one sample of the queries. */
interface ShortfallRow {
  readonly archive: string
  readonly policy: string
  readonly budget: number
  readonly split: number
  readonly shortfall: number
}

/** Whom one policy is compared with: of several rivals the best, for each archive and budget. */
export interface Comparison {
  readonly name: string
  readonly policy: string
  readonly rivals: readonly string[]
  /**
   * Who chooses the best. `samples`: for each sample of the queries the others, as somebody could who knows the site.
   * `sites`: for each archive the others, as somebody could who does not. If left out it is chosen in hindsight, and
   * whoever was lucky too, which flatters the rivals.
   */
  readonly chosenByOther?: 'samples' | 'sites'
}

/** What a comparison came to. */
export interface ComparedShortfalls {
  readonly comparison: string
  /** Geometric mean over archives of the shortfall ratio: a site at 2 weighs as much as one at a half. */
  readonly ratio: Interval
  /** The archive where it came out worst, as in "openbsd 1.021". */
  readonly worst: string
  readonly archives: readonly ArchiveRatio[]
}

interface ArchiveRatio {
  readonly archive: string
  /** Geometric mean over budgets. */
  readonly ratio: number
  readonly byBudget: readonly {
    readonly budget: number
    readonly ratio: number
    readonly rival: string
  }[]
}

/** All comparisons that the rows allow. */
export function shortfallRatios(
  rows: readonly ShortfallRow[],
  comparisons: readonly Comparison[],
  seed: number,
): ComparedShortfalls[] {
  return comparisons.flatMap((comparison) => {
    const archives = archiveRatios(rows, comparison)
    const ratio = geometricInterval(
      Float64Array.from(archives, (one) => one.ratio),
      { seed },
    )
    if (ratio === undefined) return []
    const last = archives.reduce((a, b) => (b.ratio > a.ratio ? b : a))
    const worst = `${last.archive} ${last.ratio.toFixed(3)}`
    return { comparison: comparison.name, ratio, worst, archives }
  })
}

function archiveRatios(rows: readonly ShortfallRow[], comparison: Comparison): ArchiveRatio[] {
  const byArchive = Map.groupBy(rows, ({ archive }) => archive)
  return [...byArchive].flatMap(([archive, own]) => {
    const budgets = [...new Set(own.map(({ budget }) => budget))]
    const byBudget = budgets.flatMap((budget) => {
      const some = own.filter((row) => row.budget === budget)
      const others = rows.filter((row) => row.budget === budget && row.archive !== archive)
      const found = ratioOf(some, others, comparison)
      return found ? { budget, ...found } : []
    })
    if (byBudget.length === 0) return []
    const logs = byBudget.reduce((sum, one) => sum + Math.log(one.ratio), 0)
    const ratio = Math.exp(logs / byBudget.length)
    return { archive, ratio, byBudget }
  })
}

interface Ratio {
  readonly ratio: number
  readonly rival: string
}

/** Of the rows of an archive, given those of the others. */
function ratioOf(
  rows: readonly ShortfallRow[],
  others: readonly ShortfallRow[],
  comparison: Comparison,
): Ratio | undefined {
  const { policy, rivals, chosenByOther } = comparison
  if (chosenByOther === 'samples') return foreseenRatio(rows, comparison)
  const judges =
    chosenByOther === 'sites'
      ? meanLogShortfalls(others)
      : meanShortfalls(inSamplesOf(rows, rivals))
  const rival = bestOf(judges, rivals)
  if (rival === undefined) return undefined
  const shortfalls = meanShortfalls(inSamplesOf(rows, [policy, rival]))
  const [ours, theirs] = [shortfalls.get(policy), shortfalls.get(rival)]
  if (ours === undefined || theirs === undefined) return undefined
  return theirs > 0 && ours > 0 ? { ratio: ours / theirs, rival } : undefined
}

/** Over all samples, to what was best in the other ones: there must be two at least. */
function foreseenRatio(
  rows: readonly ShortfallRow[],
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
  return theirs > 0 && ours > 0
    ? { ratio: ours / theirs, rival: [...chosen].join(', ') }
    : undefined
}

function bestOf(
  shortfalls: ReadonlyMap<string, number>,
  rivals: readonly string[],
): string | undefined {
  const tried = rivals.filter((rival) => shortfalls.has(rival))
  if (tried.length === 0) return undefined
  return tried.reduce((a, b) => (shortfalls.get(b)! < shortfalls.get(a)! ? b : a))
}

/** The rows of those policies, in the samples of the queries that all of them ran in. */
function inSamplesOf(rows: readonly ShortfallRow[], policies: readonly string[]): ShortfallRow[] {
  const samples = policies
    .map((name) => rows.filter(({ policy }) => policy === name))
    .filter((own) => own.length > 0)
    .map((own) => new Set(own.map(({ split }) => split)))
  const isShared = ({ policy, split }: ShortfallRow) =>
    policies.includes(policy) && samples.every((some) => some.has(split))
  return rows.filter(isShared)
}

/** By policy, of those that ran on all of the archives: the mean over these of the logarithm, so that each counts the same. */
function meanLogShortfalls(rows: readonly ShortfallRow[]): Map<string, number> {
  const archives = [...Map.groupBy(rows, ({ archive }) => archive).values()].map(meanShortfalls)
  const policies = [...new Set(rows.map(({ policy }) => policy))]
  const everywhere = policies.filter((policy) => archives.every((one) => one.has(policy)))
  const meanOf = (policy: string) =>
    archives.reduce((sum, one) => sum + Math.log(one.get(policy)!), 0) / archives.length
  return new Map(everywhere.map((policy) => [policy, meanOf(policy)]))
}

/** By policy: the mean over splits of the queries. */
function meanShortfalls(rows: readonly ShortfallRow[]): Map<string, number> {
  return new Map(
    [...Map.groupBy(rows, ({ policy }) => policy)].map(([policy, own]) => [
      policy,
      own.reduce((sum, { shortfall }) => sum + shortfall, 0) / own.length,
    ]),
  )
}
