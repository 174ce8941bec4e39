import { NOT_ACCEPTED, NOT_SENT } from '#fetch/sites/site-secrets.ts'
import type { RefusingHost } from '#repository/reports/summary-reports.ts'
import { some } from '../terminal/output.ts'

/** What an operator can do, by what a host asks for. Nothing here gets around it. */
const ADVICE: Readonly<Record<string, string>> = {
  challenge:
    'it wants to see a person, and no riddle is ever solved: sign requests (forager identity init), or write to its owner',
  'asks for a signature':
    'sign requests (forager identity init); if they are signed, see that the site you name with --identity-agent serves the keys',
  'asks for a password':
    'if it is your own, give its credentials in "sites" of the config file; else ask its owner, or leave it out with --exclude',
  [NOT_ACCEPTED]:
    'see that "sites" of the config file has the right secret, that it has not run out, and that the account may read these pages; then run the same command again',
  [NOT_SENT]:
    'name it by https, or let its entry in "sites" say "allowHttp": true if nobody else listens there',
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
