import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Frontier } from '#frontier/frontier.ts'
import { LinkWords } from '#frontier/link-words/link-words.ts'
import type { LearntFetch, LoggedFetch } from '#learn/entries/learnt-fetch.ts'
import { isNewContent } from '#learn/text-index/index-pages.ts'
import { listKindOf } from '#learn/yields/first-yields.ts'
import { ExactSum } from '#numeric/exact-sum.ts'
import type { Hashes64 } from '#numeric/hash.ts'
import { mainText } from '#parse/page/main-text.ts'
import { answersHere, bestAnswers } from '#policy/acquire/in-buckets/answer-rows.ts'
import {
  type BucketFacts,
  bucketLessons,
  bucketOffers,
  type NumberColumns,
} from '#policy/acquire/in-buckets/bucket-offers.ts'
import { measuredGains } from '#policy/acquire/in-buckets/measured-gains.ts'
import type { Bidder } from '#policy/bidder.ts'
import type { AskedQuery } from '#policy/facts/acquisition-facts.ts'
import { shapesInBucket } from '#policy/facts/address-shapes.ts'
import type { Facts } from '#policy/facts/facts.ts'
import { type Views, viewsInAll, viewsOfAnswers } from '#policy/facts/views.ts'
import { readJson } from '#repository/buckets/buckets-folder.ts'
import { packed } from '#repository/buckets/packed-columns.ts'
import type { TablesInMemory } from '#repository/buckets/tables-in-memory.ts'
import { writeTypedColumns } from '#repository/buckets/typed-columns.ts'
import type { IndexStore } from '#repository/text-index/index-store.ts'
import { indexTakenOn } from '#repository/text-index/index-taken-on.ts'
import { defaultAnalyser } from '#search/full-text/default-search.ts'
import { corpusCounts, SharedCorpus } from '#search/full-text/shared-corpus.ts'
import { TextIndex } from '#search/full-text/text-index.ts'
import type { OpenBuckets } from './buckets-crawl.ts'
import {
  ANSWERS,
  BY_QUERIES,
  type EpochModel,
  goesByQueries,
  type LearntAnswers,
  MODEL,
  queriesOf,
  rowsIn,
  SHARED,
  type SharedFacts,
  TABLES,
  TOLD,
  type ToldAnswers,
  weighsCopies,
} from './query-files.ts'

/**
 * What pages just fetched answer, before their bucket has learnt from them: as their own words say, without what links
 * call them.
 */
export function tellAnswers(
  opened: OpenBuckets,
  epoch: number,
  fetches: readonly LoggedFetch[],
  hashes: Hashes64,
  into: string,
): void {
  const queries = queriesOf(opened)
  const index = new TextIndex(defaultAnalyser)
  for (const fetch of fetches)
    if (isNewContent(fetch)) {
      const { id, url, page } = fetch.outcome
      const { title, language } = page
      index.replace(id, { url, title, text: mainText(page), anchors: [], language })
    }
  const shared = readJson<SharedFacts>(opened.folder.ofEpoch(epoch, SHARED))
  const rows = bestAnswers(index, queries, new SharedCorpus(shared.corpus), hashes)
  const told: ToldAnswers = {
    corpus: corpusCounts(index, textsOf(queries)),
    answers: packed({ ...rows }),
  }
  writeFileSync(join(into, TOLD), JSON.stringify(told))
}

/** A bucket's part in plans by queries: its index, and what it offers for answers that all buckets work out. */
export class BucketQueries {
  readonly index: TextIndex
  readonly #store: IndexStore
  readonly #queries: readonly AskedQuery[]
  readonly #shared: SharedFacts
  readonly #answers: ToldAnswers
  readonly #corpus: SharedCorpus
  readonly #model: EpochModel
  #words: LinkWords | undefined
  #tables: Readonly<Record<string, NumberColumns>> = {}
  readonly #candidateRank = new ExactSum()
  readonly #isPriced: boolean
  readonly #before: ToldAnswers | undefined
  #named: ReadonlySet<number> = new Set()

  /** Takes up the index that the epoch before has left, and goes on with it in another folder. */
  constructor(opened: OpenBuckets, epoch: number, before: string | undefined, into: string) {
    const { folder } = opened
    this.#store = indexTakenOn(before, into)
    this.index = this.#store.load(defaultAnalyser)
    this.#queries = queriesOf(opened)
    this.#shared = readJson(folder.ofEpoch(epoch, SHARED))
    this.#answers = readJson(folder.ofEpoch(epoch, ANSWERS))
    this.#corpus = new SharedCorpus(this.#answers.corpus)
    this.#model = readJson(folder.ofEpoch(epoch, MODEL))
    this.#isPriced = weighsCopies(opened)
    if (epoch > 1) this.#before = readJson(folder.ofEpoch(epoch - 1, ANSWERS))
  }

  /** By URL: what fetches have gained for searchers; the index is still as it was. */
  gainsOf(fetches: readonly LearntFetch[], frontier: Frontier): Map<number, number> {
    // As long as nothing was known, scores rest on what came.
    const before = this.#before?.corpus.pages ? this.#before : this.#answers
    return measuredGains(fetches, {
      queries: this.#queries,
      rows: rowsIn(this.#before ?? this.#answers),
      corpus: new SharedCorpus(before.corpus),
      ...{ index: this.index, hashes: frontier.urls.hashes() },
    })
  }

  /** What searchers see of copies, and what they see in all. */
  views(frontier: Frontier): Views & { readonly all: number } {
    const queries = this.#queries
    const hashes = frontier.urls.hashes()
    const rows = rowsIn(this.#answers)
    const answers = answersHere(rows, queries, this.#corpus, defaultAnalyser, hashes)
    return { ...viewsOfAnswers({ queries, answers }), all: viewsInAll({ queries, answers }) }
  }

  /** Whether what a candidate is worth is worked out by the process between phases. */
  isNamed(url: number): boolean {
    return this.#named.has(url)
  }

  /** Undefined where plans do not go by queries. */
  static in(
    opened: OpenBuckets,
    epoch: number,
    before: string | undefined,
    into: string,
  ): BucketQueries | undefined {
    return goesByQueries(opened) ? new BucketQueries(opened, epoch, before, into) : undefined
  }

  /** Bids for candidates as if no query asked for them by name; what of others' bids changes that is kept for files. */
  bidder(frontier: Frontier, ranks: Float64Array): Bidder {
    return {
      ...{ name: BY_QUERIES, summary: 'most gain for what searchers ask first' },
      ...{ task: 'acquire', unit: this.#isPriced ? 'quality' : 'rank' },
      needs: ['candidates', 'links', 'hosts', 'domains', 'visits'],
      bids: (facts) => {
        const own = this.#factsIn(facts, frontier, ranks)
        const { high } = frontier.urls.hashes()
        const { unnamed, pairs, pages } = bucketOffers(own, high, this.#shared.rankScale)
        const { candidates, answers } = own
        const chances = frontier.addresses.of(candidates)
        const chance = Float64Array.from(pages.place, (place) => chances?.[Number(place)] ?? 1)
        const url = Uint32Array.from(pages.place, (place) => candidates[Number(place)])
        const worth = (place: number) => {
          const isPage = listKindOf(candidates[place], frontier) === undefined
          return isPage ? unnamed[place] * answers.meanGain * (chances?.[place] ?? 1) : 0
        }
        this.#named = new Set(url)
        const lessons = this.#shared.teaches ? bucketLessons(own, high) : undefined
        this.#tables = {
          [TABLES.pairs]: { ...pairs },
          [TABLES.pages]: { ...pages, url, chance, unnamed: Float64Array.from(pages.place, worth) },
          ...(lessons && { [TABLES.lessonPairs]: lessons.pairs }),
          ...(lessons && { [TABLES.lessonPages]: lessons.pages }),
        }
        for (const candidate of candidates) this.#candidateRank.add(ranks[candidate])
        return {
          purpose: 'acquire',
          urls: candidates,
          gains: unnamed.map((value) => value * answers.meanGain),
          why: () => 'by links, and by what lies around it',
        }
      },
    }
  }

  #factsIn(facts: Facts, frontier: Frontier, ranks: Float64Array): BucketFacts {
    const { candidates, links, hosts, domains, visits, seed, budget } = facts
    const hashes = frontier.urls.hashes()
    const rows = rowsIn(this.#answers)
    const words = this.#wordsOf(frontier)
    words.judgeBy(this.#shared.texts)
    return {
      ...{ candidates, links, hosts, domains, visits, seed, budget, words },
      ...shapesInBucket(frontier.urls),
      queries: this.#queries,
      answers: answersHere(rows, this.#queries, this.#corpus, defaultAnalyser, hashes),
      model: this.#model.model,
      whole: { ranks, ties: hashes.low, visits: this.#shared.visits },
    }
  }

  #wordsOf(frontier: Frontier): LinkWords {
    if (this.#words) return this.#words
    const { urls, links, size } = frontier
    const words = new LinkWords(defaultAnalyser, urls, links.anchors)
    words.setQueries(textsOf(this.#queries))
    const none = {
      targets: new Uint32Array(0),
      anchors: new Uint32Array(0),
      rels: new Uint8Array(0),
    }
    for (let url = 0; url < size; url++) words.replaceRow(url, none, links.rowOf(url))
    this.#words = words
    return words
  }

  /** Writes the index, and what others need of this bucket. */
  async write(
    connection: TablesInMemory['connection'],
    frontier: Frontier,
    into: string,
  ): Promise<void> {
    this.#store.save(this.index)
    for (const [name, columns] of Object.entries(this.#tables))
      await writeTypedColumns(connection, columns, join(into, name))
    const hashes = frontier.urls.hashes()
    const rows = bestAnswers(this.index, this.#queries, this.#corpus, hashes)
    const learnt: LearntAnswers = {
      corpus: corpusCounts(this.index, textsOf(this.#queries)),
      answers: packed({ ...rows }),
      texts: this.#wordsOf(frontier).countTexts((url) => !frontier.foreign.has(url)),
      rank: this.#candidateRank.limbs,
    }
    writeFileSync(join(into, TOLD), JSON.stringify(learnt))
  }
}

function textsOf(queries: readonly AskedQuery[]): string[] {
  return queries.map(({ text }) => text)
}
