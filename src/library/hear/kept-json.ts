import { closeSync, openSync, readFileSync } from 'node:fs'
import { writeDurably } from '#repository/durable-file.ts'

/** However often strangers change it, it is written no more often than this. */
const EVERY_MS = 1_000

/** A small file that holds a value, whole or not at all. */
export class KeptJson<Value> {
  readonly #path: string
  #writtenAt = Number.NEGATIVE_INFINITY
  #later: NodeJS.Timeout | undefined
  value: Value

  /** What cannot be read counts as not there: sites and hubs will tell again. */
  constructor(path: string, begin: Value) {
    this.#path = path
    this.value = readJson<Value>(path) ?? begin
  }

  /** At once, or a little later if it was written just now. */
  save(): void {
    const restMs = this.#writtenAt + EVERY_MS - performance.now()
    if (restMs <= 0) this.#write()
    else this.#later ??= setTimeout(() => this.#writeIfPossible(), restMs).unref()
  }

  /** Writes what is yet to be written. */
  close(): void {
    if (this.#later) this.#write()
  }

  /** On a full disk, say, whoever changes it next tries again. */
  #writeIfPossible(): void {
    try {
      this.#write()
    } catch {}
  }

  #write(): void {
    clearTimeout(this.#later)
    this.#later = undefined
    closeSync(openSync(`${this.#path}.new`, 'w', 0o600)) // it may hold secrets
    writeDurably(this.#path, Buffer.from(`${JSON.stringify(this.value)}\n`))
    this.#writtenAt = performance.now()
  }
}

function readJson<Value>(path: string): Value | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}
