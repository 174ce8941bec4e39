import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { SettingError } from '#errors/setting-error.ts'
import { writeDurably } from '../durable-file.ts'
import { makeFolder } from '../make-folder.ts'
import type { ExportedName, ExportFormat } from './exported-kinds.ts'
import { isSameSelection, type Selection } from './selection.ts'

/** Readers of whole folders pass over names that begin so. */
const MANIFEST = '_export.json'
/** Before the first fetch of a log. */
export const BEGINNING = -1

/** What a folder holds, and how far it goes. */
interface ExportManifest {
  readonly what: ExportedName
  readonly format: ExportFormat
  readonly texts: boolean
  readonly selection: Selection
  /** Where it began, and all up to where it has. */
  readonly since: number
  readonly position: number
  readonly parts: number
  readonly rows: number
  /** Whether it had all there was when it was last written. */
  readonly isDone: boolean
}

/**
 * A folder of parts, each written once, and a file that says how far they go. A killed export goes on from there; one
 * that was done adds what is new since.
 */
export class ExportFolder {
  readonly #folder: string
  manifest: ExportManifest

  private constructor(folder: string, manifest: ExportManifest) {
    this.#folder = folder
    this.manifest = manifest
  }

  /** Opens a folder for an export, which is made if need be. What is done and cannot be added to is begun anew. */
  static open(
    folder: string,
    begun: Pick<ExportManifest, 'what' | 'format' | 'texts' | 'selection' | 'since'>,
    isWhole: boolean,
  ): ExportFolder {
    const fresh = { ...begun, position: begun.since, parts: 0, rows: 0, isDone: false }
    const there = readManifest(folder)
    if (there && !isSame(there, begun))
      throw new SettingError(
        'out',
        `${folder} holds another export (${describe(there)}): ask for the same, or choose another {out}`,
      )
    if (!there && existsSync(folder) && readdirSync(folder).length > 0)
      throw new SettingError('out', `${folder} holds other files: choose another {out}`)
    makeFolder(folder)
    const anew = there?.isDone && isWhole
    return new ExportFolder(folder, there && !anew ? { ...there, isDone: false } : fresh)
  }

  nextFile(): string {
    return this.#fileOf(this.manifest.parts + 1)
  }

  /** Notes that the next part is in its place. */
  add({ rows, position }: { readonly rows: number; readonly position: number }): void {
    const { manifest } = this
    this.#note({ position, parts: manifest.parts + 1, rows: manifest.rows + rows })
  }

  /** Notes that all is there up to a position; parts of an export that was longer are no more. */
  finish(position: number): void {
    this.#note({ position, isDone: true })
    for (let part = this.manifest.parts + 1; existsSync(this.#fileOf(part)); part++)
      rmSync(this.#fileOf(part))
  }

  /** All parts that are in their place. */
  files(): string[] {
    return Array.from({ length: this.manifest.parts }, (_, i) => this.#fileOf(i + 1))
  }

  #fileOf(part: number): string {
    const { format } = this.manifest
    const ending = format === 'warc' ? 'warc.gz' : format
    return join(this.#folder, `part-${`${part}`.padStart(6, '0')}.${ending}`)
  }

  #note(news: Partial<ExportManifest>): void {
    this.manifest = { ...this.manifest, ...news }
    writeDurably(
      join(this.#folder, MANIFEST),
      Buffer.from(`${JSON.stringify(this.manifest, null, 2)}\n`),
    )
  }
}

function readManifest(folder: string): ExportManifest | undefined {
  const path = join(folder, MANIFEST)
  if (!existsSync(path)) return undefined
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    throw new SettingError(
      'out',
      `${path} is damaged: choose another {out}, or delete the folder`,
      {
        cause,
      },
    )
  }
}

function isSame(
  a: ExportManifest,
  b: Pick<ExportManifest, 'what' | 'format' | 'texts' | 'selection' | 'since'>,
): boolean {
  const isAlike = a.what === b.what && a.format === b.format && a.texts === b.texts
  return isAlike && a.since === b.since && isSameSelection(a.selection, b.selection)
}

function describe({ what, format, selection, since }: ExportManifest): string {
  const sites = selection.sites?.map(({ text }) => text)
  const words = { ...selection, sites, ...(since > BEGINNING && { since }) }
  const filters = Object.entries(words).flatMap(([name, value]) =>
    value === undefined ? [] : `${name} ${value}`,
  )
  return [what, format, ...filters].join(', ')
}
