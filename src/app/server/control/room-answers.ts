import { watchCrawl, watchTables } from '#library/views/watched-crawl.ts'
import type { Refusal } from '../http/refusal.ts'
import { type Answer, type Asked, routed } from '../http/route.ts'
import { type LookSite, lookRoutes, type WatchedOptions } from './look-routes.ts'

/** Whoever answers for a control room, on this thread or another. */
export interface RoomAnswers {
  ask(asked: Asked): Promise<Answer | Refusal>
  /** Looks again, if there is news, it is time, and anybody ever asked. */
  refresh(): void
  /** For a while it looks again as soon as there is news. */
  hurry(): void
  /** Whether it is at work still: then only the end of the program ends it, as DuckDB's calls cannot be broken off. */
  close(): Promise<boolean>
}

/** Answers what a control room is asked, on this thread. */
export function roomAnswers(site: LookSite & WatchedOptions, onNews: () => void): RoomAnswers {
  const tables = watchTables(site.crawl, { onNews })
  const whole = watchCrawl(site.crawl, { onNews })
  const both = [tables, whole]
  const routes = lookRoutes({ tables, whole }, site)
  return {
    ask: async (asked) => routed(routes, asked)!,
    refresh: () => {
      for (const watched of both) watched.refresh()
    },
    hurry: () => {
      for (const watched of both) watched.hurry()
    },
    close: async () => {
      for (const watched of both) await watched[Symbol.asyncDispose]()
      return false
    },
  }
}
