import {
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { SettingError } from '#errors/setting-error.ts'
import { putInPlace } from '#repository/durable-file.ts'
import { LineCutter } from '#repository/line-cutter.ts'

/** Where a line lies: its first byte, and its length. */
export interface LinePlace {
  readonly offset: number
  readonly length: number
}

const PIECE_BYTES = 1 << 20

/** A file that grows by lines of JSON. What is in it when a process is killed stays, but for a line cut short. */
export class LedgerFile {
  readonly #path: string
  #file: number
  #end: number

  private constructor(path: string, file: number, end: number) {
    this.#path = path
    this.#file = file
    this.#end = end
  }

  /** Opens or makes a file; every whole line in it is shown first. */
  static open(path: string, visit: (line: unknown, place: LinePlace) => void): LedgerFile {
    const end = existsSync(path) ? readLines(path, visit) : 0
    const file = openSync(path, existsSync(path) ? 'r+' : 'w+')
    if (fstatSync(file).size > end) ftruncateSync(file, end)
    return new LedgerFile(path, file, end)
  }

  append(line: unknown): LinePlace {
    const place = write(this.#file, this.#end, line)
    this.#end += place.length + 1
    return place
  }

  read({ offset, length }: LinePlace): unknown {
    const bytes = Buffer.alloc(length)
    readSync(this.#file, bytes, 0, length, offset)
    return JSON.parse(bytes.toString())
  }

  /** Puts these lines in place of all; until that is done, the old ones count. */
  rewrite(lines: Iterable<unknown>, visit: (line: unknown, place: LinePlace) => void): void {
    const draft = `${this.#path}.new`
    const file = openSync(draft, 'w+')
    let end = 0
    for (const line of lines) {
      const place = write(file, end, line)
      end += place.length + 1
      visit(line, place)
    }
    putInPlace(draft, this.#path)
    closeSync(this.#file)
    this.#file = file
    this.#end = end
  }

  /** Whoever writes later must not meet another file that got its number. */
  close(): void {
    closeSync(this.#file)
    this.#file = -1
  }

  remove(): void {
    this.close()
    rmSync(this.#path, { force: true })
  }
}

function write(file: number, offset: number, line: unknown): LinePlace {
  const bytes = Buffer.from(`${JSON.stringify(line)}\n`)
  for (let done = 0; done < bytes.length; )
    done += writeSync(file, bytes, done, bytes.length - done, offset + done)
  return { offset, length: bytes.length - 1 }
}

/** Shows the whole lines of a file; gives where they end. */
function readLines(path: string, visit: (line: unknown, place: LinePlace) => void): number {
  const file = openSync(path, 'r')
  const cutter = new LineCutter()
  let offset = 0
  try {
    for (;;) {
      const piece = Buffer.allocUnsafe(PIECE_BYTES)
      const read = readSync(file, piece)
      if (read === 0) return offset
      for (const line of cutter.linesIn(piece.subarray(0, read))) {
        visit(lineIn(line.toString(), path), { offset, length: line.length })
        offset += line.length + 1
      }
    }
  } finally {
    closeSync(file)
  }
}

function lineIn(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new SettingError(
      'dir',
      `${path} is damaged: put a copy of it in its place, or remove it, and clients tell their URLs again`,
      { cause },
    )
  }
}
