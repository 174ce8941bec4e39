import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  writeSync,
  writevSync,
} from 'node:fs'

/** A file that grows by whole appends only: one that fails takes back what it had written. */
export class AppendedFile {
  readonly #file: number
  size: number

  constructor(path: string) {
    this.#file = openSync(path, 'a')
    this.size = fstatSync(this.#file).size
  }

  append(parts: readonly Buffer[]): void {
    const bytes = parts.reduce((sum, part) => sum + part.length, 0)
    try {
      let written = writevSync(this.#file, parts)
      if (written < bytes) {
        const rest = Buffer.concat(parts)
        while (written < bytes) written += writeSync(this.#file, rest, written)
      }
    } catch (error) {
      this.#takeBack()
      throw error
    }
    this.size += bytes
  }

  /** Should even this fail, the scrap stays, and what follows is still where we say it is. */
  #takeBack(): void {
    try {
      ftruncateSync(this.#file, this.size)
    } catch {
      this.size = fstatSync(this.#file).size
    }
  }

  /** From here on what was appended outlives a power cut too. */
  sync(): void {
    fsyncSync(this.#file)
  }

  close(): void {
    closeSync(this.#file)
  }
}
