import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readArchive } from '#archive/format/read-archive.ts'
import { readWorkload } from '#archive/format/read-workload.ts'
import { madeUpQueries } from '#lab/refresh/made-up-queries.ts'
import { type RefreshTexts, refreshTexts } from '#lab/refresh/refresh-lab.ts'
import { commaList } from '../../cli/settings/options.ts'
import { UsageError } from '../../text/usage-error.ts'
import type { ShelvedArchive } from '../running/archive-shelf.ts'
import { listFlag } from '../running/flags.ts'

const SYNTHETIC_QUERIES = 1000

/** Who asks: the archive's own queries (`judged`), a variant of them, or nobody, so that they are `synthetic`. */
export const workloadFlag = listFlag(
  'names',
  'judged (synthetic, from titles and anchors, where an archive has no queries), or a variant such as popular',
  (text = 'judged') => text,
  'judged',
)

/** Those of the workloads asked for that an archive has. */
export function workloadsOf({ dir }: ShelvedArchive, names: string): string[] {
  const has = (file: string) => existsSync(join(dir, file))
  return commaList(names).flatMap((name) => {
    if (name === 'judged') return has('queries.tsv.gz') ? 'judged' : 'synthetic'
    return has(`queries-${name}.tsv.gz`) ? name : []
  })
}

export function mustHaveWorkload(archives: readonly ShelvedArchive[], names: string): void {
  if (archives.every((archive) => workloadsOf(archive, names).length === 0))
    throw new UsageError(`no archive has the workload "${names}"`)
}

/** Reads an archive for refreshing, with a workload that it has. */
export async function readRefreshTexts(
  { dir }: ShelvedArchive,
  workload: string,
): Promise<RefreshTexts> {
  const archive = await readArchive(dir)
  if (workload === 'synthetic')
    return refreshTexts(archive, madeUpQueries(archive, SYNTHETIC_QUERIES))
  const { queries } = await readWorkload(dir, workload === 'judged' ? {} : { variant: workload })
  return refreshTexts(archive, queries)
}
