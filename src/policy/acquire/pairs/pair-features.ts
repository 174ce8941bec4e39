import type { WordMatches } from '#frontier/link-words/match.ts'
import { matchesByCoverage } from '#frontier/link-words/rule.ts'
import { GrowingColumn } from '#numeric/grow.ts'
import { type FeatureTable, GrowingTable } from '#numeric/learning/feature-table.ts'
import type { AcquisitionFacts, QueryAnswers } from '../../facts/acquisition-facts.ts'
import { TOP_K } from '../../facts/worth.ts'
import { NEIGHBOUR_NAMES } from './neighbour-means.ts'
import { type PageTraits, TRAIT_NAMES, type UrlFeature } from './page-traits.ts'
import { RankingParents } from './ranking-parents.ts'

/** Pairs of a query and a URL that may answer it; the arrays and the table's rows go together. */
export interface Pairs {
  readonly table: FeatureTable
  readonly queries: Uint32Array
  readonly urls: Uint32Array
  /** The URL's rank among the results kept of the query; 0 if it is none of them. */
  readonly ranks: Uint8Array
  /** 1 where its words match; else results link to it. */
  readonly byWords: Uint8Array
}

/** A page's words must carry this share of the query's weight, if no link from a result speaks for it. */
const NEEDED_COVERAGE = 0.5
/** So many pages found by words, and by links, are looked at for a query: of more, plans were no better. */
export const MOST_EACH = 40
/** Result counts are compared up to here. */
const MOST_RESULTS = 50

const OWN_FEATURES = [
  'coverage',
  'n-gram share',
  'address coverage',
  'best anchor',
  'mean anchor',
  'closeness',
  'matching links',
  'share of matching links',
  'standing of linking results',
  'best linking result',
  'linking results',
  'share of linking results',
  'query length',
  'results',
  'best score',
  'score of the last place',
  'last place to best',
]

/** What pairs are described by. */
export const PAIR_FEATURES: readonly string[] = [
  ...OWN_FEATURES,
  ...TRAIT_NAMES,
  ...NEIGHBOUR_NAMES,
]

/**
 * Finds the pages that may answer queries, by words and by links, and describes each pair by what is known
 * without the page's content. A fetched page is described as it was before its fetch: what it added to
 * the query's results itself is left out.
 */
export class PairFinder {
  readonly names: readonly string[]
  readonly #facts: AcquisitionFacts
  readonly #traits: PageTraits
  readonly #features: readonly UrlFeature[]
  readonly #parents: RankingParents

  /** `neighbours` are further features of URLs. */
  constructor(
    facts: AcquisitionFacts,
    traits: PageTraits,
    neighbours: Readonly<Record<string, UrlFeature>>,
  ) {
    this.#facts = facts
    this.#traits = traits
    this.#features = [...traits.features, ...Object.values(neighbours)]
    this.#parents = new RankingParents(facts.links, facts.answers)
    this.names = [...OWN_FEATURES, ...traits.names, ...Object.keys(neighbours)]
  }

  /** The pairs of some queries with URLs that have a 1 in `only`; `most` of a query by words, and by links. */
  find(
    queries: Iterable<number>,
    only: Uint8Array,
    most: (query: number) => number = () => MOST_EACH,
  ): Pairs {
    const table = new GrowingTable(this.names)
    const queryColumn = new GrowingColumn(Uint32Array)
    const urlColumn = new GrowingColumn(Uint32Array)
    const rankColumn = new GrowingColumn(Uint8Array)
    const byWords = new GrowingColumn(Uint8Array)
    for (const query of queries) {
      this.#parents.look(query, only)
      for (const [place, matches] of this.#matches(query, only, most(query)).entries()) {
        const { urls } = matches
        const first = table.add(urls.length)
        for (let i = 0; i < urls.length; i++)
          this.#describe(query, matches, i, table.columns, first + i)
        queryColumn.append(new Uint32Array(urls.length).fill(query))
        urlColumn.append(urls)
        rankColumn.append(urls.map((url) => this.#parents.rankOf[url]))
        byWords.append(new Uint8Array(urls.length).fill(1 - place))
      }
    }
    return {
      table: table.view(),
      queries: queryColumn.view(),
      urls: urlColumn.view(),
      ranks: rankColumn.view(),
      byWords: byWords.view(),
    }
  }

  /** By words, and what else results link to. */
  #matches(query: number, only: Uint8Array, most: number): WordMatches[] {
    const { words, whole } = this.#facts
    const rule = matchesByCoverage(NEEDED_COVERAGE)
    const matching = words.matches(query, rule, { only, most, ties: whole?.ties })
    const isMatching = new Set(matching.urls)
    const others: number[] = []
    for (const url of this.#parents.bestLinked(whole?.ties)) {
      if (others.length === most) break
      if (!isMatching.has(url)) others.push(url)
    }
    return [matching, words.measure(query, Uint32Array.from(others).sort())]
  }

  #describe(
    query: number,
    matches: WordMatches,
    i: number,
    columns: readonly Float32Array[],
    row: number,
  ): void {
    const { answers } = this.#facts
    const { standing, bestRank, count, rankOf } = this.#parents
    const url = matches.urls[i]
    const links = Math.max(1, this.#traits.inDegreeOf(url))
    const rank = rankOf[url]
    const own = rank > 0 ? 1 : 0
    const best = scoreWithout(answers, query, 1, rank)
    const last = scoreWithout(answers, query, TOP_K, rank)
    columns[0][row] = matches.coverage[i]
    columns[1][row] = matches.ngramShare[i]
    columns[2][row] = matches.urlCoverage[i]
    columns[3][row] = matches.bestAnchor[i]
    columns[4][row] = matches.meanAnchor[i]
    columns[5][row] = matches.closeness[i]
    columns[6][row] = Math.log1p(matches.anchorHits[i])
    columns[7][row] = matches.anchorHits[i] / links
    columns[8][row] = standing[url]
    columns[9][row] = bestRank[url] > 0 ? bestRank[url] : Number.NaN
    columns[10][row] = count[url]
    columns[11][row] = count[url] / links
    columns[12][row] = answers.lengths[query]
    columns[13][row] = Math.log1p(Math.min(MOST_RESULTS, answers.resultCounts[query] - own))
    columns[14][row] = best
    columns[15][row] = last
    columns[16][row] = best > 0 ? last / best : 0
    const features = this.#features
    for (let feature = 0; feature < features.length; feature++)
      columns[OWN_FEATURES.length + feature][row] = features[feature](url)
  }
}

/** The score at a place, as a share of the highest possible, had the result of `rank` not been there. */
function scoreWithout(answers: QueryAnswers, query: number, place: number, rank: number): number {
  const at = rank > 0 && rank <= place ? place + 1 : place
  if (at > answers.kept[query]) return 0
  return answers.scores[query * answers.depth + at - 1] / answers.bounds[query]
}
