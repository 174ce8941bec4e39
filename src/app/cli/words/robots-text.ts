import type { RobotsExplanation } from '#fetch/robots/robots-explanation.ts'
import { said } from '../../text/said.ts'

/** What a robots.txt says of a URL, and by which rule. */
export function robotsText(robots: RobotsExplanation): string {
  const { source, reason, allowed, rule, group, crawlDelaySeconds } = robots
  if (source === 'no file') return 'there is none: all allowed'
  if (!allowed && rule === '') return `${source} (${reason}): nothing may be fetched`
  const whose = group === undefined ? 'no group is for us' : `group "${group}"`
  const why = rule === '' ? `default (no rule matches; ${whose})` : `"${rule}" (${whose})`
  return said(
    `${allowed ? 'allowed' : 'disallowed'} by ${why}`,
    crawlDelaySeconds !== undefined && `Crawl-delay ${crawlDelaySeconds} s`,
    source !== 'file' && `from the last good copy, as now it is unreachable (${reason})`,
  ).join('; ')
}
