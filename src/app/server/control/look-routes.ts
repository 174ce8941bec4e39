import { excludedPatterns } from '#frontier/instructions.ts'
import { toldSoFar } from '#library/actions/action-effect.ts'
import { type Controlled, doneActions, possibleActions } from '#library/actions/control-actions.ts'
import { rateIn } from '#library/actions/settings-rate.ts'
import type { CrawlOptions } from '#library/settings/crawl-options.ts'
import type { Look, WatchedCrawl, WholeLook } from '#library/views/watched-crawl.ts'
import { type About, actionForms } from '../../web/control/action-forms.ts'
import type { Route } from '../http/route.ts'
import { actRoute } from './act-route.ts'
import { controlPages } from './control-pages.ts'
import { controlApi } from './control-routes.ts'

/** What routes go by beside the crawl they look at. */
export interface LookSite {
  readonly hasSearch: boolean
  /** Says that a form is ours. */
  readonly formKey: string
  /** What may be acted on; left out, nothing can be done but looking. */
  readonly actions?: Controlled
}

/** The crawl that is looked at: its settings, as far as they are known. */
export interface WatchedOptions {
  readonly crawl: CrawlOptions & { readonly dir: string }
}

const DONE_SHOWN = 8

/** A directory as its tables tell it, and as a crawl there would know it; each is read when somebody first asks for it. */
export interface Watched {
  readonly tables: WatchedCrawl<Look>
  readonly whole: WatchedCrawl<WholeLook>
}

/** Every page, part and JSON twin, and the way to act. */
export function lookRoutes(watched: Watched, site: LookSite): readonly Route[] {
  const { hasSearch, formKey, actions: controlled } = site
  const forms = (controlled: Controlled) => (look: Look, about: About) => {
    const possible = possibleActions(controlled)
    const fetchesADay = rateIn(controlled.settingsFile)
    const excluded = excludedPatterns(toldSoFar(look))
    const told = { excluded, done: doneActions(controlled.dir, DONE_SHOWN) }
    const actions = { possible, fetchesADay, ...told, key: formKey }
    return actionForms(actions, about, Date.now() / 1000)
  }
  return [
    ...controlPages({ ...watched, hasSearch, ...(controlled && { actions: forms(controlled) }) }),
    ...controlApi(watched),
    ...(controlled ? [actRoute(controlled, formKey, watched.tables, hasSearch)] : []),
  ]
}
