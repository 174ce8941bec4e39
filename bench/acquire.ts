import { LinkWords } from '#frontier/link-words.ts'
import { type MatchRule, matchesByCoverage, matchesByNgrams } from '#frontier/link-words-rule.ts'
import { defaultAnalyser } from '#search/default-search.ts'
import { drawAcquireWeb } from './acquire-web.ts'
import { measure, rounded } from './cost.ts'
import { numberFlags } from './flags.ts'

const NO_LINKS = {
  targets: new Uint32Array(0),
  anchors: new Uint32Array(0),
  rels: new Uint8Array(0),
}

/** Matches needy queries with millions of pages that are known by address and links alone. */
export async function run(args: string[]): Promise<object> {
  const flags = { urls: 2_000_000, links: 5_000_000, queries: 100_000, needy: 5_000, most: 1_000 }
  const { needy, most, ...sizes } = numberFlags(args, { ...flags, seed: 7 })
  const { result: web, cost: draw } = await measure('draw', () => drawAcquireWeb(sizes))
  const words = new LinkWords(defaultAnalyser, web.urls, web.anchors)
  const queries = await measure('read queries', () => words.setQueries(web.queries))
  const addresses = await measure('read addresses', () => words.addUrls())
  const links = await measure('take in links', () => {
    for (const { source, row } of web.rows) words.replaceRow(source, NO_LINKS, row)
  })
  const again = await measure('replace links by themselves', () => {
    for (const { source, row } of web.rows) words.replaceRow(source, row, row)
  })
  const matching = (rule: MatchRule) => () => {
    let pairs = 0
    for (let query = 0; query < needy; query++)
      pairs += words.matches(query, rule, { most }).urls.length
    return pairs
  }
  const coverage = await measure('match by coverage', matching(matchesByCoverage(0.5)))
  const ngrams = await measure('match by n-grams', matching(matchesByNgrams(1)))
  return {
    benchmark: 'acquire',
    ...sizes,
    distinctAnchors: web.anchors.size,
    needy,
    most,
    steps: {
      draw,
      readQueries: queries.cost,
      readAddresses: addresses.cost,
      takeInLinks: links.cost,
      replaceLinks: again.cost,
      matchByCoverage: coverage.cost,
      matchByNgrams: ngrams.cost,
    },
    microsecondsPerUrl: rounded((addresses.cost.cpuSeconds * 1e6) / sizes.urls),
    microsecondsPerLink: rounded((links.cost.cpuSeconds * 1e6) / sizes.links),
    pairsByCoverage: coverage.result,
    pairsByNgrams: ngrams.result,
    peakRssMb: ngrams.cost.peakRssMb,
  }
}
