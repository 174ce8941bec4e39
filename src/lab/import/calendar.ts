import { SettingError } from '#errors/setting-error.ts'
import type { ImportedWeb } from './imported-web.ts'

export const DAY = 86_400
const MOST_SNAPSHOTS = 5000

/** The days of snapshots, and which of them a moment belongs to. */
export interface Calendar {
  readonly dates: readonly string[]
  snapshotOf(at: number): number
}

/** Days on which snapshots begin, from the first capture to the last. */
export function captureCalendar(web: ImportedWeb, stepDays: number): Calendar {
  let first = Number.POSITIVE_INFINITY
  let last = Number.NEGATIVE_INFINITY
  for (let page = 0; page < web.urls.size; page++)
    for (const { at } of web.sightingsOf(page)) {
      first = Math.min(first, at)
      last = Math.max(last, at)
    }
  if (first > last) throw new SettingError('files', 'there is no page in these files')
  const start = Math.floor(first / DAY) * DAY
  const snapshotOf = (at: number) => Math.floor((at - start) / (stepDays * DAY))
  const count = snapshotOf(last) + 1
  checkSnapshotCount(count, stepDays, first, last)
  const dates = Array.from({ length: count }, (_, i) => dayOf(start + i * stepDays * DAY))
  return { dates, snapshotOf }
}

/** Throws if there would be more snapshots than anybody wants; a wrong date may be the cause. */
export function checkSnapshotCount(
  count: number,
  stepDays: number,
  first: number,
  last: number,
): void {
  if (count > MOST_SNAPSHOTS)
    throw new SettingError(
      'stepDays',
      `{stepDays} ${stepDays} makes ${count} snapshots from ${dayOf(first)} to ${dayOf(last)}, and ${MOST_SNAPSHOTS} is the most: choose a longer step`,
    )
}

/** The day of a moment, as 2024-07-20. */
export function dayOf(at: number): string {
  return new Date(at * 1000).toISOString().slice(0, 10)
}
