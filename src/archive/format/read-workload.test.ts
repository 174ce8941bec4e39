import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { SettingError } from '#errors/setting-error.ts'
import { readWorkload } from './read-workload.ts'

let dir = ''
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'forager-workload-'))
})
afterEach(() => rm(dir, { recursive: true }))

const put = (name: string, text: string) => writeFile(join(dir, name), gzipSync(text))

test('an archive without a workload has an empty one', async () => {
  expect(await readWorkload(dir)).toEqual({ queries: [], judgments: [], clicks: [] })
})

test('a variant has files of its own, and its clicks are summed by page', async () => {
  await put('queries-popular.tsv.gz', 'qid\ttext\tweight\na\tred "fox"\t1.5e+4\n')
  await put('clicks-popular.tsv.gz', 'qid\turl\tclicks\na\tu\t1\nb\tv\t2\nb\tu\t3\n')
  expect(await readWorkload(dir, { variant: 'popular' })).toEqual({
    queries: [{ id: 'a', text: 'red "fox"', weight: 15_000 }],
    judgments: [],
    clicks: [
      { url: 'u', clicks: 4 },
      { url: 'v', clicks: 2 },
    ],
  })
  await expect(readWorkload(dir, { variant: 'rare' })).rejects.toThrow(/no workload "rare"/)
})

test.each([
  ['queries.tsv.gz', 'qid\ttext\n', 1, /header must be qid, text, weight/],
  ['queries.tsv.gz', 'qid\ttext\tweight\na\tfox\n', 2, /needs 3 fields between tabs, has 2/],
  ['queries.tsv.gz', 'qid\ttext\tweight\na\tfox\tmuch\n', 2, /weight must be a number/],
  ['queries.tsv.gz', 'qid\ttext\tweight\na\tfox\t-1\n', 2, /weight must be a number/],
  ['queries.tsv.gz', 'qid\ttext\tweight\na\tfox\t1\na\tfox\t1\n', 3, /query a is listed twice/],
  ['qrels.tsv.gz', 'qid\turl\tgrade\nq\tu\t5\n', 2, /grade must be 0, 1, 2, 3 or 4, not "5"/],
  ['qrels.tsv.gz', 'qid\turl\tgrade\nz\tu\t1\n', 2, /no query z/],
  ['clicks.tsv.gz', 'url\tclicks\nu\t\n', 2, /clicks must be a number/],
])('a fault in %s is named: %j', async (file, text, line, what) => {
  await put('queries.tsv.gz', 'qid\ttext\tweight\nq\tfox\t1\n')
  await put(file, text)
  const error = await readWorkload(dir).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(SettingError)
  expect((error as Error).message).toMatch(what)
  expect((error as Error).message).toContain(`${join(dir, file)}, line ${line}: `)
})
