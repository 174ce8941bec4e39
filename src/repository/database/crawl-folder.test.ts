import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { smallArchive } from '#archive/format/small-archive.test-kit.ts'
import { writeArchive } from '#archive/format/write-archive.ts'
import { SettingError } from '#errors/setting-error.ts'
import { sharedFolder } from '../temporary-folder.test-kit.ts'
import { openDatabase } from './open-database.ts'

const root = sharedFolder()

let dir: string
let count = 0
beforeEach(() => {
  dir = join(root, `dir-${count++}`)
})

/** Makes files, and folders on the way, by their paths in `dir`. */
function put(...files: string[]): void {
  for (const file of files) {
    mkdirSync(dirname(join(dir, file)), { recursive: true })
    writeFileSync(join(dir, file), 'kept')
  }
}

async function opens(): Promise<void> {
  const { close } = await openDatabase(dir)
  close()
}

test('no crawl begins in the folder of a recorded web', async () => {
  await writeArchive(dir, smallArchive(1, {}))
  const before = readdirSync(dir)
  await expect(openDatabase(dir)).rejects.toThrow(
    new SettingError(
      'dir',
      `${dir} holds a recorded web, which {archive} reads and a crawl must not be mixed with: choose another {dir}`,
    ),
  )
  expect(readdirSync(dir)).toEqual(before)
})

test('a crawl that an earlier version began there still opens', async () => {
  await opens()
  put('Documents/letter.txt')
  writeFileSync(join(dir, 'site.json'), '{"format":"evolution/1"}')
  await opens()
})

test('no crawl begins among the folders of somebody else', async () => {
  put('Documents/letter.txt')
  await expect(openDatabase(dir)).rejects.toThrow(
    `${dir} is a folder of other things (Documents/), not of a crawl: choose another dir, such as ${join(dir, 'forager-data')}`,
  )
  expect(readdirSync(dir)).toEqual(['Documents'])
})

test.each(['index/terms.txt', 'segments/cycle-3.jsonl'])(
  'what would be taken for a part of the new crawl is not touched: %s',
  async (file) => {
    put(file)
    await expect(openDatabase(dir)).rejects.toThrow(/left over.*move it away/)
  },
)

test.each([
  [['forager.config.json', 'seeds.txt', '.git/HEAD']],
  [['lost+found/x', 'warc/a.warc.gz', 'queries/events-2026-01-01.jsonl']],
  [['site.json']],
])('a crawl may begin beside %s', async (files) => {
  put(...files)
  await opens()
})

test('of a crawl that could not begin nothing is left, and nothing else is lost', async () => {
  const inner = join(dir, 'deep', 'crawl')
  const made = await openDatabase(inner)
  made.discard()
  expect(existsSync(dir)).toBe(false)

  put('seeds.txt', 'warc/a.warc.gz')
  const among = await openDatabase(dir)
  among.discard()
  expect(readdirSync(dir).sort()).toEqual(['seeds.txt', 'warc'])

  await opens()
  const again = await openDatabase(dir)
  again.discard()
  expect(existsSync(join(dir, 'state.duckdb'))).toBe(true)
})
