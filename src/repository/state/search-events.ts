import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type SearchEvent, searchEventFile, searchEventLine } from '#workload/ubi.ts'

/** Where the logs of the search page lie in a crawl directory. */
export function searchEventFolder(dir: string): string {
  return join(dir, 'queries')
}

/**
 * Appends what a search page saw to `DIR/queries/events-YYYY-MM-DD.jsonl`. Works while a crawl runs in
 * the directory: the tables are locked then, and take the events in when the next one starts.
 */
export function appendSearchEvents(dir: string, events: readonly SearchEvent[]): void {
  const lines = Map.groupBy(events, searchEventFile)
  mkdirSync(searchEventFolder(dir), { recursive: true })
  for (const [file, ofDay] of lines)
    appendFileSync(join(searchEventFolder(dir), file), ofDay.map(searchEventLine).join(''))
}

export function appendSearchEvent(dir: string, event: SearchEvent): void {
  appendSearchEvents(dir, [event])
}
