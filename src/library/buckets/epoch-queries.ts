import type { CountedTexts } from '#frontier/link-words/link-words.ts'
import type { Hashes64 } from '#numeric/hash.ts'
import { type AnswerRows, answersHere } from '#policy/acquire/in-buckets/answer-rows.ts'
import type { AcquisitionModel, AskedQuery, QueryAnswers } from '#policy/facts/acquisition-facts.ts'
import { readJson } from '#repository/buckets/buckets-folder.ts'
import type { PackedColumns } from '#repository/buckets/packed-columns.ts'
import { defaultAnalyser } from '#search/full-text/default-search.ts'
import { type CorpusCounts, SharedCorpus } from '#search/full-text/shared-corpus.ts'
import type { OpenBuckets } from './buckets-crawl.ts'
import { queriesOf, rowsIn, type ToldAnswers } from './query-files.ts'

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

interface EpochModel {
  readonly model?: AcquisitionModel
}

/** What candidates that queries ask for are worth, by bucket; and what queries expect of all of them. */
interface EpochValues {
  readonly asked: number
  readonly buckets: readonly PackedColumns[]
  /** How many of their gains begin with each digit, where bids have a price; they lie in the folder of that name. */
  readonly content?: string
}

/** Files of an epoch, in the order in which the process between phases makes them. */
interface Files {
  readonly shared: SharedFacts
  /** How all queries are answered, with the pages just fetched. */
  readonly answers: ToldAnswers
  readonly model: EpochModel
  readonly values: EpochValues
}

/**
 * What the whole crawl knows of its queries in an epoch. The process between phases makes each part from what buckets
 * told, and steps read it; a part that is not made yet cannot be asked for.
 */
export class EpochQueries {
  readonly queries: readonly AskedQuery[]
  readonly #opened: OpenBuckets
  readonly #epoch: number
  readonly #read: { -readonly [Part in keyof Files]?: Files[Part] } = {}
  #rows: AnswerRows | undefined
  #corpus: SharedCorpus | undefined
  #before: EpochQueries | undefined

  constructor(opened: OpenBuckets, epoch: number) {
    this.#opened = opened
    this.#epoch = epoch
    this.queries = queriesOf(opened)
  }

  /** The epoch before; undefined in the first. */
  get before(): EpochQueries | undefined {
    if (this.#epoch > 1) this.#before ??= new EpochQueries(this.#opened, this.#epoch - 1)
    return this.#before
  }

  /** Makes a part, unless it is there. */
  async make<Part extends keyof Files>(
    part: Part,
    tell: () => Files[Part] | Promise<Files[Part]>,
  ): Promise<void> {
    await this.#opened.folder.makeJson(this.#pathOf(part), tell)
  }

  get<Part extends keyof Files>(part: Part): Files[Part] {
    const read = this.#read[part] ?? readJson<Files[Part]>(this.#pathOf(part))
    this.#read[part] = read
    return read
  }

  get rows(): AnswerRows {
    this.#rows ??= rowsIn(this.get('answers'))
    return this.#rows
  }

  /** The counts that its answers go by. */
  get corpus(): SharedCorpus {
    this.#corpus ??= new SharedCorpus(this.get('answers').corpus)
    return this.#corpus
  }

  /** How queries are answered, by the numbers that URLs have where it is asked. */
  answersBy(hashes: Hashes64): QueryAnswers {
    return answersHere(this.rows, this.queries, this.corpus, defaultAnalyser, hashes)
  }

  #pathOf(part: keyof Files): string {
    return this.#opened.folder.ofEpoch(this.#epoch, `${part}.json`)
  }
}
