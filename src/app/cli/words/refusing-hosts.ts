import type { RefusingHost } from '#repository/reports/summary-reports.ts'
import { some } from '../terminal/output.ts'

/** What an operator can do, by what a host asks for. Nothing here gets around it. */
const ADVICE: Readonly<Record<string, string>> = {
  challenge:
    'it wants to see a person, and no riddle is ever solved: sign requests (forager identity init), or write to its owner',
  'asks for a signature':
    'sign requests (forager identity init); if they are signed, see that the site you name with --identity-agent serves the keys',
  'asks for a password': 'ask its owner for access, or leave it out with --exclude',
}
const USUAL_ADVICE =
  'write to its owner, sign requests (forager identity init), or leave it out with --exclude'

/** Hosts that turned us away: why, and what to do about it. */
export function refusalLines(hosts: readonly RefusingHost[]): string[] {
  return hosts.map(({ host, urls, status, reason }) => {
    const why = [`status ${status}`, ...(reason === undefined ? [] : [reason])].join(', ')
    return `${host} turned us away from ${some(urls, 'URL')} (${why}): ${ADVICE[reason ?? ''] ?? USUAL_ADVICE}`
  })
}
