import type { Controlled } from '#library/actions/control-actions.ts'
import { watchCrawl, watchTables } from '#library/views/watched-crawl.ts'
import { CONTROL_SCRIPT } from '../../web/control/control-script.ts'
import { CONTROL_STYLE } from '../../web/control/control-style.ts'
import { Refusal } from '../http/refusal.ts'
import { assetRoute, type Route } from '../http/route.ts'
import { ControlAccess } from './control-access.ts'
import { ControlEvents } from './control-events.ts'
import { type LookSite, lookRoutes, type WatchedOptions } from './look-routes.ts'
import { inTime } from './patience.ts'
import type { RoomAnswers } from './room-answers.ts'
import { RoomThread } from './threaded-room.ts'

export interface ControlRoomOptions extends WatchedOptions {
  /** Whoever has it may look; left out, everybody may. */
  readonly token?: string
  /** What may be acted on; left out, nothing can be done here but looking. */
  readonly actions?: Controlled
}

/** The routes of a control room beside a search page, until it is closed. */
export interface ControlRoom {
  readonly routes: readonly Route[]
  /** Whether some of it is at work still: see `RoomAnswers`. */
  close(): Promise<boolean>
}

/** Begins to answer for a room, by a name. */
type Begin = (name: string, site: LookSite & WatchedOptions, onNews: () => void) => RoomAnswers
const onThread: Begin = (name, site, onNews) => new RoomThread(name, site, onNews)

/** Opens the control room of a directory; nothing is read before somebody looks, and that happens on threads of its own. */
export function openControlRoom(
  { crawl, token, actions }: ControlRoomOptions,
  begin = onThread,
): ControlRoom {
  const access = new ControlAccess(token)
  const site = { hasSearch: true, formKey: access.formKey, ...(actions && { actions }) }
  const onNews = () => events.tell()
  const tables = begin('views', { ...site, crawl }, onNews)
  const plans = begin('plans', { ...site, crawl }, onNews)
  const events = new ControlEvents(crawl.dir, () => {
    tables.refresh()
    plans.refresh()
  })
  // Described here, answered there.
  const described = lookRoutes({ tables: watchTables(crawl), whole: watchCrawl(crawl) }, site)
  const answered = described.map((route): Route => {
    if (route.path.endsWith('/openapi.json')) return route
    // What tables tell does not wait for a plan, or for a search for every query.
    const thread = route.isSlow ? plans : tables
    return {
      ...route,
      answer: (_, asked) => {
        if (!asked.form)
          return inTime(asked, { dir: crawl.dir, hasSearch: true }, thread.ask(asked))
        if (!access.isOwnForm(asked.form))
          return new Refusal(403, 'The page was open for too long: load it again.')
        for (const one of [tables, plans]) one.hurry()
        return thread.ask(asked)
      },
    }
  })
  return {
    routes: [
      ...access.guard([...answered, events.route()]),
      assetRoute('/control.css', 'text/css; charset=utf-8', CONTROL_STYLE),
      assetRoute('/control.js', 'text/javascript; charset=utf-8', CONTROL_SCRIPT),
    ],
    close: async () => {
      events.close()
      return (await Promise.all([tables.close(), plans.close()])).includes(true)
    },
  }
}
