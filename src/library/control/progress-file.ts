import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { FleetStatus } from '#fetch/fleet/fleet-status.ts'
import type { Purpose } from '#policy/bids.ts'
import { writeAtOnce } from '#repository/durable-file.ts'

/** A service that reloads opens its crawl anew, and goes on. */
export type Doing = 'crawling' | 'paused' | 'stopping' | 'reloading'

/** What a running crawl tells others about itself, since its database is locked meanwhile. */
export interface CrawlProgress {
  readonly pid: number
  readonly at: number
  readonly doing: Doing
  readonly policy: string
  /** Fetches in all; a service has a rate instead. */
  readonly budget?: number
  readonly service?: ServiceProgress
  readonly spent: number
  readonly known: number
  /** The host it waits for, if nothing else is left to do, and until when. */
  readonly waitsFor?: { readonly host: string; readonly until: number }
  readonly fetchesPerSecond: number
  /** Fetches of this run by what they were for, and what the last affordable one is worth. */
  readonly tasks?: Readonly<Record<Purpose, number>>
  readonly price?: number
  /** What the user should know of the policy. */
  readonly remark?: string
  /** Workers elsewhere, if it has some. */
  readonly fleet?: FleetStatus
  /** The last request it obeyed (see control-file.ts). */
  readonly answered?: string
}

/** What a service tells of itself beside that; times in seconds since 1970. */
export interface ServiceProgress {
  readonly fetchesADay: number
  readonly burst: number
  /** What may still be sent of the fetches of the last 24 hours. */
  readonly leftInDay: number
  /** When its settings were read. */
  readonly settingsAt: number
  /** Why the last reload changed nothing, if it did not. */
  readonly fault?: string
  /** What it waits for, if it has nothing to do. */
  readonly waits?: ServiceWait
}

export interface ServiceWait {
  readonly why: 'quiet hours' | 'rate' | 'nothing to fetch' | 'little to gain'
  readonly until: number
}

const pathIn = (dir: string) => join(dir, 'progress.json')

/**
 * Written whole or not at all, so that a reader never sees half of it. A courtesy: a full disk is
 * for the journal to complain about.
 */
export function writeProgress(dir: string, progress: CrawlProgress): void {
  try {
    writeAtOnce(pathIn(dir), `${JSON.stringify(progress)}\n`)
  } catch {}
}

export function readProgress(dir: string): CrawlProgress | undefined {
  try {
    return JSON.parse(readFileSync(pathIn(dir), 'utf8'))
  } catch {
    return undefined
  }
}

/** The progress of a crawl that lives: a killed one leaves its file behind. */
export function runningCrawl(dir: string): CrawlProgress | undefined {
  const progress = readProgress(dir)
  return progress && isAlive(progress.pid) ? progress : undefined
}

export function dropProgress(dir: string): void {
  rmSync(pathIn(dir), { force: true })
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Somebody else's process, but a process.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
