import { SettingError } from '#errors/setting-error.ts'
import type { Instruction } from '#frontier/instructions.ts'
import { scopeTest } from '#frontier/scope.ts'
import { hostOf } from '#parse/url/canonical-url.ts'
import { instructionInbox } from '#repository/inbox/instruction-inbox.ts'
import type { Look } from '../views/watched-crawl.ts'
import type { ControlAction } from './control-actions.ts'

/** What an action concerns, for whoever is to confirm it. */
export interface ActionEffect {
  /** URLs that are known and match, those of them that gave a page, and some of them. */
  readonly urls: number
  readonly pages: number
  readonly examples: readonly string[]
}

const EXAMPLES = 3

/** What an action would concern, where that can be told; a SettingError if it cannot be done to this crawl. */
export async function actionEffect(
  { tables }: Look,
  action: ControlAction,
): Promise<ActionEffect | undefined> {
  const { urls } = tables.store.reports
  if (action.kind === 'fetch' || action.kind === 'forget') {
    const isKnown = (await urls.find(action.url, hostOf(action.url))) !== undefined
    if (action.kind === 'forget' && !isKnown)
      throw new SettingError('url', 'The crawl does not know this page: there is nothing to forget')
    const why = isKnown ? undefined : scopeTest(tables.rules, tables.seeds)(action.url, 0)
    if (why !== undefined)
      throw new SettingError('url', `It is out of scope (${why}): add it as a seed`)
  }
  return action.kind === 'exclude' ? urls.matching(action.pattern, EXAMPLES) : undefined
}

/** Everything that operators told a crawl, or what it will hear of next. */
export function toldSoFar({ tables, settings }: Look): Instruction[] {
  const waiting = instructionInbox(settings.dir)
    .peek()
    .map((told): Instruction => ({ at: 0, ...told }))
  return [...tables.instructions, ...waiting]
}
