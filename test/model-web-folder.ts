import { join } from 'node:path'
import { beforeAll } from 'vitest'
import { writeArchive } from '#archive/format/write-archive.ts'
import { generateModelWeb } from '#lab/model-web/generate.ts'
import { sharedFolder } from '#repository/temporary-folder.test-kit.ts'

/** A folder of its own for a test file, with a small model web in it as long as its tests run. */
export function modelWebFolder(weeks: number) {
  const folder = sharedFolder()
  const inFolder = (file: string) => join(folder, file)
  const archive = inFolder('modelweb')
  beforeAll(() => writeArchive(archive, generateModelWeb({ seed: 3, pages: 600, weeks })))
  return { folder, archive, inFolder }
}
