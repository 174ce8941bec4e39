import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SettingError } from '#errors/setting-error.ts'
import { writeDurably } from '#repository/durable-file.ts'
import { BEGINNING } from '#repository/export/export-folder.ts'
import { makeFolder } from '#repository/make-folder.ts'

const FOLDER = 'push'

/** Up to which position of the crawl's log a target has everything; a file of the directory. */
export class PushCursor {
  /** Where a lot lies while it is handed over. */
  readonly lotFile: string
  readonly #path: string
  readonly #to: string
  position: number

  constructor(dir: string, to: string) {
    const name = createHash('sha256').update(to).digest('hex').slice(0, 16)
    this.#path = join(dir, FOLDER, `${name}.json`)
    this.lotFile = join(dir, FOLDER, `${name}.lot`)
    makeFolder(join(dir, FOLDER))
    this.#to = to
    this.position = existsSync(this.#path) ? readPosition(this.#path) : BEGINNING
  }

  /** Notes that the target has everything up to there, for good. */
  moveTo(position: number): void {
    if (position === this.position) return
    this.position = position
    const text = `${JSON.stringify({ to: this.#to, position })}\n`
    writeDurably(this.#path, Buffer.from(text))
  }
}

function readPosition(path: string): number {
  try {
    const { position } = JSON.parse(readFileSync(path, 'utf8'))
    if (Number.isSafeInteger(position)) return position
  } catch {}
  throw new SettingError(
    'pushTo',
    `${path} is damaged: delete it, and all pages are pushed once more`,
  )
}
