import type { Archive } from '#archive/format/archive.ts'
import { type BenchOptions, BudgetBench } from '#lab/experiments/budget/budget.ts'
import { madeUpQueriesOfAllTimes } from '#lab/refresh/made-up-queries.ts'
import type { Query } from '#workload/workload.ts'
import { readWhole, type ShelvedArchive } from '../running/archive-shelf.ts'

/** A bench, and whether its queries are synthetic, from titles and anchors. */
interface ReadBench {
  readonly bench: BudgetBench
  readonly isMadeUp: boolean
}

/** An archive with queries. */
interface Queried {
  readonly archive: Archive
  readonly queries: readonly Query[]
  readonly isMadeUp: boolean
}

/** Reads an archive with the queries that are asked most; where it has none, they are synthetic. */
export async function readQueriesOrMakeUp(
  shelved: ShelvedArchive,
  mostQueries: number,
): Promise<Queried> {
  const { archive, workload } = await readWhole(shelved)
  const asked = workload.queries.filter(({ weight }) => weight > 0)
  const isMadeUp = asked.length === 0
  const queries = isMadeUp
    ? madeUpQueriesOfAllTimes(archive, mostQueries)
    : asked.toSorted((a, b) => b.weight - a.weight).slice(0, mostQueries)
  return { archive, queries, isMadeUp }
}

/** The same, made ready for crawls. */
export async function readBudgetBench(
  shelved: ShelvedArchive,
  mostQueries: number,
  options: BenchOptions,
): Promise<ReadBench> {
  const { archive, queries, isMadeUp } = await readQueriesOrMakeUp(shelved, mostQueries)
  return { bench: new BudgetBench(archive, queries, options), isMadeUp }
}
