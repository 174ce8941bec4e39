import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What a program used, all its threads counted. */
export interface Usage {
  readonly cpuSeconds: number
  readonly rssMb: number
  readonly longestBlockMs: number
}

/** Has a Node program tell at its end what it used, in a file: other open files are lost when a program begins anew. */
export class UsageReport {
  readonly #folder = mkdtempSync(join(tmpdir(), 'forager-usage-'))
  readonly flags = ['--import', join(import.meta.dirname, 'report-usage.mjs')]
  readonly env = { ...process.env, FORAGER_USAGE_FOLDER: this.#folder }

  /** To be asked once, when the program has ended; nothing if it ended without a word. */
  take(pid: number | undefined): Usage | undefined {
    const file = join(this.#folder, String(pid))
    const usage = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
    rmSync(this.#folder, { recursive: true })
    return usage
  }
}
