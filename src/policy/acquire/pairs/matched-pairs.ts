import type { MatchRule } from '#frontier/link-words/rule.ts'
import { GrowingColumn } from '#numeric/grow.ts'
import { type FeatureTable, GrowingTable } from '#numeric/learning/feature-table.ts'
import type { AcquisitionFacts } from '../../facts/acquisition-facts.ts'
import type { PageTraits } from './page-traits.ts'

/** Queries with the URLs whose texts match them; the arrays and the table's rows go together. */
export interface MatchedPairs {
  readonly table: FeatureTable
  readonly queries: Uint32Array
  readonly urls: Uint32Array
}

/** So many matches of a query are looked at, those that say most of it first: there are ten places. */
const MOST_MATCHES = 500

const WORD_FEATURES = [
  'n-gram share',
  'coverage',
  'address coverage',
  'best anchor',
  'mean anchor',
  'closeness',
  'matching links',
  'query length',
]

/**
 * Pairs some queries with URLs that have a 1 in `only`, by the rule, and describes each pair by what is
 * known without the page's content.
 *
 * @paper PandeyOlston2008 §5.3 — at most 500 a query, where theirs has no limit. The features are ours: they name URL,
 * in-links and anchor texts only.
 */
export function matchedPairs(
  { words, answers }: Pick<AcquisitionFacts, 'words' | 'answers'>,
  traits: Pick<PageTraits, 'names' | 'features'>,
  queries: Iterable<number>,
  only: Uint8Array,
  rule: MatchRule,
): MatchedPairs {
  const names = [...WORD_FEATURES, ...traits.names]
  const table = new GrowingTable(names)
  const queryColumn = new GrowingColumn(Uint32Array)
  const urlColumn = new GrowingColumn(Uint32Array)
  for (const query of queries) {
    const matches = words.matches(query, rule, { only, most: MOST_MATCHES })
    const first = table.add(matches.urls.length)
    const { columns } = table
    for (const [i, url] of matches.urls.entries()) {
      const row = first + i
      columns[0][row] = matches.ngramShare[i]
      columns[1][row] = matches.coverage[i]
      columns[2][row] = matches.urlCoverage[i]
      columns[3][row] = matches.bestAnchor[i]
      columns[4][row] = matches.meanAnchor[i]
      columns[5][row] = matches.closeness[i]
      columns[6][row] = Math.log1p(matches.anchorHits[i])
      columns[7][row] = answers.lengths[query]
      for (const [trait, featureOf] of traits.features.entries())
        columns[WORD_FEATURES.length + trait][row] = featureOf(url)
    }
    queryColumn.append(new Uint32Array(matches.urls.length).fill(query))
    urlColumn.append(matches.urls)
  }
  return { table: table.view(), queries: queryColumn.view(), urls: urlColumn.view() }
}

/** The columns of a table with one more. */
export function withColumn(table: FeatureTable, name: string, column: Float32Array): FeatureTable {
  return {
    names: [...table.names, name],
    columns: [...table.columns, column],
    rows: table.rows,
  }
}
