import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What a running crawl tells others about itself, since its database is locked meanwhile. */
export interface CrawlProgress {
  readonly pid: number
  readonly at: number
  readonly policy: string
  readonly budget: number
  readonly spent: number
  readonly known: number
  readonly fetchesPerSecond: number
}

const pathIn = (dir: string) => join(dir, 'progress.json')

/** Written whole or not at all, so that a reader never sees half of it. */
export function writeProgress(dir: string, progress: CrawlProgress): void {
  const draft = `${pathIn(dir)}.${progress.pid}`
  writeFileSync(draft, `${JSON.stringify(progress)}\n`)
  renameSync(draft, pathIn(dir))
}

export function readProgress(dir: string): CrawlProgress | undefined {
  try {
    return JSON.parse(readFileSync(pathIn(dir), 'utf8'))
  } catch {
    return undefined
  }
}

export function dropProgress(dir: string): void {
  rmSync(pathIn(dir), { force: true })
}
