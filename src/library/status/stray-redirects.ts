import type { OpenCrawl } from '../open/open-crawl.ts'

/** A redirect that nobody follows, since it leads out of the crawl's scope. */
export interface StrayRedirect {
  readonly from: string
  readonly to: string
  /** In the words of the scope. */
  readonly why: string
}

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
