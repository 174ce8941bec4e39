import { appendFileSync, existsSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'

/** What others leave in a crawl's directory, a line of JSON each, whether the crawl runs or not. */
export class Inbox<Left extends object> {
  readonly file: string
  readonly #taken: string
  readonly #understood: (line: Record<string, unknown>) => Left | undefined

  constructor(file: string, understood: (line: Record<string, unknown>) => Left | undefined) {
    this.file = file
    this.#taken = `${file}.taken`
    this.#understood = understood
  }

  /** Begins a line of its own, also where a full disk cut the one before short. */
  leave(...left: readonly Left[]): void {
    appendFileSync(this.file, left.map((one) => `\n${JSON.stringify(one)}\n`).join(''))
  }

  /** What is to be taken in now. It stays until `taken`, so that a kill loses nothing. */
  waiting(): Left[] {
    if (!existsSync(this.#taken) && existsSync(this.file)) renameSync(this.file, this.#taken) // whoever writes now begins another file
    return this.#in(this.#taken)
  }

  /** What `waiting` gave last is durable. */
  taken(): void {
    rmSync(this.#taken, { force: true })
  }

  /** What no crawl has taken in yet, for whoever looks. */
  peek(): Left[] {
    return [this.#taken, this.file].flatMap((file) => this.#in(file))
  }

  get waitingBytes(): number {
    const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0
    return sizeOf(this.file) + sizeOf(this.#taken)
  }

  #in(file: string): Left[] {
    return jsonLines<Record<string, unknown>>(file).flatMap((line) => this.#understood(line) ?? [])
  }
}

/** The objects in a file of JSON lines, if it is there. A line that a kill or a full disk cut short is left out. */
export function jsonLines<Line extends object>(file: string): Line[] {
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        const value = JSON.parse(line)
        return typeof value === 'object' && value !== null ? [value as Line] : []
      } catch {
        return []
      }
    })
}
