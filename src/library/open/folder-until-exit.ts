import { mkdtempSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { SettingError } from '#errors/setting-error.ts'
import { isDiskFull } from './disk-full.ts'

const folders = new Set<string>()

/** A folder for what is not to be kept: it is gone when the program ends, also by Ctrl-C. */
export function folderUntilExit(prefix: string): string {
  if (folders.size === 0) removeAtExit()
  const folder = temporaryFolder(prefix)
  folders.add(folder)
  return folder
}

/** Such a folder for the copy of tables that somebody looks at while another writes them. */
export function folderForCopy(): string {
  return folderUntilExit('forager-look-')
}

function temporaryFolder(prefix: string): string {
  try {
    return mkdtempSync(join(tmpdir(), prefix))
  } catch (cause) {
    if (isDiskFull(cause)) throw cause
    const { code } = cause as NodeJS.ErrnoException
    throw new SettingError(
      'TMPDIR',
      `no temporary folder can be made in ${tmpdir()} (${code}): let TMPDIR name a folder that can be written`,
      { cause },
    )
  }
}

/** A signal ends a program without its 'exit' event, unless somebody listens and exits himself. */
function removeAtExit(): void {
  process.once('exit', () => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  })
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => process.exit(128 + constants.signals[signal]))
}
