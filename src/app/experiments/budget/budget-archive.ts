import { readArchive } from '#archive/format/read-archive.ts'
import { readWorkload } from '#archive/format/read-workload.ts'
import { type BudgetWorld, budgetWorld } from '#lab/budget/world.ts'
import { madeUpQueriesOfAllTimes } from '#lab/refresh/made-up-queries.ts'
import type { ShelvedArchive } from '../running/archive-shelf.ts'

/** A world, and whether its queries were made up from titles and anchors. */
interface ReadWorld {
  readonly world: BudgetWorld
  readonly isMadeUp: boolean
}

/** Reads an archive with the queries that are asked most; where it has none, they are made up. */
export async function readBudgetWorld(
  { dir }: ShelvedArchive,
  mostQueries: number,
): Promise<ReadWorld> {
  const archive = await readArchive(dir)
  const { queries } = await readWorkload(dir)
  const asked = queries.filter(({ weight }) => weight > 0)
  const isMadeUp = asked.length === 0
  const used = isMadeUp
    ? madeUpQueriesOfAllTimes(archive, mostQueries)
    : asked.toSorted((a, b) => b.weight - a.weight).slice(0, mostQueries)
  return { world: budgetWorld(archive, used), isMadeUp }
}
