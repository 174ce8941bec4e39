import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Copies an archive with one of its files changed; gives the copy's folder. */
export function damagedArchive(
  archive: string,
  dir: string,
  file: string,
  change: (bytes: Buffer) => Buffer,
): string {
  mkdirSync(dir)
  for (const entry of readdirSync(archive)) {
    const bytes = readFileSync(join(archive, entry))
    writeFileSync(join(dir, entry), entry === file ? change(bytes) : bytes)
  }
  return dir
}
