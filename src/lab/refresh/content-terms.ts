import type { Archive } from '#archive/format/archive.ts'
import type { Analyser } from '#search/text/analysis.ts'
import type { Query } from '#workload/workload.ts'
import { NO_VERSION, type WeeklyPages } from './weekly-pages.ts'

/** Queries as numbers of terms; those of which no word counts are left out. */
export interface TermQueries {
  /** By query: how often it is asked, of all times that any is. */
  readonly shares: Float64Array
  readonly terms: readonly Uint32Array[]
  /** By query: its words as somebody wrote them. */
  readonly texts: readonly string[]
  readonly termCount: number
  readonly numberOf: ReadonlyMap<string, number>
}

/** Rows by content: terms[offsets[c] .. offsets[c + 1]) of the queries, rising, and how often each occurs. */
export interface ContentTerms {
  readonly offsets: Uint32Array
  readonly terms: Uint32Array
  readonly counts: Uint32Array
  /** By content: all its terms, of queries or not. */
  readonly lengths: Uint32Array
}

/** The workload in terms; queries with the same terms are one. */
export function termQueries(queries: readonly Query[], analyser: Analyser): TermQueries {
  const numberOf = new Map<string, number>()
  const merged = new Map<string, { terms: number[]; text: string; weight: number }>()
  for (const { text, weight } of queries) {
    const words = analyser.queryTerms(text)
    if (words.length === 0 || weight === 0) continue
    const terms = words.map((word) => {
      const known = numberOf.get(word) ?? numberOf.size
      numberOf.set(word, known)
      return known
    })
    const key = terms.toSorted((a, b) => a - b).join(' ')
    const same = merged.get(key)
    if (same) same.weight += weight
    else merged.set(key, { terms, text, weight })
  }
  const kept = [...merged.values()]
  const total = kept.reduce((sum, { weight }) => sum + weight, 0)
  return {
    shares: Float64Array.from(kept, ({ weight }) => weight / total),
    terms: kept.map(({ terms }) => Uint32Array.from(terms)),
    texts: kept.map(({ text }) => text),
    termCount: numberOf.size,
    numberOf,
  }
}

/** What of a block of text counts: the queries' terms in it, doublets included, and its length. */
interface BlockTerms {
  readonly terms: Uint32Array
  readonly length: number
}

/** The queries' terms in title and main text of every content. */
export function contentTerms(
  archive: Archive,
  { versions }: WeeklyPages,
  { numberOf, termCount }: TermQueries,
  analyser: Analyser,
): ContentTerms {
  // Most blocks come again in the next version of the page, or on every page.
  const known = new Map<string, BlockTerms>()
  const termsOf = (text: string): BlockTerms => {
    const block = known.get(text)
    if (block) return block
    const words = analyser.terms(text)
    const terms = Uint32Array.from(words.flatMap((word) => numberOf.get(word) ?? []))
    const made = { terms, length: words.length }
    known.set(text, made)
    return made
  }
  const countOf = new Uint32Array(termCount)
  const offsets = new Uint32Array(versions.length + 1)
  const lengths = new Uint32Array(versions.length)
  const rows: Uint32Array[] = []
  const countRows: Uint32Array[] = []
  versions.forEach((version, content) => {
    const found: number[] = []
    const add = ({ terms, length }: BlockTerms) => {
      lengths[content] += length
      for (const term of terms) if (countOf[term]++ === 0) found.push(term)
    }
    if (version !== NO_VERSION) {
      add(termsOf(archive.titleOf(version)))
      archive.forEachBlock(version, (text, boilerplate) => {
        if (!boilerplate) add(termsOf(text))
      })
    }
    const row = Uint32Array.from(found).sort()
    rows.push(row)
    countRows.push(row.map((term) => countOf[term]))
    for (const term of row) countOf[term] = 0
    offsets[content + 1] = offsets[content] + row.length
  })
  return { offsets, terms: joined(rows), counts: joined(countRows), lengths }
}

function joined(rows: readonly Uint32Array[]): Uint32Array {
  const all = new Uint32Array(rows.reduce((sum, row) => sum + row.length, 0))
  let filled = 0
  for (const row of rows) {
    all.set(row, filled)
    filled += row.length
  }
  return all
}
