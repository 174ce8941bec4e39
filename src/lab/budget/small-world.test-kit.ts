import type { Archive } from '#archive/format/archive.ts'
import { archiveOf } from '#archive/format/assemble-archive.ts'
import { type SmallVersion, smallArchive } from '#archive/format/small-archive.test-kit.ts'
import type { Query } from '#workload/workload.ts'
import { generateModelWeb } from '../model-web/generate.ts'
import { WeeklyTruth } from '../weeks/weekly-truth.ts'

interface SmallWorld {
  readonly archive: Archive
  readonly queries: readonly Query[]
  readonly truth: WeeklyTruth
}

const urlOf = (name: string) => `http://a.example/${name}`

/** Pages by name; links are names too, and their own anchors. The first page is the seed. */
export function smallWorld(
  weeks: number,
  pages: Readonly<Record<string, readonly (Omit<SmallVersion, 'links'> & { to?: string[] })[]>>,
  queries: Readonly<Record<string, number>>,
): SmallWorld {
  const named = Object.entries(pages).map(([name, versions]): [string, SmallVersion[]] => [
    urlOf(name),
    versions.map(({ to = [], ...version }) => ({
      ...version,
      links: to.map((target) => [urlOf(target), target] as const),
    })),
  ])
  const records = smallArchive(weeks, Object.fromEntries(named), { start: [named[0][0]] })
  const workload = Object.entries(queries).map(([text, weight]) => ({ id: text, text, weight }))
  return worldOf(archiveOf(records), workload)
}

/** The number of a page of such a world. */
export function pageNamed({ truth }: SmallWorld, name: string): number {
  return truth.pageOf(urlOf(name))!
}

/** A growing, changing web of some hundred pages. */
export function modelWorld(seed: number, pages: number, weeks: number): SmallWorld {
  const records = generateModelWeb({ seed, pages, weeks })
  return worldOf(archiveOf(records), records.workload!.queries)
}

function worldOf(archive: Archive, all: readonly Query[]): SmallWorld {
  const queries = all.filter(({ weight }) => weight > 0)
  const weights = Float64Array.from(queries, ({ weight }) => weight)
  return { archive, queries, truth: WeeklyTruth.of(archive, queries, weights) }
}
