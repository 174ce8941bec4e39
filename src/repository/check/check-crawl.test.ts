import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DamagedFileError } from '../damage.ts'
import { temporaryFolder } from '../temporary-folder.test-kit.ts'
import { checkCrawl, type Part, repairCrawl } from './check-crawl.ts'

const DAMAGE = { file: 'a.bin', problem: 'its checksum does not match', lost: '2 pages' }

function part(name: string, check: Part['check'], repair: Part['repair']): Part {
  return { name, paths: [], whileCrawling: true, check, repair }
}

function emptyPlace() {
  const dir = temporaryFolder()
  return { dir, warcDir: join(dir, 'warc') }
}

test('a part that cannot be checked, as another is lost, does not stop the repair of the rest', async () => {
  const place = emptyPlace()
  const mended: string[] = []
  const mends = (name: string) => async () => {
    mended.push(name)
    return [DAMAGE]
  }
  const parts = [
    part('lost', async () => [DAMAGE], mends('lost')),
    part(
      'blind',
      async () => {
        throw new DamagedFileError('a.bin', 'it cannot be read', place.dir)
      },
      mends('blind'),
    ),
    part('last', async () => [DAMAGE], mends('last')),
  ]
  const repaired = await repairCrawl(place, parts)
  expect(mended).toEqual(['lost', 'last'])
  expect(repaired.map(({ name, lost }) => [name, lost])).toEqual([
    ['lost', [DAMAGE]],
    ['last', [DAMAGE]],
  ])
  const checked = await checkCrawl(place, parts)
  expect(checked[1]).toMatchObject({ damages: [], skipped: 'other parts must be mended first' })
})

test('what is no damage ends a repair', async () => {
  const fault = part(
    'ours',
    () => Promise.reject(new Error('a fault of ours')),
    async () => [],
  )
  await expect(repairCrawl(emptyPlace(), [fault])).rejects.toThrow('a fault of ours')
})
