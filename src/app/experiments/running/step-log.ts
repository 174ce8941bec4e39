import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from '#repository/make-folder.ts'

/**
 * What finished steps found, one line each, beside the result to be. A run with the same words on the
 * same archives takes them up; any other run starts the file anew. The last line may be torn by a kill.
 */
export class StepLog {
  readonly #file: string
  readonly #found = new Map<string, unknown>()
  /** To be written with the first step: a run that is refused leaves nothing. */
  #head: string | undefined

  /** `identity` is everything the result depends on; `fresh` forgets what is there. */
  constructor(file: string, identity: string, fresh: boolean) {
    this.#file = file
    if (!fresh && this.#read(identity)) return
    this.#found.clear()
    this.remove()
    this.#head = `${JSON.stringify({ identity })}\n`
  }

  get size(): number {
    return this.#found.size
  }

  has(step: string): boolean {
    return this.#found.has(step)
  }

  get(step: string): unknown {
    return this.#found.get(step)
  }

  add(step: string, found: unknown): void {
    this.#found.set(step, found)
    if (this.#head !== undefined) {
      makeFolder(dirname(this.#file))
      writeFileSync(this.#file, this.#head)
      this.#head = undefined
    }
    appendFileSync(this.#file, `${JSON.stringify({ step, found })}\n`)
  }

  /** Nothing is left to take up. */
  remove(): void {
    rmSync(this.#file, { force: true })
  }

  #read(identity: string): boolean {
    let text: string
    try {
      text = readFileSync(this.#file, 'utf8')
    } catch {
      return false
    }
    // What follows the last line end was cut off in writing.
    const whole = text.slice(0, text.lastIndexOf('\n') + 1)
    const [first, ...lines] = whole.split('\n').filter((line) => line !== '')
    try {
      if (first === undefined || JSON.parse(first).identity !== identity) return false
      for (const line of lines) {
        const { step, found } = JSON.parse(line) as { step: string; found: unknown }
        this.#found.set(step, found)
      }
    } catch {
      return false
    }
    if (whole.length < text.length) writeFileSync(this.#file, whole)
    return true
  }
}
