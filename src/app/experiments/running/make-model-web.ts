import { mustBeFree, writeArchive } from '#archive/format/write-archive.ts'
import { generateModelWeb } from '#lab/model-web/generate.ts'

/** What a model web is to be like; the same seed gives the same bytes. */
interface ModelWebSize {
  readonly seed?: number
  /** Pages ever seen, 500 or more; 5000 if left out. */
  readonly pages?: number
  /** Weekly snapshots; 26 if left out. */
  readonly weeks?: number
  /** Whether an archive that is there already may be replaced. */
  readonly replace?: boolean
}

/** Makes a synthetic web with a query log, as an archive in a folder; gives how many queries it has. */
export async function makeModelWeb(
  dir: string,
  { seed = 1, pages = 5000, weeks = 26, replace = false }: ModelWebSize = {},
): Promise<{ readonly queries: number }> {
  await mustBeFree(dir, replace)
  const records = generateModelWeb({ seed, pages, weeks })
  await writeArchive(dir, records, { replace })
  return { queries: records.workload?.queries.length ?? 0 }
}
