import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CountedTexts } from '#frontier/link-words/link-words.ts'
import type { SumLimbs } from '#numeric/exact-sum.ts'
import type { Hashes64 } from '#numeric/hash.ts'
import { type AnswerRows, bestAnswers } from '#policy/acquire/in-buckets/answer-rows.ts'
import type { AskedQuery } from '#policy/facts/acquisition-facts.ts'
import { type Phase, readJson } from '#repository/buckets/buckets-folder.ts'
import { type PackedColumns, packed, unpacked } from '#repository/buckets/packed-columns.ts'
import {
  type CorpusCounts,
  corpusCounts,
  type SharedCorpus,
} from '#search/full-text/shared-corpus.ts'
import type { TextIndex } from '#search/full-text/text-index.ts'
import type { OpenBuckets } from './buckets-crawl.ts'

/** Policies that go by queries where a crawl is in buckets: by new pages alone, or all that is worth its price. */
export const BY_QUERIES = 'impact'
export const AT_ONE_PRICE = 'unified'

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

/** A folder of an epoch: gains of content that the process between phases has worked out. */
export const VALUED = 'valued'
/** In the folder of a step. */
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

/** What pages of an index answer, as text for a file. */
export function toldAnswers(
  index: TextIndex,
  queries: readonly AskedQuery[],
  corpus: SharedCorpus,
  hashes: Hashes64,
): ToldAnswers {
  return {
    corpus: corpusCounts(
      index,
      queries.map(({ text }) => text),
    ),
    answers: packed({ ...bestAnswers(index, queries, corpus, hashes) }),
  }
}

const TOLD = 'told.json'

/** Writes what a step has to tell of answers into its folder. */
export function writeTold(told: ToldAnswers, into: string): void {
  writeFileSync(join(into, TOLD), JSON.stringify(told))
}

/** What steps of a phase have told, one after the other: all at once may be much. */
export function* toldIn<T extends ToldAnswers>(
  { folder, crawl }: OpenBuckets,
  epoch: number,
  phase: Phase,
): Generator<T> {
  for (let bucket = 0; bucket < crawl.buckets; bucket++) {
    const path = join(folder.partOf(epoch, phase, bucket), TOLD)
    if (existsSync(path)) yield readJson<T>(path)
  }
}
