import { textInForce } from '#fetch/client/robots-record.ts'
import { parseRobots, rulesFor } from '#parse/robots/robots-txt.ts'
import type { OpenCrawl } from '../open/open-crawl.ts'
import { identityOf } from '../settings/identity.ts'
import type { Settings } from '../settings/settings.ts'

/** Tells a crawl that is only looked at what robots.txt files said; one that runs asks them itself. */
export async function learnStoredRules(
  { store, state, now }: Pick<OpenCrawl, 'store' | 'state' | 'now'>,
  settings: Settings,
): Promise<void> {
  const { agentToken } = identityOf(settings)
  for (const record of (await store.fetcherMemory()).robotsRecords) {
    const text = textInForce(record, now)
    const rules = text === undefined ? undefined : rulesFor(parseRobots(text), agentToken)
    if (rules !== undefined) state.frontier.robots.learn(record.origin, rules, record.textAt ?? now)
  }
}
