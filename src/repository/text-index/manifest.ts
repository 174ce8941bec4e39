import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { SettingError } from '#errors/setting-error.ts'
import { writeDurably } from '../durable-file.ts'
import { IndexFolder } from './index-folder.ts'
import type { KnownSeal, Seal } from './seal.ts'

export const MANIFEST_FILE = 'manifest.json'
export const TERMS_FILE = 'terms.txt'
/** The words of the pages. */
export const PAGES_FILE = 'pages.bin'

/** How much of the file of the pages' words counts. */
export interface PageBounds {
  readonly bytes: number
  /** So many of them, at its beginning, hold groups of the first edition, without checksums. */
  readonly unmarkedBytes: number
}

/** A file that is written once. */
export type ListedFile<S extends KnownSeal = Seal> = S & { readonly file: string }

export interface ListedSegment<S extends KnownSeal = Seal> {
  readonly segment: ListedFile<S>
  /** Left out if all its pages are alive. */
  readonly alive?: ListedFile<S>
}

/** What belongs to the index; everything else in the folder is left over from a kill. */
export interface Manifest<S extends KnownSeal = Seal> {
  readonly format: number
  /** The part of `terms.txt` that counts: that file grows. */
  readonly terms: S
  /** Unknown where no words are kept, and in the oldest indices. */
  readonly pages?: PageBounds
  readonly segments: readonly ListedSegment<S>[]
}

/** The first with checksums; all pages are read as English. */
export const ENGLISH_FORMAT = 2
/** Pages are read in their language. */
export const FORMAT = 3

/**
 * The manifest of a crawl's index; undefined before the first. That of a first edition has no checksums; in all
 * others a checksum guards the manifest itself.
 */
export function readManifest(dir: string): Manifest<KnownSeal> | undefined {
  const folder = new IndexFolder(dir)
  if (!existsSync(join(folder.path, MANIFEST_FILE))) return undefined
  const text = folder.readAny(MANIFEST_FILE).toString('utf8')
  const parsed = parsedJson(text)
  // Nothing but the very text that we would write: so no byte of it can be another unnoticed.
  if (parsed === undefined || JSON.stringify(parsed) !== text)
    throw folder.damaged(MANIFEST_FILE, 'it is not as it was written')
  if (isFirstEdition(parsed)) return fromFirstEdition(parsed)
  const { crc, ...content } = parsed as { crc?: number; format?: number }
  if (crc !== crcOf(content)) throw folder.damaged(MANIFEST_FILE, 'its checksum does not match')
  if (content.format !== FORMAT && content.format !== ENGLISH_FORMAT)
    throw new SettingError('dir', `the index in ${folder.path} is of a newer forager: use that one`)
  return content as unknown as Manifest
}

/** Makes a manifest the one that counts. */
export function writeManifest(dir: string, { format, terms, pages, segments }: Manifest): void {
  const content = { format, terms, pages, segments }
  const text = JSON.stringify({ ...content, crc: crcOf(content) })
  writeDurably(join(dir, 'index', MANIFEST_FILE), Buffer.from(text))
}

function crcOf(content: object): number {
  return crc32(JSON.stringify(content))
}

/** As it was before there were checksums. */
interface FirstEdition {
  readonly format: 1
  readonly termBytes: number
  readonly pageBytes?: number
  readonly segments: readonly { readonly file: string; readonly alive?: string }[]
}

/** By all its keys: one of ours in which the number was damaged must not pass for it. */
function isFirstEdition(parsed: object): parsed is FirstEdition {
  const { format, termBytes, pageBytes = 0, segments } = parsed as Partial<FirstEdition>
  const known = ['format', 'termBytes', 'pageBytes', 'segments']
  if (format !== 1 || Object.keys(parsed).some((key) => !known.includes(key))) return false
  if (!Number.isSafeInteger(termBytes) || !Number.isSafeInteger(pageBytes)) return false
  return (
    Array.isArray(segments) &&
    segments.every(
      ({ file, alive = '', ...rest }) =>
        typeof file === 'string' && typeof alive === 'string' && Object.keys(rest).length === 0,
    )
  )
}

function fromFirstEdition(manifest: FirstEdition): Manifest<KnownSeal> {
  const { termBytes, pageBytes, segments } = manifest
  return {
    format: 1,
    terms: { bytes: termBytes },
    ...(pageBytes !== undefined && { pages: { bytes: pageBytes, unmarkedBytes: pageBytes } }),
    segments: segments.map(({ file, alive }) => ({
      segment: { file },
      ...(alive !== undefined && { alive: { file: alive } }),
    })),
  }
}

function parsedJson(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}
