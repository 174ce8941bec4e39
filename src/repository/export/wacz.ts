import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { basename, join } from 'node:path'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import { putInPlace } from '../durable-file.ts'
import { cdxjLine } from '../warc/cdxj.ts'
import { indexWarc } from '../warc/index-warc.ts'
import { sortCdxj } from '../warc/sort-cdxj.ts'
import { ZipFile } from './zip-file.ts'

const WACZ_VERSION = '1.1.1'
const PAGES_HEAD = { format: 'json-pages-1.0', id: 'pages', title: 'All pages' }

interface WaczContents {
  /** WARC files, and rows of pages as JSON lines. */
  readonly warcs: readonly string[]
  readonly pageRows: readonly string[]
  readonly software: string
  /** Where drafts of lists go. */
  readonly folder: string
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Packs WARC files with an index and a list of pages into one WACZ file, which replay programs open as it is. */
export async function writeWacz(path: string, contents: WaczContents): Promise<void> {
  const { warcs, folder, software, now } = contents
  const index = join(folder, '_index.cdxj')
  const pages = join(folder, '_pages.jsonl')
  await writeIndex(index, warcs)
  await writePageList(pages, contents.pageRows)
  const draft = `${path}.new`
  const zip = await ZipFile.create(draft)
  const files = []
  for (const warc of warcs) files.push(await zip.add(`archive/${basename(warc)}`, warc))
  files.push(await zip.add('indexes/index.cdx', index))
  files.push(await zip.add('pages/pages.jsonl', pages))
  const datapackage = Buffer.from(
    JSON.stringify(
      {
        profile: 'data-package',
        wacz_version: WACZ_VERSION,
        software,
        created: new Date(now).toISOString(),
        resources: files.map(({ name, bytes, sha256 }) => ({
          ...{ name: basename(name), path: name, hash: `sha256:${sha256}`, bytes },
        })),
      },
      null,
      2,
    ),
  )
  await zip.add('datapackage.json', datapackage)
  const hash = `sha256:${createHash('sha256').update(datapackage).digest('hex')}`
  await zip.add(
    'datapackage-digest.json',
    Buffer.from(JSON.stringify({ path: 'datapackage.json', hash })),
  )
  await zip.close()
  putInPlace(draft, path)
}

async function writeIndex(path: string, warcs: readonly string[]): Promise<void> {
  async function* lines() {
    for (const warc of warcs) for await (const entry of indexWarc(warc)) yield cdxjLine(entry)
  }
  await pipeline(lines, createWriteStream(path))
  await sortCdxj(path)
}

async function writePageList(path: string, rows: readonly string[]): Promise<void> {
  async function* lines() {
    yield `${JSON.stringify(PAGES_HEAD)}\n`
    for (const file of rows)
      for await (const line of createInterface({ input: createReadStream(file) })) {
        const { url, title, content_at, text } = JSON.parse(line)
        const page = { id: randomUUID(), url, ts: content_at, title: title ?? undefined }
        yield `${JSON.stringify({ ...page, text: text ?? undefined })}\n`
      }
  }
  await pipeline(lines, createWriteStream(path))
}
