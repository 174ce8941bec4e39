import { appendFileSync, existsSync, readdirSync, rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import type { LiveSegment, Segment } from '#search/full-text/segment.ts'
import { TextIndex } from '#search/full-text/text-index.ts'
import type { Analyser } from '#search/text/analysis.ts'
import { syncToDisk, writeDurably } from '../durable-file.ts'
import { makeFolder } from '../make-folder.ts'
import { IndexFolder } from './index-folder.ts'
import {
  ENGLISH_FORMAT,
  FORMAT,
  type ListedFile,
  type ListedSegment,
  MANIFEST_FILE,
  type Manifest,
  PAGES_FILE,
  type PageBounds,
  readManifest,
  TERMS_FILE,
  writeManifest,
} from './manifest.ts'
import { holdsMarkedGroups } from './scan-pages.ts'
import { type KnownSeal, type Seal, sealOf } from './seal.ts'
import { readSegment, segmentParts } from './segment-file.ts'

const EMPTY: Seal = { bytes: 0, crc: 0 }

/**
 * The index on disk. Files are written once and never changed, but for terms, which grow at the end;
 * the manifest names those that count, with their checksums, and takes the old one's place once they are on disk.
 * So neither a kill nor a power cut leaves anything but the index as it was at the last `save`.
 */
export class IndexStore {
  readonly #folder: IndexFolder
  readonly #fileOf = new WeakMap<Segment, ListedFile>()
  readonly #savedAlive = new WeakMap<Segment, { count: number; file?: ListedFile }>()
  #terms = EMPTY
  #savedTerms = 0
  #serial = 0
  /** An index that was begun in an older one stays in it: its terms are others. */
  #format = FORMAT

  constructor(dir: string) {
    this.#folder = new IndexFolder(dir)
  }

  /** The index as it was last saved, or an empty one; a damaged file is an error that names it. */
  load(analyser: Analyser): TextIndex {
    const manifest = readManifest(this.#folder.dir)
    if (!manifest) {
      this.#mustBeNew()
      return new TextIndex(analyser)
    }
    this.#format = Math.max(manifest.format, ENGLISH_FORMAT)
    const isOlder = this.#format < FORMAT && analyser.earlier !== undefined
    const index = new TextIndex(isOlder ? analyser.earlier : analyser)
    const terms = this.#folder.read(TERMS_FILE, manifest.terms, true)
    for (const term of terms.toString('utf8').split('\n')) if (term !== '') index.terms.add(term)
    this.#terms = sealed(terms, manifest.terms)
    this.#savedTerms = index.terms.size
    for (const listed of manifest.segments) this.#adopt(listed, index)
    return index
  }

  /** Makes the index as it is now the one that `load` gives, with so much of the pages' words beside it. */
  save(index: TextIndex, pages?: PageBounds): void {
    index.flush()
    makeFolder(this.#folder.path)
    this.#appendTerms(index)
    const segments = index.segments.map((live) => this.#saveSegment(live))
    const manifest: Manifest = { format: this.#format, terms: this.#terms, pages, segments }
    writeManifest(this.#folder.dir, manifest)
    this.#dropOthers(manifest)
  }

  #adopt({ segment: listed, alive }: ListedSegment<KnownSeal>, index: TextIndex): void {
    const bytes = this.#folder.read(listed.file, listed)
    const segment = readSegment(bytes)
    if (segment === undefined) throw this.#folder.damaged(listed.file, 'it is no segment')
    const flags = alive && new Uint8Array(this.#folder.read(alive.file, alive))
    if (flags && flags.length !== segment.urls.length)
      throw this.#folder.damaged(alive.file, 'it does not fit its segment')
    index.adopt(segment, flags)
    this.#fileOf.set(segment, { file: listed.file, ...sealed(bytes, listed) })
    this.#savedAlive.set(segment, {
      count: index.segments[index.segments.length - 1].aliveCount,
      ...(flags && { file: { file: alive.file, ...sealed(flags, alive) } }),
    })
    const names = [listed.file, alive?.file ?? '']
    this.#serial = Math.max(this.#serial, ...names.map(serialOf))
  }

  #saveSegment({ segment, alive, aliveCount }: LiveSegment): ListedSegment {
    let listed = this.#fileOf.get(segment)
    if (listed === undefined) {
      listed = this.#write(`segment-${++this.#serial}.bin`, segmentParts(segment))
      this.#fileOf.set(segment, listed)
    }
    if (aliveCount === segment.urls.length) return { segment: listed }
    const saved = this.#savedAlive.get(segment)
    if (saved?.count === aliveCount && saved.file !== undefined)
      return { segment: listed, alive: saved.file }
    const file = this.#write(`alive-${++this.#serial}.bin`, [alive])
    this.#savedAlive.set(segment, { count: aliveCount, file })
    return { segment: listed, alive: file }
  }

  #write(file: string, parts: readonly NodeJS.ArrayBufferView[]): ListedFile {
    writeDurably(join(this.#folder.path, file), ...parts)
    return { file, ...sealOf(parts) }
  }

  #appendTerms({ terms }: TextIndex): void {
    const path = join(this.#folder.path, TERMS_FILE)
    // A kill may have left terms behind the last save; they would shift the numbers of the next ones.
    if (existsSync(path)) truncateSync(path, this.#terms.bytes)
    const lines: string[] = []
    for (let term = this.#savedTerms; term < terms.size; term++) lines.push(`${terms.at(term)}\n`)
    const bytes = Buffer.from(lines.join(''))
    appendFileSync(path, bytes)
    syncToDisk(path)
    this.#terms = sealOf([bytes], this.#terms)
    this.#savedTerms = terms.size
  }

  /** Pages are kept only where there is a manifest, but for what a first edition's kill may have left. */
  #mustBeNew(): void {
    if (holdsMarkedGroups(join(this.#folder.path, PAGES_FILE)))
      throw this.#folder.damaged(MANIFEST_FILE, 'it is missing')
  }

  #dropOthers({ segments }: Manifest): void {
    const kept = new Set(segments.flatMap(({ segment, alive }) => [segment.file, alive?.file]))
    for (const name of readdirSync(this.#folder.path))
      if (/^(segment|alive)-\d+\.bin(\.new)?$/.test(name) && !kept.has(name))
        rmSync(join(this.#folder.path, name))
  }
}

/** The seal of a file that was read: an index of the first edition gets its checksums in this way. */
function sealed(bytes: Uint8Array, { crc }: KnownSeal): Seal {
  return crc === undefined ? sealOf([bytes]) : { bytes: bytes.length, crc }
}

function serialOf(file: string): number {
  return Number(/-(\d+)\.bin$/.exec(file)?.[1] ?? 0)
}
