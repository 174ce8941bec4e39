import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { privateKeySet, publicKeySet } from '#fetch/signing/key-set.ts'
import { DIRECTORY_PATH } from '#fetch/signing/profile.ts'
import { readSigningKeys, type SigningKey } from '#fetch/signing/signing-key.ts'
import { makeFolder } from '#repository/make-folder.ts'
import { UsageError } from '../../text/usage-error.ts'

/** Where an operator's keys are kept, and what is to be published of them. */
export interface IdentityFolder {
  readonly keyFile: string
  /** Goes onto the web site as it is. */
  readonly publicFolder: string
  readonly directoryFile: string
  readonly pageFile: string
}

export function identityFolder(folder: string): IdentityFolder {
  const publicFolder = join(folder, 'public')
  return {
    keyFile: join(folder, 'key.json'),
    publicFolder,
    directoryFile: join(publicFolder, DIRECTORY_PATH),
    pageFile: join(publicFolder, 'index.html'),
  }
}

/** The keys of a folder that `forager identity init` made. */
export function keysIn({ keyFile }: IdentityFolder): readonly SigningKey[] {
  if (!existsSync(keyFile))
    throw new UsageError(`there is no ${keyFile}: forager identity init makes one`)
  return readSigningKeys(readFileSync(keyFile, 'utf8'), keyFile)
}

/** Writes the private keys and the directory of the public ones. */
export function writeKeys(place: IdentityFolder, keys: readonly SigningKey[]): void {
  makeFolder(dirname(place.directoryFile))
  writePrivate(place.keyFile, privateKeySet(keys))
  writeFileSync(place.directoryFile, publicKeySet(keys))
}

/** Nobody else may read it, and a crawl that reads it meanwhile finds the old keys or the new ones. */
function writePrivate(file: string, text: string): void {
  const unfinished = `${file}.new`
  rmSync(unfinished, { force: true })
  writeFileSync(unfinished, text, { mode: 0o600, flag: 'wx' })
  renameSync(unfinished, file)
}
