import { ByteReader } from './byte-reader.ts'
import { type GitProcess, gitFailure, startGit } from './run-git.ts'

/** An object of a repository; without its bytes if there are more than were wanted. */
export interface GitObject {
  readonly id: string
  readonly type: string
  readonly size: number
  readonly bytes?: Uint8Array
}

const LINE_END = 0x0a
/** Asked ahead, so that git never waits for us, nor we for every single answer. */
const WINDOW = 64

/** Objects by name out of one long-lived `git cat-file --batch`; one caller at a time. */
export class ObjectReader {
  readonly #dir: string
  readonly #git: GitProcess
  readonly #answers: ByteReader

  private constructor(dir: string, git: GitProcess) {
    this.#dir = dir
    this.#git = git
    this.#answers = new ByteReader(git.stdout)
  }

  static async open(dir: string): Promise<ObjectReader> {
    return new ObjectReader(dir, await startGit(dir, ['cat-file', '--batch']))
  }

  /** One object by any name git understands; undefined if there is none. */
  async find(name: string, maxBytes: number): Promise<GitObject | undefined> {
    for await (const object of this.read([name], maxBytes)) return object
    return undefined
  }

  /** The objects of these names, in order; undefined where there is none. Must be read to its end. */
  async *read(
    names: Iterable<string>,
    maxBytes: number,
  ): AsyncGenerator<GitObject | undefined, void> {
    let unanswered = 0
    for (const name of names) {
      if (name.includes('\n')) throw new Error('no object of git has a line break in its name')
      this.#git.stdin.write(`${name}\n`)
      if (++unanswered < WINDOW) continue
      unanswered--
      yield await this.#answer(maxBytes)
    }
    for (; unanswered > 0; unanswered--) yield await this.#answer(maxBytes)
  }

  async close(): Promise<void> {
    this.#git.stdin.end()
    this.#git.kill()
    await this.#git.ended
  }

  async #answer(maxBytes: number): Promise<GitObject | undefined> {
    const head = await this.#answers.field(LINE_END)
    if (head === undefined) throw gitFailure(this.#dir, await this.#git.ended)
    const [, id, type, digits] = /^([0-9a-f]{40,64}) (\w+) (\d+)$/.exec(head) ?? []
    if (id === undefined) return undefined // "NAME missing", or ambiguous
    const size = Number(digits)
    const bytes = size <= maxBytes ? await this.#answers.take(size) : undefined
    const isWhole = await this.#answers.skip(bytes ? 1 : size + 1) // a line end follows
    if (!isWhole) throw gitFailure(this.#dir, await this.#git.ended)
    return { id, type, size, bytes }
  }
}
