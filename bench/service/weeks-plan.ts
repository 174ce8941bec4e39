import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Archive } from '#archive/format/archive.ts'
import type { CrawlOptions } from '#library/settings/crawl-options.ts'
import type { Query } from '#workload/workload.ts'
import { WEEK_SECONDS } from './weeks-web.ts'

/** Weeks that a service is to live through. */
export interface WeeksPlan {
  readonly folder: string
  /** Its web stands still when it has no more weeks. */
  readonly archive: Archive
  readonly queries: readonly Query[]
  readonly weeks: number
  readonly kills: number
  readonly fetchesADay: number
  readonly burst: number
  readonly seed: number
  readonly say?: (text: string) => void
}

/** Nobody may be asked in the first; from half-time on in the second neither. */
export const QUIET = ['22:00-06:00 UTC', '10:00-13:00 UTC'] as const

export function startOf({ archive }: WeeksPlan): number {
  return archive.timeOf(0)
}

/** From the middle of the weeks on there are more searches, one more seed and other settings. */
export function halfTimeOf(plan: WeeksPlan): number {
  return startOf(plan) + (plan.weeks / 2) * WEEK_SECONDS
}

/** The web as it is shown in a week. */
export function snapshotOf({ archive }: WeeksPlan, week: number): number {
  return Math.min(week, archive.snapshotCount - 1)
}

/** A page that no other names. */
export const LATE_SEED = 'http://late-seed.test/'

/** The files that a crawl goes by, as they are before and after half-time. */
export class CrawlFiles {
  readonly dir: string
  readonly settings: string
  readonly #seeds: string
  readonly #log: string
  readonly #plan: WeeksPlan
  readonly #port: number

  constructor(plan: WeeksPlan, name: string, port: number) {
    const file = (end: string) => join(plan.folder, `${name}${end}`)
    this.dir = file('')
    this.settings = file('.json')
    this.#seeds = file('.seeds.txt')
    this.#log = file('.searches.csv')
    this.#plan = plan
    this.#port = port
  }

  get log(): string {
    return this.#log
  }

  write(isLate: boolean): void {
    const { archive, queries } = this.#plan
    const seeds = [...archive.site.start, ...(isLate ? [LATE_SEED] : [])]
    const searches = queries
      .filter((_, i) => isLate || i % 2 === 0)
      .map(({ text, weight }) => `"${text.replaceAll('"', '""')}",${Math.ceil(weight)}`)
    writeFileSync(this.#seeds, `${seeds.join('\n')}\n`)
    writeFileSync(this.#log, `query,count\n${searches.join('\n')}\n`)
    writeFileSync(this.settings, JSON.stringify(this.options(isLate)))
  }

  options(isLate: boolean): CrawlOptions {
    const { fetchesADay, burst } = this.#plan
    return {
      ...{ dir: this.dir, seedsFile: this.#seeds, queryLog: this.#log, queryLogFormat: 'csv' },
      ...{ resolve: [`*=127.0.0.1:${this.#port}`], delay: 0, fetchesADay, burst },
      quietHours: isLate ? QUIET : QUIET.slice(0, 1),
    }
  }
}
