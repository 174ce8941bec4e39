import { NOT_ACCEPTED, NOT_SENT } from '#fetch/sites/site-secrets.ts'
import { EXCLUDED, NOT_INCLUDED } from '#frontier/scope.ts'
import type { CrawlSummary } from '#library/run/crawl-summary.ts'
import type { StrayRedirect } from '#library/status/stray-redirects.ts'
import { plainText } from '#parse/text/plain-text.ts'
import { hostOf } from '#parse/url/canonical-url.ts'
import { registrableDomain } from '#parse/url/registrable-domain.ts'
import type { RefusingHost } from '#repository/reports/summary-reports.ts'
import { said } from '../../text/said.ts'
import { some } from '../terminal/output.ts'

/** So many say what is the matter. */
const MOST_TOLD = 3

/** What became of such seeds and what to do, a line each. */
export function straySeedLines(strays: readonly StrayRedirect[]): string[] {
  const more = strays.length - MOST_TOLD
  return said(
    ...strays.slice(0, MOST_TOLD).map((stray) => `the seed ${stray.from} ${strayText(stray)}`),
    more > 0 && `${some(more, 'other seed leads', 'other seeds lead')} out of scope too`,
  ).map(plainText)
}

/** Where a redirect leads that is not followed, and what would let it in. */
export function strayText(stray: StrayRedirect): string {
  const { to, why } = stray
  return `redirects to ${to}, which is out of scope (${why}): name that as a seed too${wayIn(stray)}`
}

function wayIn({ from, to, why }: StrayRedirect): string {
  if (why === 'excluded') return ', or begin another --dir with an --exclude that spares it'
  if (why === 'not included') return ', or begin another --dir with an --include that matches it'
  if (!why.startsWith('outside')) return ''
  const domainOf = (url: string) => registrableDomain(hostOf(url))
  const reach = domainOf(from) === domainOf(to) ? 'domain' : 'anywhere'
  return `, or begin another --dir with --scope ${reach}`
}

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

/** The settings that keep links out, by how the reason begins. */
const KEPT_OUT_BY: readonly (readonly [string, string])[] = [
  [`${NOT_INCLUDED} for `, ' (its scope.include in "sites")'],
  [`${EXCLUDED} for `, ' (its scope.exclude in "sites")'],
  [NOT_INCLUDED, ' (--include)'],
  [EXCLUDED, ' (--exclude)'],
  ['outside ', ' (--scope)'],
  ['deeper ', ' (--max-depth)'],
]

/** Links that were not followed: how many, which setting kept them out, and one or two of them. */
export function outOfScopeLines({
  outOfScope = {},
  outOfScopeExamples = {},
}: Pick<CrawlSummary, 'outOfScope' | 'outOfScopeExamples'>): string[] {
  return Object.entries(outOfScope).map(([reason, links]) => {
    const [, setting = ''] = KEPT_OUT_BY.find(([begin]) => reason.startsWith(begin)) ?? []
    const examples = (outOfScopeExamples[reason] ?? []).map(plainText)
    const shown = examples.length > 0 ? `, as ${examples.join(' and ')}` : ''
    return `${some(links, 'link')} left alone: ${reason}${setting}${shown}`
  })
}
