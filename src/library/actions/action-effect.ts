import { SettingError } from '#errors/setting-error.ts'
import { globTest } from '#frontier/glob.ts'
import { excludedPatterns } from '#frontier/instructions.ts'
import { waitingInstructions } from '#repository/state/instruction-file.ts'
import type { Look } from '../views/watched-crawl.ts'
import type { ControlAction } from './control-actions.ts'

/** What an action concerns, for whoever is to confirm it. */
export interface ActionEffect {
  /** URLs that are known and match, those of them whose copies are held, and some of them. */
  readonly urls: number
  readonly held: number
  readonly examples: readonly string[]
}

/** More URLs are not gone through while somebody waits. */
const MOST_LOOKED_THROUGH = 1_000_000
const EXAMPLES = 3

/** What an action would concern, where that can be told; a SettingError if it cannot be done to this crawl. */
export function actionEffect({ view }: Look, action: ControlAction): ActionEffect | undefined {
  const { frontier, scope } = view.opened.state
  if (action.kind === 'fetch' || action.kind === 'forget') {
    const isKnown = frontier.urls.find(action.url) !== undefined
    const why = isKnown ? undefined : scope(action.url, 0)
    if (action.kind === 'forget' && !isKnown)
      throw new SettingError('url', 'The crawl does not know this page: there is nothing to forget')
    if (why !== undefined)
      throw new SettingError('url', `It is out of scope (${why}): add it as a seed`)
  }
  if (action.kind !== 'exclude' || frontier.size > MOST_LOOKED_THROUGH) return undefined
  const matches = globTest(action.pattern)
  let [urls, held] = [0, 0]
  const examples: string[] = []
  for (let url = 0; url < frontier.size; url++) {
    const address = frontier.urls.urlOf(url)
    if (!matches(address)) continue
    if (urls++ < EXAMPLES) examples.push(address)
    if (frontier.stateOf(url) === 'page') held++
  }
  return { urls, held, examples }
}

/** The patterns that are excluded now, or as soon as the crawl hears of it. */
export function exclusions({ view }: Look): string[] {
  const waiting = waitingInstructions(view.settings.dir).map((told) => ({ at: 0, ...told }))
  return excludedPatterns([...view.opened.instructions, ...waiting])
}
