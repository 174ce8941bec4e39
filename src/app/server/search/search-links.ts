import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeFolder } from '#repository/make-folder.ts'

/** A result that somebody may click. */
export interface ResultLink {
  readonly url: string
  readonly queryId: string
  /** 1 is the top of the first page. */
  readonly rank: number
}

/**
 * Links that lead to a result by way of the log. They are signed (HMAC), so `/go` leads only where a result list
 * led before. Unsigned, it would be an open redirect.
 */
export class ResultLinks {
  readonly #key: Buffer

  constructor(key: Buffer) {
    this.#key = key
  }

  /** Links that stay good when the server is started anew: the key lies with the log. */
  static of(folder: string): ResultLinks {
    makeFolder(folder, 0o700)
    const path = join(folder, 'link-key')
    try {
      writeFileSync(path, randomBytes(32), { flag: 'wx', mode: 0o600, flush: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const key = readFileSync(path)
    // Half-written by a process that was killed: nobody has links by it that matter.
    return new ResultLinks(key.length === 32 ? key : randomBytes(32))
  }

  /** The path that logs the click and leads on to the result. */
  pathOf(link: ResultLink): string {
    const { url, queryId, rank } = link
    const parameters = { q: queryId, n: String(rank), u: url, s: this.#sign(link) }
    return `/go?${new URLSearchParams(parameters)}`
  }

  /** The link that a path's parameters hold, or nothing if it is none of ours. */
  read(parameters: URLSearchParams): ResultLink | undefined {
    const url = parameters.get('u') ?? ''
    const link = { url, queryId: parameters.get('q') ?? '', rank: Number(parameters.get('n')) }
    const given = Buffer.from(parameters.get('s') ?? '')
    const right = Buffer.from(this.#sign(link))
    const isOurs = given.length === right.length && timingSafeEqual(given, right)
    return isOurs ? link : undefined
  }

  #sign({ url, queryId, rank }: ResultLink): string {
    const signature = createHmac('sha256', this.#key).update(JSON.stringify([url, queryId, rank]))
    return signature.digest('base64url').slice(0, 22)
  }
}
