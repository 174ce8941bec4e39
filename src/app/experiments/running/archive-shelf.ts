import type { Archive } from '#archive/format/archive.ts'
import { type ReadArchiveOptions, readArchive } from '#archive/format/read-archive.ts'
import { readSite } from '#archive/format/read-site.ts'
import { readWorkload } from '#archive/format/read-workload.ts'
import type { Workload } from '#workload/workload.ts'
import { UsageError } from '../../text/usage-error.ts'

/** One archive of a run: its folder, and a name no other archive of the run has. */
export interface ShelvedArchive {
  readonly dir: string
  readonly id: string
  readonly snapshots: number
  /** Live at the last snapshot. */
  readonly pages: number
}

/** Pages of some archives, live at their last snapshots. */
export function pagesOf(archives: readonly ShelvedArchive[]): number {
  return archives.reduce((sum, { pages }) => sum + pages, 0)
}

/** Pages times snapshots of some archives: most of what an experiment's time goes by. */
export function pageWeeks(archives: readonly ShelvedArchive[]): number {
  return archives.reduce((sum, { pages, snapshots }) => sum + pages * snapshots, 0)
}

/** Of one crawl by a policy that goes by queries. */
const SECONDS_PER_PAGE_WEEK = 1.5e-4

/** How long so many crawls of each archive may take, week by week. */
export function weeklySeconds(archives: readonly ShelvedArchive[], crawls: number): number {
  return SECONDS_PER_PAGE_WEEK * pageWeeks(archives) * crawls
}

/** The archives named by --archive. Their order is kept; two of one name are told apart by a number. */
export async function shelve(dirs: readonly string[]): Promise<ShelvedArchive[]> {
  const shelf: ShelvedArchive[] = []
  const namesakes = new Map<string, number>()
  for (const dir of dirs) {
    const site = await readSite(dir)
    const before = namesakes.get(site.id) ?? 0
    namesakes.set(site.id, before + 1)
    const id = before > 0 ? `${site.id}-${before + 1}` : site.id
    const { length } = site.snapshots
    shelf.push({ dir, id, snapshots: length, pages: site.snapshots[length - 1].live })
  }
  return shelf
}

/** The snapshot asked for by --at, or the last. */
export function snapshotAt({ dir, snapshots }: ShelvedArchive, at: number | undefined): number {
  if (at !== undefined && at >= snapshots)
    throw new UsageError(`--at ${at}: ${dir} has snapshots 0 to ${snapshots - 1} only`)
  return at ?? snapshots - 1
}

/** An archive's id may be any text; a part of a file name may not lead out of its folder. */
export function fileName(id: string): string {
  return id.replace(/[^\w.+@-]+/g, '_')
}

/** Reads an archive with its workload. */
export async function readWhole(
  { dir }: ShelvedArchive,
  options: ReadArchiveOptions = {},
): Promise<{ archive: Archive; workload: Workload }> {
  return { archive: await readArchive(dir, options), workload: await readWorkload(dir) }
}

/** Reads an archive with its workload, for those who can do nothing without queries. */
export async function readWithQueries(
  shelved: ShelvedArchive,
): Promise<{ archive: Archive; workload: Workload }> {
  const whole = await readWhole(shelved)
  if (whole.workload.queries.every(({ weight }) => weight === 0))
    throw new UsageError(
      `${shelved.dir} has no queries (queries.tsv.gz): choose an archive that has`,
    )
  return whole
}

/** Keeps the latest thing made, until one by another key is asked for: a run over many archives holds one in memory. */
export function latestOnly<Made>(): (key: readonly unknown[], make: () => Made) => Made {
  let latest: { readonly key: readonly unknown[]; readonly made: Made } | undefined
  return (key, make) => {
    if (!latest?.key.every((part, i) => part === key[i])) {
      latest = undefined
      latest = { key, made: make() }
    }
    return latest.made
  }
}
