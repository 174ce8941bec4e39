import { createReadStream, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { beforeAll, expect, test } from 'vitest'
import { WARCParser } from 'warcio'
import { crawlInto } from '#repository/crawled-directory.test-kit.ts'
import { askTables } from '#repository/database/ask-tables.test-kit.ts'
import { sharedFolder } from '#repository/temporary-folder.test-kit.ts'
import { storedAnswer } from '#repository/warc/stored-answer.ts'
import { exportCrawl, exportWacz } from './export-crawl.ts'

const root = sharedFolder()
let dir: string
beforeAll(async () => {
  dir = join(root, 'crawl')
  for (const from of [0, 0, 1]) await crawlInto(dir, { pages: 40, weeks: 1, from })
})

/** What another program reads in a WARC file: types of records, and bodies by URL. */
async function readBack(file: string) {
  const types: string[] = []
  const bodies = new Map<string, string>()
  for await (const record of new WARCParser(createReadStream(file) as never)) {
    types.push(`${record.warcType}`)
    if (record.warcType === 'response')
      bodies.set(`${record.warcTargetURI}`, await record.contentText())
  }
  return { types, bodies }
}

/** The content of each page as its WARC record has it. */
async function contents(): Promise<Map<string, string>> {
  const rows = await askTables(
    dir,
    `SELECT u.url, f.warc_file AS file, f.warc_offset AS "offset"
     FROM page p JOIN url u ON u.id = p.url_id JOIN fetch_log f ON f.id = p.fetch_id
     QUALIFY row_number() OVER (PARTITION BY p.url_id ORDER BY p.fetch_id DESC) = 1`,
  )
  const bodies = new Map<string, string>()
  for (const { url, file, offset } of rows) {
    const answer = await storedAnswer(join(dir, 'warc'), {
      file: `${file}`,
      offset: Number(offset),
    })
    bodies.set(`${url}`, answer!.body.toString())
  }
  return bodies
}

test('WARC files have the last content of each page, with its request', async () => {
  const out = join(root, 'warcs')
  const { rows, parts, missing } = await exportCrawl({
    dir,
    what: 'pages',
    format: 'warc',
    out,
    partBytes: 9_000,
  })
  expect({ rows, missing }).toEqual({ rows: 40, missing: undefined })
  expect(parts).toBeGreaterThan(1)
  const bodies = new Map<string, string>()
  for (const name of readdirSync(out).filter((name) => name.endsWith('.warc.gz'))) {
    const read = await readBack(join(out, name))
    expect(read.types[0]).toBe('warcinfo')
    expect(read.types.filter((type) => type === 'request').length).toBe(read.bodies.size)
    for (const [url, body] of read.bodies) bodies.set(url, body)
  }
  expect(bodies).toEqual(await contents())
})

test('every exchange can be had, and what is damaged is counted and left out', async () => {
  const copy = join(root, 'damaged-warcs')
  const out = join(root, 'fetches')
  const stream = { dir, what: 'fetches', format: 'warc', out, warcDir: copy } as const
  const [{ fetches }] = await askTables(dir, 'SELECT count(*)::INT AS fetches FROM fetch_log')
  expect(await exportCrawl(stream)).toMatchObject({ rows: 0, missing: fetches })
  const whole = { ...stream, out: join(root, 'all-fetches'), warcDir: undefined }
  expect(await exportCrawl(whole)).toMatchObject({ rows: fetches })
})

test('a WACZ file has WARC files, an index that fits them, and a list of pages; a killed one goes on', async () => {
  const out = join(root, 'site.wacz')
  const options = { dir, what: 'pages', out, sites: ['h1.example'], partBytes: 2_000 } as const
  const killed = () => {
    throw new Error('killed')
  }
  await expect(exportWacz({ ...options, onPart: killed })).rejects.toThrow('killed')
  expect(existsSync(out)).toBe(false)
  const { rows } = await exportWacz(options)
  expect(existsSync(`${out}.parts`)).toBe(false)

  const files = unzipped(readFileSync(out))
  const archives = [...files.keys()].filter((name) => name.startsWith('archive/'))
  expect(archives.length).toBeGreaterThan(1)
  const [head, ...pages] = files.get('pages/pages.jsonl')!.toString().trim().split('\n')
  expect(JSON.parse(head)).toMatchObject({ format: 'json-pages-1.0' })
  const listed = pages.map((line) => JSON.parse(line))
  expect(listed.length).toBe(rows)
  expect(listed.every(({ url }) => url.startsWith('https://h1.example/'))).toBe(true)

  const index = files.get('indexes/index.cdx')!.toString().trim().split('\n')
  expect(index).toEqual([...index].sort())
  for (const line of index) {
    const { filename, offset, length, url } = JSON.parse(line.slice(line.indexOf('{')))
    const member = files
      .get(`archive/${filename}`)!
      .subarray(Number(offset), Number(offset) + Number(length))
    const path = join(root, 'one.warc.gz')
    writeFileSync(path, member)
    expect([...(await readBack(path)).bodies.keys()]).toEqual([url])
  }
  const { resources } = JSON.parse(files.get('datapackage.json')!.toString())
  expect(resources.map(({ path }: { path: string }) => path).sort()).toEqual(
    [...files.keys()].filter((name) => !name.startsWith('datapackage')).sort(),
  )
  await expect(exportWacz(options)).rejects.toThrow(/is there already/)
})

test('only pages and fetches lie in WARC files', async () => {
  const out = new Writable()
  await expect(exportCrawl({ dir, what: 'links', format: 'warc', out })).rejects.toThrow(
    /do not lie/,
  )
  await expect(exportWacz({ dir, what: 'queries', out: 'x' })).rejects.toThrow(/do not lie/)
})

/** Files of a ZIP archive that are stored as they are, by its table of contents. */
function unzipped(zip: Buffer): Map<string, Buffer> {
  const end = zip.lastIndexOf('PK\x05\x06')
  const files = new Map<string, Buffer>()
  let at = zip.readUInt32LE(end + 16)
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const [bytes, nameBytes, extraBytes] = [
      zip.readUInt32LE(at + 24),
      zip.readUInt16LE(at + 28),
      zip.readUInt16LE(at + 30),
    ]
    const local = zip.readUInt32LE(at + 42)
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    files.set(
      zip.toString('utf8', at + 46, at + 46 + nameBytes),
      zip.subarray(start, start + bytes),
    )
    at += 46 + nameBytes + extraBytes
  }
  return files
}
