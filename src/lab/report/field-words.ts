import type { Field } from './rows.ts'

/** What fields are called where their names alone would not do. */
const WORDS: Readonly<Record<string, string>> = {
  maxNdcg: 'maxNDCG@10',
  actualMaxNdcg: 'actual maxNDCG@10',
  linearMaxNdcg: 'maxNDCG@10, linear gains',
  ndcg10: 'NDCG@10',
  recall100: 'recall@100',
  ciLow: 'from',
  ciHigh: 'to',
  pageRankMass: 'PageRank mass',
  jaccardPrevious: 'Jaccard',
  jaccard: 'Jaccard',
  tau: 'τ',
  percent: '% a week',
  correlationOfBoth: 'ρ of both',
  correlationOfAny: 'ρ of any',
  helpful: 'helpful pages before',
}

/** A field as people read it: `firstOnly` is "first only". What a function gives is called nothing. */
export function wordsFor<Row>(field: Field<Row>): string {
  if (typeof field === 'function') return ''
  return WORDS[field] ?? field.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

/** Every field of some rows that a cell can show, and those of records among them, with its name. */
export function plainFields<Row extends object>(
  rows: readonly Row[],
): (readonly [name: string, of: (row: Row) => unknown])[] {
  const names = new Set(rows.flatMap((row) => Object.keys(row) as (keyof Row & string)[]))
  return [...names].flatMap((name) => {
    const value = rows.map((row) => row[name]).find((one) => one !== null && one !== undefined)
    if (typeof value === 'boolean') return []
    if (isPlain(value)) return [[wordsFor<Row>(name), (row: Row) => row[name]] as const]
    if (Array.isArray(value)) return []
    const parts = Object.entries(value as object).filter(([, part]) => isPlain(part))
    return parts.map(([part]) => {
      const of = (row: Row) => (row[name] as Record<string, unknown> | null)?.[part]
      return [wordsFor(part as never), of] as const
    })
  })
}

const isPlain = (value: unknown): boolean =>
  typeof value !== 'object' || value === null || 'estimate' in value
