import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { staysLinear } from '#numeric/stays-linear.test-kit.ts'
import { sharedFolder } from '#repository/temporary-folder.test-kit.ts'
import { readArchive } from './read-archive.ts'
import { readWorkload } from './read-workload.ts'

const dir = sharedFolder()

interface Files {
  readonly site?: object
  readonly pages?: string
  readonly links?: string
  readonly blocks?: string
  readonly versions?: string
  readonly queries?: string
}

const SITE = {
  format: 'evolution/1',
  id: 'hostile',
  name: 'A hostile archive',
  start: ['https://a.org/'],
  snapshots: [{ i: 0, date: '2024-01-01', live: 1 }],
}
const PAGES = '{"i":0,"url":"https://a.org/","v":[[0,0,0]]}'
const version = (b: string, l = '') =>
  `{"i":0,"p":0,"h":"h","c":"c","t":"","n":1,"b":[${b}],"l":[${l}]}`

let folders = 0
function archiveOf({
  site = SITE,
  pages = PAGES,
  links = '',
  blocks = '',
  ...more
}: Files): string {
  const folder = join(dir, String(folders++))
  mkdirSync(folder)
  writeFileSync(join(folder, 'site.json'), JSON.stringify(site))
  const { versions = version(''), queries } = more
  for (const [name, text] of Object.entries({ pages, links, blocks, versions }))
    writeFileSync(join(folder, `${name}.jsonl.gz`), gzipSync(text))
  if (queries !== undefined) writeFileSync(join(folder, 'queries.tsv.gz'), gzipSync(queries))
  return folder
}

const numbered = (count: number, line: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join('\n')
const day = (i: number) =>
  new Date(Date.UTC(1970, 0, 1) + i * 86_400_000).toISOString().slice(0, 10)

/** Sizes count lines, or entries of one line. */
const SHAPES: Readonly<Record<string, (size: number) => Files>> = {
  'short blocks': (size) => ({ blocks: '[""]\n'.repeat(size) }),
  'one long block': (size) => ({ blocks: `["${'\\u0001'.repeat(size)}"]` }),
  'links to nowhere': (size) => ({ links: numbered(size, (i) => `["${i}",""]`) }),
  'runs of one block': (size) => ({
    blocks: '["a"]',
    versions: version(`${'0,1,'.repeat(size)}0,1`),
  }),
  'runs of one link': (size) => ({
    links: '["a","b"]',
    versions: version('', `${'0,1,'.repeat(size)}0,1`),
  }),
  'pages that come and go': (size) => ({
    site: {
      ...SITE,
      snapshots: Array.from({ length: size }, (_, i) => ({ i, date: day(i), live: 1 })),
    },
    pages: `{"i":0,"url":"https://a.org/","v":[${numbered(size, (i) => `[${i},${i},0]`).replaceAll('\n', ',')}]}`,
  }),
  'versions of one page': (size) => ({
    versions: numbered(size, (i) => version('').replace('"i":0', `"i":${i}`)),
  }),
}

describe('a hostile archive', () => {
  test.each(Object.keys(SHAPES))(
    'of %s: eight times the size takes about eight times as long',
    async (name) => {
      await staysLinear(
        (size) => archiveOf(SHAPES[name](size)),
        (path) => readArchive(path),
        { size: 8000 },
      )
    },
  )

  test('of fields without end is refused at the first line', async () => {
    const path = archiveOf({ queries: `qid\ttext\tweight\n${'\t'.repeat(8 << 20)}` })
    await expect(readWorkload(path)).rejects.toThrow(
      /line 2: needs 3 fields between tabs, has more/,
    )
  })

  test.each([
    [
      'a line that is too long',
      { blocks: `["${'a'.repeat(1 << 24)}"]` },
      /blocks.*line 1: longer than/,
    ],
    [
      'lists in lists',
      { pages: `{"i":${'['.repeat(1e5)}${']'.repeat(1e5)}}` },
      /pages.*line 1: i must be 0.*a value nested too deep/,
    ],
    [
      'a version of endless lines',
      {
        links: '["a",""]\n'.repeat(1 << 12),
        versions: version('', '0,4096,'.repeat(1 << 9).slice(0, -1)),
      },
      /versions.*line 1: l names more than 1048576 lines/,
    ],
    [
      'a version of endless text',
      { blocks: `["${'a'.repeat(1 << 20)}"]`, versions: version('0,1,'.repeat(17).slice(0, -1)) },
      /versions.*line 1: b names a text of 17825792 characters/,
    ],
    [
      'two pages of one address',
      { pages: `${PAGES}\n{"i":1,"url":"https://a.org/","v":[[0,0,0]]}` },
      /line 2: url "https:\/\/a.org\/" is that of page 0/,
    ],
  ])('with %s is refused with its line', async (_, files, message) => {
    await expect(readArchive(archiveOf(files))).rejects.toThrow(message)
  })
})
