import type { JournalEntry } from '#crawl/ports.ts'
import { FIRST_CURSOR, type FleetCursor } from '#fetch/fleet/segment-reader.ts'
import { costOf } from '#learn/entries/outcome.ts'
import type { CrawlStore } from '#repository/state/crawl-store.ts'

const KEPT_AS = 'fleet cursor'

/** How far the tables have read what a fleet stored. */
export async function storedCursor(store: Pick<CrawlStore, 'setting'>): Promise<FleetCursor> {
  const text = await store.setting(KEPT_AS)
  return text === undefined ? FIRST_CURSOR : JSON.parse(text)
}

/** From now on each cycle keeps how far it has read. */
export function keepCursor(store: CrawlStore, cursor: () => FleetCursor): void {
  store.keepWithCycles(() => ({ [KEPT_AS]: JSON.stringify(cursor()) }))
}

/** What a killed planner had read beyond its last cycle: noted first, so that a kill in between repeats nothing. */
export async function keepPendingCursor(
  store: CrawlStore,
  pending: readonly JournalEntry[],
): Promise<void> {
  const before = await storedCursor(store)
  const cursor = cursorAfter(before, pending)
  if (cursor !== before) await store.saveSetting(KEPT_AS, JSON.stringify(cursor))
}

/** The cursor once these entries are read too; those that it has passed already change nothing. */
function cursorAfter(before: FleetCursor, pending: readonly JournalEntry[]): FleetCursor {
  let cursor = before
  for (const { outcome } of pending) {
    const { fleet } = outcome
    if (!fleet) continue
    const { sequence, place } = fleet
    const isOfSame = sequence === cursor.sequence && cursor.place > 0 && place > cursor.place
    if (!isOfSame && sequence <= cursor.sequence) continue
    cursor = { ...cursor, sequence, place, spent: cursor.spent + costOf(outcome) }
  }
  return cursor
}
