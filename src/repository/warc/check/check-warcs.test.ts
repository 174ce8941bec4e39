import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { crawlInto } from '../../crawled-directory.test-kit.ts'
import { CASES, damageFile, FOR_CASES, randomDamage } from '../../random-damage.test-kit.ts'
import { sharedFolder } from '../../temporary-folder.test-kit.ts'
import { readCdxjLine } from '../cdxj.ts'
import { readWarc } from '../read/warc-reader.ts'
import { openWriter, warcNames } from '../warc.test-kit.ts'
import { checkWarcs, repairWarcs } from './check-warcs.ts'

const folder = sharedFolder()
let crawled: string

beforeAll(async () => {
  crawled = join(folder, 'crawled')
  await crawlInto(crawled, { pages: 25, weeks: 2 })
})

function copyOf(dir: string): string {
  const copy = mkdtempSync(join(folder, 'copy-'))
  cpSync(dir, copy, { recursive: true })
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }))
  return copy
}

/** Every record that can be read, by file and place. */
async function records(dir: string): Promise<Map<string, unknown>> {
  const all = new Map<string, unknown>()
  for (const name of warcNames(join(dir, 'warc')))
    for await (const { offset, type, fields, block } of readWarc(join(dir, 'warc', name), {
      onDamage: () => {},
    }))
      all.set(`${name} ${offset}`, [type, [...fields], block.toString('latin1')])
  return all
}

/** Whole lines of the index: what a kill leaves of the last one is cut off by the next crawl. */
function entries(dir: string): unknown[] {
  const lines = readFileSync(join(dir, 'warc', 'index.cdxj'), 'utf8')
    .split('\n')
    .slice(0, -1)
  return lines.map(readCdxjLine)
}

test('files that are whole are found so', async () => {
  expect(warcNames(join(crawled, 'warc')).length).toBeGreaterThan(2)
  expect(await checkWarcs(crawled)).toEqual([])
  expect(await checkWarcs(join(folder, 'nowhere'))).toEqual([])
})

test(
  'whatever happens to WARC files is named or changes nothing, and is settled by a repair',
  FOR_CASES,
  async () => {
    const names = [...warcNames(join(crawled, 'warc')), 'index.cdxj']
    const before = await records(crawled)
    const entriesBefore = entries(crawled)
    const dir = copyOf(crawled)
    const property = fc.asyncProperty(
      fc.constantFrom(...names),
      randomDamage,
      async (name, damage) => {
        const path = join(dir, 'warc', name)
        const whole = damageFile(path, damage)
        if (!whole) return
        const found = await checkWarcs(dir)
        if (found.length === 0) {
          expect(await records(dir)).toEqual(before)
          expect(entries(dir)).toEqual(entriesBefore)
        } else if (name === 'index.cdxj') {
          expect(found.map(({ file }) => file)).toEqual(['warc/index.cdxj'])
          expect(await repairWarcs(dir)).toEqual([])
          expect(entries(dir)).toEqual(entriesBefore)
        } else {
          expect(found.map(({ file }) => file)).toContain(`warc/${name}`)
          const lost = await repairWarcs(dir)
          expect(lost.map(({ file }) => file)).toEqual(lost.map(() => `warc/${name}`))
          const left = await records(dir)
          for (const [place, record] of left) expect(record).toEqual(before.get(place))
          // Whatever is gone is told: exchanges by URL.
          for (const [place, record] of before) {
            const [type, fields] = record as [string, [string, string][]]
            if (left.has(place) || (type !== 'response' && type !== 'revisit')) continue
            const url = new Map(fields).get('warc-target-uri')!
            const shown = lost.map((one) => one.lost).join(' ')
            if (!shown.includes('…')) expect(shown).toContain(url)
          }
        }
        expect(await checkWarcs(dir)).toEqual([])
        writeFileSync(path, whole)
        rmSync(join(dir, 'warc', 'damaged.jsonl'), { force: true })
        cpSync(join(crawled, 'warc', 'index.cdxj'), join(dir, 'warc', 'index.cdxj'))
      },
    )
    await fc.assert(property, { numRuns: CASES })
  },
)

test('a crawl goes on after a repair, and nothing takes the place of what was lost', async () => {
  const dir = copyOf(crawled)
  const newest = warcNames(join(dir, 'warc')).at(-1)!
  const path = join(dir, 'warc', newest)
  truncateSync(path, readFileSync(path).length - 2_000)
  const [found] = await checkWarcs(dir)
  expect(found).toMatchObject({ file: `warc/${newest}`, lost: expect.stringMatching(/https:/) })
  await repairWarcs(dir)
  expect(await checkWarcs(dir)).toEqual([])
  const size = readFileSync(path).length
  await crawlInto(dir, { pages: 25, from: 2, weeks: 1 })
  expect(readFileSync(path).length).toBe(size)
  expect(warcNames(join(dir, 'warc')).at(-1)).not.toBe(newest)
  expect(await checkWarcs(dir)).toEqual([])
})

test('a file that is missing is named with what it held', async () => {
  const dir = copyOf(crawled)
  const [oldest] = warcNames(join(dir, 'warc'))
  rmSync(join(dir, 'warc', oldest))
  const found = await checkWarcs(dir)
  expect(found.map(({ file }) => file)).toContain(`warc/${oldest}`)
  expect(found[0].lost).toMatch(/exchanges \(https:/)
})

test('what a kill leaves is no damage', async () => {
  const dir = copyOf(crawled)
  const warcs = join(dir, 'warc')
  const newest = join(warcs, warcNames(warcs).at(-1)!)
  const bytes = readFileSync(newest)
  const [first] = readFileSync(join(warcs, 'index.cdxj'), 'utf8').split('\n')
  for (const left of [bytes.subarray(0, 100), bytes.subarray(0, 700), Buffer.from('x')]) {
    writeFileSync(newest, Buffer.concat([bytes, left]))
    expect(await checkWarcs(dir)).toEqual([])
  }
  writeFileSync(
    join(warcs, 'index.cdxj'),
    `${readFileSync(join(warcs, 'index.cdxj'))}${first.slice(0, 40)}`,
  )
  writeFileSync(join(warcs, 'index.cdxj.partial'), first)
  expect(await checkWarcs(dir)).toEqual([])
  const writer = await openWriter(warcs)
  expect(writer.opened).toMatchObject({ cutBytes: 1, indexed: 0 })
  await writer.close()
  expect(readdirSync(warcs)).toContain('index.cdxj')
})
