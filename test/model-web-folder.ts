import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { writeArchive } from '#archive/format/write-archive.ts'
import { generateModelWeb } from '#lab/model-web/generate.ts'

/** A folder of its own for a test file, with a small model web in it as long as its tests run. */
export function modelWebFolder(name: string, weeks: number) {
  const folder = mkdtempSync(join(tmpdir(), `forager-${name}-`))
  const inFolder = (file: string) => join(folder, file)
  const archive = inFolder('modelweb')
  beforeAll(() => writeArchive(archive, generateModelWeb({ seed: 3, pages: 600, weeks })))
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true })
  })
  return { folder, archive, inFolder }
}
