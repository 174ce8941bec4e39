import { SettingError } from '#errors/setting-error.ts'
import { type Calendar, checkSnapshotCount, DAY, dayOf } from './calendar.ts'

export interface Commit {
  readonly id: string
  /** Seconds since 1970. */
  readonly at: number
}

interface CommitRange {
  readonly stepDays: number
  /** Days such as 2024-07-20. */
  readonly from?: string
  readonly to?: string
}

/** Before there was a web, and beyond what a date can be written for, a clock was wrong. */
const FIRST_DAY = Date.UTC(1990, 0, 1) / 1000 / DAY
const LAST_DAY = Date.UTC(9999, 11, 31) / 1000 / DAY

/** The last commit of each day (UTC): all that snapshots need, however long the history. */
export class CommitDays {
  readonly #lastOfDay = new Map<number, Commit>()
  /** Commits seen, those with an impossible date included. */
  count = 0

  /** Commits come newest first; of two at the same second the newer one counts. */
  add(commit: Commit): void {
    this.count++
    const day = Math.floor(commit.at / DAY)
    if (!(day >= FIRST_DAY && day <= LAST_DAY)) return
    const known = this.#lastOfDay.get(day)
    if (!known || known.at < commit.at) this.#lastOfDay.set(day, commit)
  }

  /** Days with commits, ascending. */
  days(): number[] {
    return [...this.#lastOfDay.keys()].sort((a, b) => a - b)
  }

  lastOf(day: number): Commit {
    return this.#lastOfDay.get(day)!
  }
}

/**
 * Snapshots every `stepDays`, counted back from `to` (or the last commit's day) to `from` (or the
 * first's), each with the last commit made by the end of its day, UTC.
 */
export function commitCalendar(
  commits: CommitDays,
  { stepDays, from, to }: CommitRange,
): Calendar & { readonly commits: readonly Commit[] } {
  const days = commits.days()
  if (days.length === 0) throw new SettingError('git', 'no commit has a date that can be right')
  const firstCommit = days[0]
  const lastDay = to === undefined ? days[days.length - 1] : dayNumber(to)
  if (lastDay < firstCommit)
    throw new SettingError(
      'to',
      `{to} ${to} is before the first commit, of ${dayOf(firstCommit * DAY)}`,
    )
  if (from !== undefined && dayNumber(from) > lastDay)
    throw new SettingError(
      'from',
      `{from} ${from} is after ${to === undefined ? 'the last commit, of' : '{to}'} ${dayOf(lastDay * DAY)}: no snapshot lies between`,
    )
  const firstDay = Math.max(firstCommit, from === undefined ? firstCommit : dayNumber(from))
  const count = Math.floor((lastDay - firstDay) / stepDays) + 1
  checkSnapshotCount(count, stepDays, firstDay * DAY, lastDay * DAY)
  const start = lastDay - (count - 1) * stepDays
  const taken = Array.from({ length: count }, (_, i) => start + i * stepDays)
  return {
    dates: taken.map((day) => dayOf(day * DAY)),
    snapshotOf: (at) => Math.floor((at / DAY - start) / stepDays),
    commits: lastCommits(commits, days, taken),
  }
}

function lastCommits(
  commits: CommitDays,
  days: readonly number[],
  taken: readonly number[],
): Commit[] {
  let next = 0
  return taken.map((day) => {
    while (next < days.length && days[next] <= day) next++
    return commits.lastOf(days[next - 1])
  })
}

const dayNumber = (date: string): number => Date.parse(date) / 1000 / DAY
