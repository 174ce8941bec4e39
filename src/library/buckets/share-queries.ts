import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { countedGains } from '#crawl/buckets/counted-gains.ts'
import type { CountedTexts } from '#frontier/link-words/link-words.ts'
import { ExactSum } from '#numeric/exact-sum.ts'
import { type AnswerRows, mergedAnswers } from '#policy/acquire/in-buckets/answer-rows.ts'
import type { NumberColumns, OfferedPairs } from '#policy/acquire/in-buckets/bucket-offers.ts'
import { learnWhole } from '#policy/acquire/in-buckets/whole-model.ts'
import { wholeValues } from '#policy/acquire/in-buckets/whole-values.ts'
import { LEAST_PAGES } from '#policy/acquire/learn-acquisition.ts'
import { HORIZON_DAYS } from '#policy/budget/one-currency.ts'
import { RELEARN_AFTER } from '#policy/facts/query-knowledge.ts'
import { readJson } from '#repository/buckets/buckets-folder.ts'
import { writeContent } from '#repository/buckets/draft-files.ts'
import { packed } from '#repository/buckets/packed-columns.ts'
import { openInMemory, type TablesInMemory } from '#repository/buckets/tables-in-memory.ts'
import { readTypedColumns, type TypedColumn } from '#repository/buckets/typed-columns.ts'
import { addedCounts, type CorpusCounts } from '#search/full-text/shared-corpus.ts'
import { BEGIN, type EpochGoal, type OpenBuckets } from './buckets-crawl.ts'
import { EpochQueries, type SharedFacts } from './epoch-queries.ts'
import {
  type LearntAnswers,
  rowsIn,
  TABLES,
  type ToldAnswers,
  toldIn,
  VALUED,
  weighsCopies,
} from './query-files.ts'

const NOTHING: Omit<SharedFacts, 'corpus' | 'visits'> = {
  ...{ texts: { texts: 0, textsWith: [] }, rankScale: Number.EPSILON },
  ...{ taughtAt: 0, teaches: false },
}

/** What all buckets came to in the epoch before; the first one has nothing to go by. */
export async function shareFacts(
  opened: OpenBuckets,
  epoch: number,
  visits: number,
): Promise<void> {
  const whole = new EpochQueries(opened, epoch)
  await whole.make('shared', () => {
    const { before } = whole
    if (before === undefined) return { corpus: addedCounts([]), ...NOTHING, visits }
    const { taughtAt } = before.get('shared')
    const { asked } = before.get('values')
    const rank = new ExactSum()
    const [corpora, texts]: [CorpusCounts[], CountedTexts[]] = [[], []]
    for (const one of toldIn<LearntAnswers>(opened, epoch - 1, 'learn')) {
      rank.addLimbs(one.rank)
      corpora.push(one.corpus)
      texts.push(one.texts)
    }
    const teaches = visits >= LEAST_PAGES && visits >= RELEARN_AFTER * taughtAt
    return {
      corpus: addedCounts(corpora),
      texts: addedTexts(texts),
      visits,
      rankScale: Math.max(asked, Number.EPSILON) / Math.max(rank.value, Number.EPSILON),
      taughtAt: teaches ? visits : taughtAt,
      teaches,
    }
  })
}

/** How all queries are answered, with the pages just fetched; and what was learnt from those before. */
export async function shareAnswers(opened: OpenBuckets, epoch: number): Promise<void> {
  const whole = new EpochQueries(opened, epoch)
  const { queries, before } = whole
  await whole.make('answers', () => {
    const { corpus } = whole.get('shared')
    const told = [...toldIn<ToldAnswers>(opened, epoch, 'tell')]
    const indexed = before ? rowsOf(toldIn(opened, epoch - 1, 'learn')) : []
    const rows = mergedAnswers(indexed, rowsOf(told), queries.length)
    return {
      corpus: addedCounts([corpus, ...told.map((one) => one.corpus)]),
      answers: packed({ ...rows }),
    }
  })
  await whole.make('model', async () => {
    if (before === undefined) return {}
    if (!before.get('shared').teaches) return before.get('model')
    using tables = await openInMemory()
    const all = (name: string) => ofAllBuckets(tables.connection, opened, epoch - 1, name)
    const lessons = { pairs: await all(TABLES.lessonPairs), pages: await all(TABLES.lessonPages) }
    const model = learnWhole(lessons, queries)
    return model ? { model } : before.get('model')
  })
}

/** What candidates of all buckets are worth that queries ask for, each after the better ones. */
export async function shareValues(opened: OpenBuckets, epoch: number): Promise<void> {
  const { folder, crawl } = opened
  const whole = new EpochQueries(opened, epoch)
  await whole.make('values', async () => {
    const { budget } = readJson<EpochGoal>(folder.ofEpoch(epoch, BEGIN))
    const nobody = { low: new Uint32Array(0), high: new Uint32Array(0) }
    const { meanGain } = whole.answersBy(nobody)
    const { model } = whole.get('model')
    using tables = await openInMemory()
    const all = (name: string) => ofAllBuckets(tables.connection, opened, epoch, name)
    const [pairs, pages] = [await all(TABLES.pairs), await all(TABLES.pages)]
    const offers = { pairs: pairs as unknown as OfferedPairs, pages }
    const { rows, values, asked } = wholeValues(offers, whole.queries, model, budget)
    const worths = values.map(
      (value, place) => value * meanGain * Number(pages.chance[rows[place]]),
    )
    const places = Array.from(rows.keys())
    const buckets = Array.from({ length: crawl.buckets }, (_, bucket) => {
      const own = places.filter((place) => pages.bucket[rows[place]] === bucket)
      return packed({
        url: Uint32Array.from(own, (place) => Number(pages.url[rows[place]])),
        value: Float64Array.from(own, (place) => worths[place]),
      })
    })
    if (!weighsCopies(opened)) return { asked, buckets }
    const content = Float64Array.from(pages.unnamed ?? [])
    rows.forEach((row, place) => {
      if (content[row] > 0) content[row] = worths[place]
    })
    const gains = content.map((value) => value * HORIZON_DAYS)
    await folder.make(folder.ofEpoch(epoch, VALUED), (draft) =>
      writeContent(tables.connection, gains, draft),
    )
    return { asked, buckets, content: countedGains(gains) }
  })
}

function addedTexts(all: readonly CountedTexts[]): CountedTexts {
  const [{ textsWith: first }] = all
  return {
    texts: all.reduce((sum, { texts }) => sum + texts, 0),
    textsWith: first.map((_, gram) => all.reduce((sum, one) => sum + one.textsWith[gram], 0)),
  }
}

function* rowsOf(told: Iterable<ToldAnswers>): Generator<AnswerRows> {
  for (const one of told) yield rowsIn(one)
}

/** A table of all buckets, one after the other, with the bucket of each row. */
async function ofAllBuckets(
  connection: TablesInMemory['connection'],
  { folder, crawl }: OpenBuckets,
  epoch: number,
  name: string,
): Promise<NumberColumns> {
  const parts: Record<string, TypedColumn>[] = []
  for (let bucket = 0; bucket < crawl.buckets; bucket++) {
    const path = join(folder.partOf(epoch, 'learn', bucket), name)
    if (!existsSync(path)) continue
    const { rows, columns } = await readTypedColumns(connection, path)
    parts.push({ ...columns, bucket: new Uint32Array(rows).fill(bucket) })
  }
  const names = Object.keys(parts[0] ?? {})
  return Object.fromEntries(
    names.map((column) => [column, joined(parts.map((part) => part[column]))]),
  )
}

function joined(parts: readonly TypedColumn[]): Uint32Array | Float64Array {
  const size = parts.reduce((sum, { length }) => sum + length, 0)
  const all = parts[0] instanceof Uint32Array ? new Uint32Array(size) : new Float64Array(size)
  let at = 0
  for (const part of parts) {
    all.set(part as Float64Array, at)
    at += part.length
  }
  return all
}
