import { type BenchOptions, BudgetBench } from '#lab/experiments/budget/budget.ts'
import { madeUpQueriesOfAllTimes } from '#lab/refresh/made-up-queries.ts'
import { readWhole, type ShelvedArchive } from '../running/archive-shelf.ts'

/** A bench, and whether its queries are synthetic, from titles and anchors. */
interface ReadBench {
  readonly bench: BudgetBench
  readonly isMadeUp: boolean
}

/** Reads an archive with the queries that are asked most; where it has none, they are synthetic. */
export async function readBudgetBench(
  shelved: ShelvedArchive,
  mostQueries: number,
  options: BenchOptions,
): Promise<ReadBench> {
  const { archive, workload } = await readWhole(shelved)
  const asked = workload.queries.filter(({ weight }) => weight > 0)
  const isMadeUp = asked.length === 0
  const used = isMadeUp
    ? madeUpQueriesOfAllTimes(archive, mostQueries)
    : asked.toSorted((a, b) => b.weight - a.weight).slice(0, mostQueries)
  return { bench: new BudgetBench(archive, used, options), isMadeUp }
}
