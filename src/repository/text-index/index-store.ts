import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '#parse/usage-error.ts'
import type { Analyser } from '#search/analysis.ts'
import type { LiveSegment } from '#search/segment.ts'
import { TextIndex } from '#search/text-index.ts'
import { syncToDisk, writeDurably } from '../durable-file.ts'
import { PAGES_FILE } from './page-store.ts'
import { readSegment, writeSegment } from './segment-file.ts'

/** What belongs to the index; everything else in the folder is left over from a kill. */
interface Manifest {
  readonly format: 1
  /** Bytes of `terms.txt` that count. */
  readonly termBytes: number
  /** The file of the pages' words is this long at least; indices of earlier versions do not say. */
  readonly pageBytes?: number
  readonly segments: readonly { readonly file: string; readonly alive?: string }[]
}

const MANIFEST = 'manifest.json'
const TERMS = 'terms.txt'

/**
 * The index on disk. Files are written once and never changed, but for terms, which grow at the end;
 * the manifest names those that count, and takes the old one's place once they are on disk. So neither
 * a kill nor a power cut leaves anything but the index as it was at the last `save`.
 */
export class IndexStore {
  readonly #folder: string
  readonly #fileOf = new WeakMap<LiveSegment['segment'], string>()
  readonly #savedAlive = new WeakMap<LiveSegment['segment'], { count: number; file?: string }>()
  #termBytes = 0
  #savedTerms = 0
  #serial = 0

  constructor(dir: string) {
    this.#folder = join(dir, 'index')
  }

  /** The index as it was last saved, or an empty one. */
  load(analyser: Analyser): TextIndex {
    const index = new TextIndex(analyser)
    const manifest = this.#readManifest()
    if (!manifest) return index
    this.#termBytes = manifest.termBytes
    const terms = this.#bytesOf(TERMS).subarray(0, manifest.termBytes)
    if (terms.length < manifest.termBytes) throw this.#damaged(TERMS)
    for (const term of terms.toString('utf8').split('\n')) if (term !== '') index.terms.add(term)
    this.#savedTerms = index.terms.size
    if (this.#sizeOf(PAGES_FILE) < (manifest.pageBytes ?? 0)) throw this.#damaged(PAGES_FILE)
    for (const { file, alive } of manifest.segments) {
      const segment = readSegment(this.#bytesOf(file))
      if (segment === undefined) throw this.#damaged(file)
      const flags = alive === undefined ? undefined : new Uint8Array(this.#bytesOf(alive))
      if (flags && flags.length !== segment.urls.length) throw this.#damaged(alive!)
      index.adopt(segment, flags)
      const { aliveCount } = index.segments[index.segments.length - 1]
      this.#fileOf.set(segment, file)
      this.#savedAlive.set(segment, { count: aliveCount, file: alive })
      this.#serial = Math.max(this.#serial, ...[file, alive ?? ''].map(serialOf))
    }
    return index
  }

  /** Makes the index as it is now the one that `load` gives, with words of so many bytes beside it. */
  save(index: TextIndex, pageBytes = 0): void {
    index.flush()
    mkdirSync(this.#folder, { recursive: true })
    this.#appendTerms(index)
    const segments = index.segments.map((live) => this.#saveSegment(live))
    const manifest: Manifest = { format: 1, termBytes: this.#termBytes, pageBytes, segments }
    writeDurably(join(this.#folder, MANIFEST), Buffer.from(JSON.stringify(manifest)))
    this.#dropOthers(manifest)
  }

  #saveSegment(live: LiveSegment): Manifest['segments'][number] {
    const { segment, alive, aliveCount } = live
    let file = this.#fileOf.get(segment)
    if (file === undefined) {
      file = `segment-${++this.#serial}.bin`
      writeSegment(join(this.#folder, file), segment)
      this.#fileOf.set(segment, file)
    }
    if (aliveCount === segment.urls.length) return { file }
    const saved = this.#savedAlive.get(segment)
    if (saved?.count === aliveCount && saved.file !== undefined) return { file, alive: saved.file }
    const aliveFile = `alive-${++this.#serial}.bin`
    writeDurably(join(this.#folder, aliveFile), alive)
    this.#savedAlive.set(segment, { count: aliveCount, file: aliveFile })
    return { file, alive: aliveFile }
  }

  #appendTerms({ terms }: TextIndex): void {
    const path = join(this.#folder, TERMS)
    // A kill may have left terms behind the last save; they would shift the numbers of the next ones.
    if (existsSync(path)) truncateSync(path, this.#termBytes)
    const lines: string[] = []
    for (let term = this.#savedTerms; term < terms.size; term++) lines.push(`${terms.at(term)}\n`)
    const bytes = Buffer.from(lines.join(''))
    appendFileSync(path, bytes)
    syncToDisk(path)
    this.#termBytes += bytes.length
    this.#savedTerms = terms.size
  }

  #readManifest(): Manifest | undefined {
    if (!existsSync(join(this.#folder, MANIFEST))) return undefined
    const manifest = parsedManifest(this.#bytesOf(MANIFEST).toString('utf8'))
    if (manifest === undefined) throw this.#damaged(MANIFEST)
    if (manifest.format !== 1)
      throw new UsageError(`the index in ${this.#folder} is of a newer forager: use that one`)
    return manifest
  }

  #bytesOf(file: string): Buffer {
    try {
      return readFileSync(join(this.#folder, file))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw this.#damaged(file, error)
      throw error
    }
  }

  #sizeOf(file: string): number {
    return statSync(join(this.#folder, file), { throwIfNoEntry: false })?.size ?? 0
  }

  #damaged(file: string, cause?: unknown): UsageError {
    return new UsageError(
      `${join(this.#folder, file)} is ${cause ? 'missing' : 'damaged'}: put back a copy, or remove ${this.#folder} to index pages anew as they are fetched`,
      { cause },
    )
  }

  #dropOthers({ segments }: Manifest): void {
    const kept = new Set(segments.flatMap(({ file, alive }) => [file, alive]))
    for (const name of readdirSync(this.#folder))
      if (/^(segment|alive)-\d+\.bin(\.new)?$/.test(name) && !kept.has(name))
        rmSync(join(this.#folder, name))
  }
}

function parsedManifest(text: string): Manifest | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function serialOf(file: string): number {
  return Number(/-(\d+)\.bin$/.exec(file)?.[1] ?? 0)
}
