import { join } from 'node:path'
import type { CountedTexts } from '#frontier/link-words/link-words.ts'
import type { SumLimbs } from '#numeric/exact-sum.ts'
import type { AnswerRows } from '#policy/acquire/in-buckets/answer-rows.ts'
import type { AcquisitionModel, AskedQuery } from '#policy/facts/acquisition-facts.ts'
import { readJson } from '#repository/buckets/buckets-folder.ts'
import { type PackedColumns, unpacked } from '#repository/buckets/packed-columns.ts'
import type { CorpusCounts } from '#search/full-text/shared-corpus.ts'
import type { OpenBuckets } from './buckets-crawl.ts'

/** Policies that go by queries where a crawl is in buckets: by new pages alone, or all that is worth its price. */
export const BY_QUERIES = 'impact'
export const AT_ONE_PRICE = 'unified'

/** What an epoch's steps know of all buckets before anything is told of its pages. */
export interface SharedFacts {
  readonly corpus: CorpusCounts
  /** Addresses and anchors, by which words of queries are rare. */
  readonly texts: CountedTexts
  /** Fetches of all buckets, those just answered too. */
  readonly visits: number
  /** What a candidate of average PageRank is worth, as all of them are worth as much as queries expect. */
  readonly rankScale: number
  /** Pages fetched when a model was learnt last, and whether this epoch tells what the next is learnt from. */
  readonly taughtAt: number
  readonly teaches: boolean
}

/** What a step tells of answers: those that its pages are, by the counts that it went by. */
export interface ToldAnswers {
  readonly corpus: CorpusCounts
  readonly answers: PackedColumns
}

/** And what all of a bucket comes to. */
export interface LearntAnswers extends ToldAnswers {
  readonly texts: CountedTexts
  /** PageRank of all candidates. */
  readonly rank: SumLimbs
}

export interface EpochModel {
  readonly model?: AcquisitionModel
}

/** What candidates that queries ask for are worth, by bucket; and what queries expect of all of them. */
export interface EpochValues {
  readonly asked: number
  readonly buckets: readonly PackedColumns[]
  /** How many of their gains begin with each digit, where bids have a price; they lie in the folder of that name. */
  readonly content?: string
}

/** Files of an epoch that the driver makes, in this order. */
export const SHARED = 'shared.json'
export const ANSWERS = 'answers.json'
export const MODEL = 'model.json'
export const VALUES = 'values.json'
/** A folder beside these: gains of content that the driver has worked out. */
export const VALUED = 'valued'
/** In the folder of a step. */
export const TOLD = 'told.json'
export const TABLES = {
  pairs: 'pairs.parquet',
  pages: 'pages.parquet',
  lessonPairs: 'lesson-pairs.parquet',
  lessonPages: 'lesson-pages.parquet',
} as const

/** Whether plans go by what searchers ask. */
export function goesByQueries({ crawl }: Pick<OpenBuckets, 'crawl'>): boolean {
  return crawl.settings.policy === BY_QUERIES || weighsCopies({ crawl })
}

/** Whether copies are weighed against new pages. */
export function weighsCopies({ crawl }: Pick<OpenBuckets, 'crawl'>): boolean {
  return crawl.settings.policy === AT_ONE_PRICE
}

/** The queries that a crawl in buckets goes by; fixed when it begins. */
export function queriesOf({ folder }: Pick<OpenBuckets, 'folder'>): readonly AskedQuery[] {
  return readJson(queriesPath(folder.dir))
}

export function queriesPath(dir: string): string {
  return join(dir, 'queries.json')
}

export function rowsIn({ answers }: ToldAnswers): AnswerRows {
  return unpacked<Record<keyof AnswerRows, Uint32Array | Float64Array>>(
    answers,
  ) as unknown as AnswerRows
}
