import {
  closeSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'

/**
 * Writes a file that is there whole on return, also after a power cut; until then the old one counts.
 * A kill may leave a draft beside it, `.new`.
 */
export function writeDurably(path: string, ...parts: readonly NodeJS.ArrayBufferView[]): void {
  const draft = `${path}.new`
  try {
    const file = openSync(draft, 'w')
    try {
      for (const part of parts) writeWhole(file, part)
    } finally {
      closeSync(file)
    }
    putInPlace(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

/** Writes a file that others read meanwhile: they find the old text or the new one. A power cut may take it. */
export function writeAtOnce(path: string, text: string, mode?: number): void {
  const draft = `${path}.${process.pid}`
  try {
    writeFileSync(draft, text, { mode })
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

/**
 * Moves a finished file, or a folder whose files are on disk, to its place for good. Without a sync
 * before the rename, a power cut may leave the new name on an empty file.
 */
export function putInPlace(draft: string, path: string): void {
  syncToDisk(draft)
  renameSync(draft, path)
  syncToDisk(dirname(path))
}

/** Makes what is in a file, or the names in a folder, outlive a power cut. */
export function syncToDisk(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

function writeWhole(file: number, part: NodeJS.ArrayBufferView): void {
  const bytes = new Uint8Array(part.buffer, part.byteOffset, part.byteLength)
  let written = 0
  while (written < bytes.length) written += writeSync(file, bytes, written)
}
