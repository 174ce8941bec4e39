import { join } from 'node:path'
import type { Archive } from './archive.ts'
import { assembleArchive, type ColumnsOfFiles } from './assemble-archive.ts'
import { forEachGzipLine } from './gzip-lines.ts'
import { BlockColumns, LinkColumns, PageColumns, VersionColumns } from './line-columns.ts'
import { lineError } from './line-error.ts'
import { readSite } from './read-site.ts'

export interface ReadArchiveOptions {
  /** False leaves the text blocks on disk: enough for links, and a fraction of the memory. */
  readonly text?: boolean
}

/** The archive in a folder, every line of it checked; a fault is a `SettingError` that names its line. */
export async function readArchive(dir: string, options: ReadArchiveOptions = {}): Promise<Archive> {
  const site = await readSite(dir)
  const pages = new PageColumns(site.snapshots.length)
  await readLines(join(dir, 'pages.jsonl.gz'), pages)
  const links = new LinkColumns(pages.urls)
  await readLines(join(dir, 'links.jsonl.gz'), links)
  const blocks = options.text === false ? undefined : new BlockColumns()
  if (blocks) await readLines(join(dir, 'blocks.jsonl.gz'), blocks)
  const versions = new VersionColumns(pages.count, links.count, blocks)
  await readLines(join(dir, 'versions.jsonl.gz'), versions)
  const columns: ColumnsOfFiles = { pages, versions, links, blocks }
  return assembleArchive(site, columns, (file) => join(dir, file))
}

/** What takes the lines of one file, in order, and says what is wrong with one. */
interface LineColumns {
  add(value: unknown, index: number): string | undefined
}

async function readLines(path: string, columns: LineColumns): Promise<void> {
  await forEachGzipLine(path, (text, line) => {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch (cause) {
      const what = text === '' ? 'empty line' : `not JSON (${(cause as Error).message})`
      throw lineError(path, line, what)
    }
    const wrong = columns.add(value, line - 1)
    if (wrong) throw lineError(path, line, wrong)
  })
}
