import type { OpenCrawl } from '#library/open/open-crawl.ts'
import { plainText } from '#parse/text/plain-text.ts'
import { hostOf } from '#parse/url/canonical-url.ts'
import { registrableDomain } from '#parse/url/registrable-domain.ts'
import { some } from '../terminal/output.ts'

/** A redirect that nobody follows, since it leads out of the crawl's scope. */
export interface StrayRedirect {
  readonly from: string
  readonly to: string
  /** In the words of the scope. */
  readonly why: string
}

/** So many say what is the matter. */
const MOST_TOLD = 3

/** Browsers give up a chain of redirects that is longer. */
const MOST_STEPS = 20

/** The seeds that only lead out of the scope, by their latest answers; be it by way of other redirects. */
export async function straySeeds({
  store,
  state: { frontier, scope },
}: Pick<OpenCrawl, 'store' | 'state'>): Promise<StrayRedirect[]> {
  const known = await store.reports.urls.redirects()
  const redirects = known.filter(({ id }) => frontier.stateOf(id) === 'redirect')
  const targets = new Map(redirects.map(({ url, target }) => [url, target]))
  return redirects.flatMap(({ url, source }) => {
    const to = endOfChain(url, targets)
    const why = source === 'seed' ? scope(to, 0) : undefined
    return why === undefined ? [] : [{ from: url, to, why }]
  })
}

function endOfChain(url: string, targets: ReadonlyMap<string, string>): string {
  let end = url
  for (let step = 0; step < MOST_STEPS; step++) end = targets.get(end) ?? end
  return end
}

/** What became of such seeds and what to do, a line each. */
export function straySeedLines(strays: readonly StrayRedirect[]): string[] {
  const more = strays.length - MOST_TOLD
  return [
    ...strays.slice(0, MOST_TOLD).map((stray) => `the seed ${stray.from} ${strayText(stray)}`),
    ...(more > 0 ? [`${some(more, 'other seed leads', 'other seeds lead')} out of scope too`] : []),
  ].map(plainText)
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
