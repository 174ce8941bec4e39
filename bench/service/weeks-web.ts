import { startReplayServer } from '#app/server/replay-server.ts'
import type { Archive } from '#archive/format/archive.ts'
import { loadIndex } from '#library/search/search-service.ts'
import { PageStore } from '#repository/text-index/page-store.ts'
import type { WeeklyJudge } from '../anchors/weekly-judge.ts'

export const WEEK_SECONDS = 7 * 86_400

/** A page that was asked for, and when by the time of the web. */
export interface Asked {
  readonly url: string
  readonly at: number
}

interface WeeksWebOptions {
  readonly archive: Archive
  /** Seconds since 1970; the first snapshot is shown at `start`. */
  readonly now: () => number
  readonly start: number
  readonly onAsked: (asked: Asked) => void
}

/** Serves an archive whose weeks go by as a clock says. */
export function serveWeeks({ archive, now, start, onAsked }: WeeksWebOptions) {
  return startReplayServer({
    ...{ archive, port: 0, from: 0, speed: 1 / (7 * 24 * 60) },
    now: () => 1000 * (now() - start),
    onAnswer: ({ host, path, at }) => {
      if (path !== '/robots.txt') onAsked({ url: `${host}${path}`, at: start + at / 1000 })
    },
  })
}

/** What searchers get from a directory in a week, of what they could get from all pages as they are. */
export function qualityIn(dir: string, judge: WeeklyJudge, week: number): Promise<number> {
  const index = loadIndex(dir)
  const pages = PageStore.openToRead(dir)
  const addresses = new Map<number, string>()
  const addressOf = (url: number) => {
    const address = addresses.get(url) ?? pages?.get(url)?.url ?? ''
    addresses.set(url, address)
    return address
  }
  return judge.qualityOf({ index, addressOf }, week).finally(() => pages?.close())
}
