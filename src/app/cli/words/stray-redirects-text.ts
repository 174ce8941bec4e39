import type { StrayRedirect } from '#library/status/stray-redirects.ts'
import { plainText } from '#parse/text/plain-text.ts'
import { hostOf } from '#parse/url/canonical-url.ts'
import { registrableDomain } from '#parse/url/registrable-domain.ts'
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
