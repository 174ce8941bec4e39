import { chmodSync, readFileSync } from 'node:fs'
import { writeDurably } from '#repository/durable-file.ts'

/** A small file that holds a value, whole or not at all. */
export class KeptJson<Value> {
  readonly #path: string
  value: Value

  /** What cannot be read counts as not there: sites and hubs will tell again. */
  constructor(path: string, begin: Value) {
    this.#path = path
    this.value = readJson<Value>(path) ?? begin
  }

  save(): void {
    writeDurably(this.#path, Buffer.from(`${JSON.stringify(this.value)}\n`))
    chmodSync(this.#path, 0o600) // it may hold secrets
  }
}

function readJson<Value>(path: string): Value | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}
