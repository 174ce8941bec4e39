import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Option } from 'commander'
import { readArchive } from '#archive/format/read-archive.ts'
import { readWorkload } from '#archive/format/read-workload.ts'
import { madeUpQueries } from '#lab/refresh/made-up-queries.ts'
import { type RefreshTexts, refreshTexts } from '#lab/refresh/refresh-lab.ts'
import { commaList } from '../../cli/settings/options.ts'
import { UsageError } from '../../text/usage-error.ts'
import type { ShelvedArchive } from '../running/archive-shelf.ts'

/** Who asks: the archive's own queries, a variant of them, or nobody, so that they are synthetic. */
export interface NamedWorkload {
  /** `judged`, `synthetic` or the variant. */
  readonly name: string
  readonly variant?: string
}

const SYNTHETIC_QUERIES = 1000

export function workloadFlag(): Option {
  return new Option(
    '--workload <names>',
    'judged (synthetic, from titles and anchors, where an archive has no queries), or a variant such as popular',
  ).default('judged')
}

/** Each archive with those of the workloads asked for that it has. */
export function workloadsOf(
  archives: readonly ShelvedArchive[],
  names: string,
): { readonly archive: ShelvedArchive; readonly workload: NamedWorkload }[] {
  const found = archives.flatMap((archive) => {
    const has = (file: string) => existsSync(join(archive.dir, file))
    return commaList(names).flatMap((name) => {
      if (name === 'judged')
        return { archive, workload: { name: has('queries.tsv.gz') ? 'judged' : 'synthetic' } }
      return has(`queries-${name}.tsv.gz`) ? { archive, workload: { name, variant: name } } : []
    })
  })
  if (found.length === 0) throw new UsageError(`no archive has the workload "${names}"`)
  return found
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
    name === 'synthetic' ? madeUpQueries(archive, SYNTHETIC_QUERIES) : queries,
  )
}
