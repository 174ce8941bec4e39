import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, onTestFinished } from 'vitest'

/** A folder for the test that runs; it is taken away after whatever was opened in it. */
export function temporaryFolder(): string {
  const { folder, takeAway } = newFolder()
  onTestFinished(takeAway)
  return folder
}

/** A folder for all tests of a file. */
export function sharedFolder(): string {
  const { folder, takeAway } = newFolder()
  afterAll(takeAway)
  return folder
}

function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'forager-test-'))
  return { folder, takeAway: () => rmSync(folder, { recursive: true, force: true }) }
}
