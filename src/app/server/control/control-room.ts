import { exclusions } from '#library/actions/action-effect.ts'
import { type Controlled, doneActions, possibleActions } from '#library/actions/control-actions.ts'
import { rateIn } from '#library/actions/settings-rate.ts'
import type { CrawlOptions } from '#library/settings/crawl-options.ts'
import { type Look, WatchedCrawl } from '#library/views/watched-crawl.ts'
import { type About, actionForms } from '../../web/control/action-forms.ts'
import { CONTROL_SCRIPT } from '../../web/control/control-script.ts'
import { CONTROL_STYLE } from '../../web/control/control-style.ts'
import { assetRoute, type Route } from '../http/route.ts'
import { actRoute } from './act-route.ts'
import { ControlAccess } from './control-access.ts'
import { ControlEvents } from './control-events.ts'
import { controlPages } from './control-pages.ts'
import { controlApi } from './control-routes.ts'

export interface ControlRoomOptions {
  /** The crawl's settings, as far as they are known. */
  readonly crawl: CrawlOptions & { readonly dir: string }
  /** Whoever has it may look; left out, everybody may. */
  readonly token?: string
  /** What may be acted on; left out, nothing can be done here but looking. */
  readonly actions?: Controlled
}

const DONE_SHOWN = 8

/** The routes of a control room beside a search page, until it is closed. */
export interface ControlRoom {
  readonly routes: readonly Route[]
  close(): Promise<void>
}

/** Opens the control room of a directory; nothing is read before somebody looks. */
export function openControlRoom({ crawl, token, actions }: ControlRoomOptions): ControlRoom {
  const access = new ControlAccess(token)
  const watched = new WatchedCrawl(crawl, { onNews: () => events.tell() })
  const events = new ControlEvents(watched)
  const forms = (controlled: Controlled) => (look: Look, about: About) => {
    const possible = possibleActions(controlled)
    const fetchesADay = rateIn(controlled.settingsFile)
    const told = { excluded: exclusions(look), done: doneActions(controlled.dir, DONE_SHOWN) }
    const key = access.formKey
    return actionForms({ possible, fetchesADay, ...told, key }, about, Date.now() / 1000)
  }
  const site = { watched, hasSearch: true, ...(actions && { actions: forms(actions) }) }
  const guarded = access.guard([
    ...controlPages(site),
    ...controlApi(watched),
    events.route(),
    ...(actions ? [actRoute(actions, access, watched, site.hasSearch)] : []),
  ])
  return {
    routes: [
      ...guarded,
      assetRoute('/control.css', 'text/css; charset=utf-8', CONTROL_STYLE),
      assetRoute('/control.js', 'text/javascript; charset=utf-8', CONTROL_SCRIPT),
    ],
    close: async () => {
      events.close()
      await watched[Symbol.asyncDispose]()
    },
  }
}
