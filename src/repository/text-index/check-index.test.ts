import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { defaultAnalyser, defaultScoring } from '#search/full-text/default-search.ts'
import { DamagedFileError } from '../damage.ts'
import { CASES, damageFile, FOR_CASES, randomDamage } from '../random-damage.test-kit.ts'
import { sharedFolder } from '../temporary-folder.test-kit.ts'
import { checkIndex } from './check-index.ts'
import { IndexStore } from './index-store.ts'
import { PageStore } from './page-store.ts'

const QUERIES = ['shared', 'word7', 'anchor3', 'unusual word21 shared', 'a.org']
const PAGES = 60
const dir = sharedFolder()

const page = (id: number, round: number) => ({
  url: `https://a.org/${id}`,
  title: `Title ${id}`,
  text: `shared word${id} round${round} ${'filler '.repeat(id % 9)} ünusual`,
  anchors: [`anchor${id % 10}`],
})

/** An index in three steps, so that there are segments, dead pages and groups of every kind. */
beforeAll(() => {
  const store = new IndexStore(dir)
  const index = store.load(defaultAnalyser)
  const pages = PageStore.open(dir)
  for (const [round, first] of [0, 25, 50].entries()) {
    for (let id = first; id < first + 30 && id < PAGES; id++) {
      const { anchors, ...stored } = page(id, round)
      index.replace(id, { anchors, ...stored })
      pages.put([[id, { ...stored, fetchedAt: round }, { anchors, isHidden: id % 7 === 0 }]])
    }
    index.remove(first + 3)
    pages.remove([first + 3])
    index.replaceAnchors(new Map([[first + 4, ['renewed']]]))
    pages.renew([[first + 4, ['renewed']]])
    store.save(index, pages.bounds)
  }
  pages.close()
})

/** All that can be had of an index. */
function everything(): unknown {
  const index = new IndexStore(dir).load(defaultAnalyser)
  const pages = PageStore.openToRead(dir)!
  try {
    return [
      index.size,
      QUERIES.map((query) => index.search(index.prepare(query, defaultScoring), 99)),
      Array.from({ length: PAGES }, (_, id) => pages.get(id)),
    ]
  } finally {
    pages.close()
  }
}

function readOrError(): unknown {
  try {
    return everything()
  } catch (error) {
    return error
  }
}

test('an index that is whole is found so, with what a kill may leave beside it', async () => {
  expect(await checkIndex(dir)).toEqual([])
  expect(await checkIndex(join(dir, 'nowhere'))).toEqual([])
  const folder = join(dir, 'index')
  const before = everything()
  const sizes = ['terms.txt', 'pages.bin'].map((file) => readFileSync(join(folder, file)))
  for (const file of ['terms.txt', 'pages.bin']) appendFileSync(join(folder, file), 'half a wo')
  for (const file of ['segment-99.bin', 'alive-98.bin', 'manifest.json.new'])
    writeFileSync(join(folder, file), 'left over')
  expect(await checkIndex(dir)).toEqual([])
  expect(everything()).toEqual(before)
  for (const [i, file] of ['terms.txt', 'pages.bin'].entries())
    writeFileSync(join(folder, file), sizes[i])
})

test(
  'whatever happens to a file of the index is named, or changes nothing that is read',
  FOR_CASES,
  async () => {
    const folder = join(dir, 'index')
    const files = readdirSync(folder).filter((name) => !/9[89]\.bin|\.new$/.test(name))
    expect(files.map((name) => name.replace(/\d+/, 'N'))).toEqual(
      expect.arrayContaining([
        'alive-N.bin',
        'manifest.json',
        'pages.bin',
        'segment-N.bin',
        'terms.txt',
      ]),
    )
    const before = everything()
    for (const file of files) {
      const path = join(folder, file)
      const bytes = readFileSync(path)
      const property = fc.asyncProperty(randomDamage, async (damage) => {
        const whole = damageFile(path, damage)
        if (!whole) return
        try {
          const found = (await checkIndex(dir)).map((one) => one.file)
          const read = readOrError()
          if (found.length > 0) expect(found).toContain(`index/${file}`)
          // A reader tells it too, or never comes by the damaged place.
          if (found.length > 0 && read instanceof Error) {
            expect(read).toBeInstanceOf(DamagedFileError)
            expect(read.message).toMatch(`${file} is damaged`)
          } else expect(read).toEqual(before)
        } finally {
          writeFileSync(path, whole)
        }
      })
      await fc.assert(property, { numRuns: CASES })
      rmSync(path)
      expect((await checkIndex(dir)).map((one) => [one.file, one.problem])).toEqual([
        [`index/${file}`, 'it is missing'],
      ])
      expect(everything).toThrow(file)
      writeFileSync(path, bytes)
    }
    expect(everything()).toEqual(before)
  },
)
