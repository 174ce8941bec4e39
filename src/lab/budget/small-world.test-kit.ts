import { archiveOf } from '#archive/format/assemble-archive.ts'
import { type SmallVersion, smallArchive } from '#archive/format/small-archive.test-kit.ts'
import { generateModelWeb } from '../model-web/generate.ts'
import { type BudgetWorld, budgetWorld } from './world.ts'

export const urlOf = (name: string) => `http://a.example/${name}`

/** Pages by name; links are names too, and their own anchors. The first page is the seed. */
export function smallWorld(
  weeks: number,
  pages: Readonly<Record<string, readonly (Omit<SmallVersion, 'links'> & { to?: string[] })[]>>,
  queries: Readonly<Record<string, number>>,
): BudgetWorld {
  const named = Object.entries(pages).map(([name, versions]): [string, SmallVersion[]] => [
    urlOf(name),
    versions.map(({ to = [], ...version }) => ({
      ...version,
      links: to.map((target) => [urlOf(target), target] as const),
    })),
  ])
  const records = smallArchive(weeks, Object.fromEntries(named), { start: [named[0][0]] })
  const workload = Object.entries(queries).map(([text, weight]) => ({ id: text, text, weight }))
  return budgetWorld(archiveOf(records), workload)
}

/** The number of a page of such a world. */
export function pageNamed({ archive, links }: BudgetWorld, name: string): number {
  return links.pageOf[archive.pageOfUrl(urlOf(name))!]
}

/** A growing, changing web of some hundred pages. */
export function modelWorld(seed: number, pages: number, weeks: number): BudgetWorld {
  const records = generateModelWeb({ seed, pages, weeks })
  return budgetWorld(archiveOf(records), records.workload!.queries)
}
