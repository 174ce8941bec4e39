import { accessSync, constants, existsSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from '#repository/make-folder.ts'
import { UsageError } from '../../text/usage-error.ts'

/** Writes what a flag asked for. Makes the folders on the way, as `--out results/today/out.json` expects. */
export function writeResult(flag: string, file: string, content: string): void {
  writing(flag, file, () => {
    makeFolder(dirname(file))
    writeFileSync(file, content)
  })
}

/** Complains at once about a file that could not be written after hours of work. */
export function mustBeWritable(flag: string, file: string): void {
  writing(flag, file, () => {
    makeFolder(dirname(file))
    if (!existsSync(file)) accessSync(dirname(file), constants.W_OK)
    else if (statSync(file).isDirectory()) throw Object.assign(new Error(file), { code: 'EISDIR' })
    else accessSync(file, constants.W_OK)
  })
}

/** The same for a folder that files will go into. */
export function mustBeWritableFolder(flag: string, dir: string): void {
  writing(flag, dir, () => {
    makeFolder(dir)
    accessSync(dir, constants.W_OK)
  })
}

/** Tries to write; a place that cannot be written to is the user's to change. */
export function writing<Made>(flag: string, file: string, write: () => Made): Made {
  try {
    return write()
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOSPC') throw cause
    throw new UsageError(`${flag}: ${file} cannot be written (${code}); choose another place`, {
      cause,
    })
  }
}
