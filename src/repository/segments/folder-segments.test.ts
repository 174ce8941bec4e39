import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { MemorySegments } from '#crawl/segments/memory-segments.test-kit.ts'
import { sharedFolder } from '../temporary-folder.test-kit.ts'
import { folderSegments } from './folder-segments.ts'
import { segmentsContract } from './segments-contract.test-kit.ts'

const folder = sharedFolder()
let folders = 0

describe('segments in memory', () => segmentsContract(async () => new MemorySegments()))

describe('segments in a folder', () => {
  segmentsContract(() => folderSegments(join(folder, `${folders++}`)))

  it('leaves no draft behind, and none that a kill left is taken for a segment', async () => {
    const dir = join(folder, 'drafts')
    const store = await folderSegments(dir)
    writeFileSync(join(dir, '.draft-of-somebody'), 'half')
    await store.put('whole', Buffer.from('whole'))
    expect(await store.list()).toEqual(['whole'])
    expect(readdirSync(dir).sort()).toEqual(['.draft-of-somebody', 'whole'])
  })

  it('complains at once about a place that is no folder', async () => {
    writeFileSync(join(folder, 'file'), '')
    await expect(folderSegments(join(folder, 'file'))).rejects.toThrow('cannot be written')
  })
})
