import { randomUUID } from 'node:crypto'
import { open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { SegmentStore } from '#crawl/segments/segment-store.ts'
import { SettingError } from '#errors/setting-error.ts'
import { makeFolder } from '../make-folder.ts'

/** What a kill left behind begins with this. */
const DRAFT = '.draft-'

/** Segments in a folder that all machines see. */
export async function folderSegments(dir: string): Promise<SegmentStore> {
  try {
    makeFolder(dir)
    // Who cannot write there should hear of it at once, and not by a fetch that cannot be kept.
    await writeWhole(dir, `${DRAFT}${randomUUID()}`, new Uint8Array())
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOSPC') throw cause
    const reason = `{store}: ${dir} cannot be written (${code}); choose another place`
    throw new SettingError('store', reason, { cause })
  }
  return {
    async put(name, bytes) {
      const draft = `${DRAFT}${randomUUID()}`
      try {
        await writeWhole(dir, draft, bytes, name)
      } catch (error) {
        await rm(join(dir, draft), { force: true }).catch(() => {})
        throw error
      }
    },
    async get(name) {
      try {
        return await readFile(join(dir, name))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw error
      }
    },
    async list() {
      const names = await readdir(dir)
      return names.filter((name) => !name.startsWith('.')).toSorted()
    },
    remove: (name) => rm(join(dir, name), { force: true }),
    async close() {},
  }
}

/** Without a sync before the rename, a power cut may leave the new name on an empty file. Without a name it is only tried. */
async function writeWhole(dir: string, draft: string, bytes: Uint8Array, name?: string) {
  const path = join(dir, draft)
  const file = await open(path, 'wx')
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
  if (name === undefined) return rm(path)
  await rename(path, join(dir, name))
  const folder = await open(dir, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
