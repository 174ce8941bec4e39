import { languageLabel } from './page-labels.ts'
import { type CorpusStatistics, corpusStatistics, type Scoring } from './scoring.ts'
import type { PreparedQuery } from './search-segment.ts'
import type { TextIndex } from './text-index.ts'

/** What scores rest on, in whole numbers: those of several indexes can be added, in whatever order. */
export interface CorpusCounts {
  readonly pages: number
  /** Terms of all pages, by field. */
  readonly lengths: readonly number[]
  /** How many pages have a term, of those that queries may be read as; what no page has is left out. */
  readonly pagesWith: readonly (readonly [term: string, pages: number])[]
}

export const NO_CORPUS: CorpusCounts = { pages: 0, lengths: [0, 0, 0, 0], pagesWith: [] }

/** What an index counts, as far as these queries are concerned, in whatever language somebody asks. */
export function corpusCounts(index: TextIndex, queries: readonly string[]): CorpusCounts {
  const { analyser, terms, size: pages, lengths } = index
  const asked = new Set(analyser.languages?.map(languageLabel))
  for (const text of queries)
    for (const forms of analyser.queryWords(text)) for (const form of forms) asked.add(form)
  const pagesWith = [...asked].sort().flatMap((term) => {
    const number = terms.find(term)
    const count = number === undefined ? 0 : index.pagesWith(number)
    return count > 0 ? [[term, count] as const] : []
  })
  return { pages, lengths, pagesWith }
}

/** The counts of all these indexes together. */
export function addedCounts(all: readonly CorpusCounts[]): CorpusCounts {
  const pagesWith = new Map<string, number>()
  for (const one of all)
    for (const [term, pages] of one.pagesWith)
      pagesWith.set(term, (pagesWith.get(term) ?? 0) + pages)
  return {
    pages: all.reduce((sum, { pages }) => sum + pages, 0),
    lengths: NO_CORPUS.lengths.map((_, field) =>
      all.reduce((sum, { lengths }) => sum + lengths[field], 0),
    ),
    pagesWith: [...pagesWith].sort(([a], [b]) => (a < b ? -1 : 1)),
  }
}

/** A corpus that lies in several indexes: pages of each are scored by the counts of all. */
export class SharedCorpus {
  readonly statistics: CorpusStatistics
  readonly #pagesWith: ReadonlyMap<string, number>

  constructor({ pages, lengths, pagesWith }: CorpusCounts) {
    this.statistics = corpusStatistics(pages, lengths)
    this.#pagesWith = new Map(pagesWith)
  }

  pagesWith(term: string): number {
    return this.#pagesWith.get(term) ?? 0
  }

  /** A query as one of the indexes looks for it; `termCount` tells how many terms any page of all has. */
  prepare(
    index: Pick<TextIndex, 'analyser' | 'terms' | 'pagesWith'>,
    text: string,
    scoring: Scoring,
  ): PreparedQuery & { readonly termCount: number } {
    const { analyser } = index
    const { statistics } = this
    const among = analyser.languages?.filter((one) => this.pagesWith(languageLabel(one)) > 0)
    const words = analyser.queryWords(text, undefined, among)
    const terms: number[] = []
    const weights: number[] = []
    let [totalWeight, termCount] = [0, 0]
    for (const forms of words) {
      const found = forms.reduce((sum, form) => sum + this.pagesWith(form), 0)
      const weight = scoring.weight(Math.min(statistics.pages, found), statistics, words.length)
      totalWeight += weight
      for (const form of forms) {
        if (this.pagesWith(form) > 0) termCount++
        const term = index.terms.find(form)
        if (term === undefined || index.pagesWith(term) === 0) continue
        terms.push(term)
        weights.push(weight)
      }
    }
    return { terms, weights, totalWeight, scoring, statistics, termCount }
  }
}
