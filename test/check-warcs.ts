import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { WARCParser } from 'warcio'
import { askTables } from '#repository/database/ask-tables.test-kit.ts'
import { readWarc } from '#repository/warc/read/warc-reader.ts'

export interface WarcCheck {
  readonly files: number
  readonly records: number
  /** Fetches without a record. */
  readonly missing: readonly string[]
  /**
   * Records more than fetches: a kill came after the record and before the journal's line. A
   * robots.txt is no fetch, and may be asked for again after a kill.
   */
  readonly spare: number
  /** Places that the tables name and that hold another page, or none. */
  readonly misplaced: readonly string[]
}

/** Reads all WARC files to their ends, with our reader and with warcio; damage is an error. */
export async function checkWarcs(dir: string, finished: ReadonlySet<string>): Promise<WarcCheck> {
  const folder = join(dir, 'warc')
  const names = readdirSync(folder).filter((name) => name.endsWith('.warc.gz'))
  const seen: string[] = []
  const places = new Map<string, string>()
  for (const name of names) {
    const here: string[] = []
    for await (const { type, fields, offset } of readWarc(join(folder, name))) {
      if (type !== 'response' && type !== 'revisit') continue
      const url = fields.get('warc-target-uri') ?? ''
      here.push(url)
      places.set(`${name} ${offset}`, url)
    }
    if (String(await urlsByWarcio(join(folder, name))) !== String(here))
      throw new Error(`${name}: warcio sees other records than we do`)
    seen.push(...here)
  }
  const recorded = new Set(seen)
  const pages = seen.filter((url) => !url.endsWith('/robots.txt'))
  return {
    files: names.length,
    records: seen.length,
    missing: [...finished].filter((url) => !recorded.has(url)),
    spare: pages.length - new Set(pages).size,
    misplaced: await misplacedIn(dir, places),
  }
}

async function urlsByWarcio(path: string): Promise<string[]> {
  const urls: string[] = []
  for await (const record of new WARCParser([readFileSync(path)])) {
    await record.readFully(false)
    if (record.warcType === 'response' || record.warcType === 'revisit')
      urls.push(record.warcTargetURI ?? '')
    await record.skipFully()
  }
  return urls
}

/** Fetches whose place in the tables does not hold their record. */
async function misplacedIn(dir: string, places: ReadonlyMap<string, string>): Promise<string[]> {
  const fetches = await askTables(
    dir,
    'SELECT u.url, f.warc_file, f.warc_offset FROM fetch_log f JOIN url u ON u.id = f.url_id',
  )
  return fetches
    .filter(({ url, warc_file, warc_offset }) => places.get(`${warc_file} ${warc_offset}`) !== url)
    .map(({ url }) => String(url))
}
