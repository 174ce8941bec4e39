import type { Purpose } from '#policy/bids.ts'

/** The tasks as people are told of them. */
export const TASK_NAMES: Readonly<Record<Purpose, string>> = {
  acquire: 'new pages',
  refresh: 'copies',
  discover: 'links',
}
