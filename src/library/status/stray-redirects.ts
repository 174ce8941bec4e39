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
  state: { frontier },
  scope,
}: Pick<OpenCrawl, 'store' | 'state' | 'scope'>): Promise<StrayRedirect[]> {
  const rows = await store.query(
    `SELECT u.id::DOUBLE AS id, u.url, u.source, arg_max(f.reason, f.id) AS target
     FROM url u JOIN fetch_log f ON f.url_id = u.id
     WHERE u.source IN ('seed', 'redirect') AND f.outcome = 'redirect'
     GROUP BY u.id, u.url, u.source ORDER BY u.id`,
  )
  const redirects = rows.filter(({ id }) => frontier.stateOf(Number(id)) === 'redirect')
  const targets = new Map(redirects.map(({ url, target }) => [String(url), String(target)]))
  return redirects.flatMap(({ url, source }) => {
    const [from, to] = [String(url), endOfChain(String(url), targets)]
    const why = source === 'seed' ? scope(to, 0) : undefined
    return why === undefined ? [] : [{ from, to, why }]
  })
}

function endOfChain(url: string, targets: ReadonlyMap<string, string>): string {
  let end = url
  for (let step = 0; step < MOST_STEPS; step++) end = targets.get(end) ?? end
  return end
}
