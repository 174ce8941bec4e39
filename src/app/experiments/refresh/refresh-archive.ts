import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readArchive } from '#archive/format/read-archive.ts'
import { readWorkload } from '#archive/format/read-workload.ts'
import { madeUpQueries } from '#lab/refresh/made-up-queries.ts'
import { type RefreshTexts, refreshTexts } from '#lab/refresh/refresh-lab.ts'
import type { ShelvedArchive } from '../running/archive-shelf.ts'

/** Who asks: the archive's own queries, a variant of them, or nobody, so that they are made up. */
export interface NamedWorkload {
  /** `judged`, `synthetic` or the variant. */
  readonly name: string
  readonly variant?: string
}

const MADE_UP_QUERIES = 1000

/** The workloads of those asked for that an archive has. */
export function workloadsOf({ dir }: ShelvedArchive, names: readonly string[]): NamedWorkload[] {
  const has = (file: string) => existsSync(join(dir, file))
  return names.flatMap((name) => {
    if (name === 'judged') return { name: has('queries.tsv.gz') ? 'judged' : 'synthetic' }
    return has(`queries-${name}.tsv.gz`) ? { name, variant: name } : []
  })
}

/** Reads an archive for refreshing. */
export async function readRefreshTexts(
  { dir }: ShelvedArchive,
  { name, variant }: NamedWorkload,
): Promise<RefreshTexts> {
  const archive = await readArchive(dir)
  const { queries } = await readWorkload(dir, variant === undefined ? {} : { variant })
  return refreshTexts(
    archive,
    name === 'synthetic' ? madeUpQueries(archive, MADE_UP_QUERIES) : queries,
  )
}
