import { join } from 'node:path'
import type { Frontier } from '#frontier/frontier.ts'
import { LinkWords } from '#frontier/link-words/link-words.ts'
import type { LearntFetch, LoggedFetch } from '#learn/entries/learnt-fetch.ts'
import { isNewContent } from '#learn/text-index/index-pages.ts'
import { listKindOf } from '#learn/yields/first-yields.ts'
import { ExactSum } from '#numeric/exact-sum.ts'
import type { Hashes64 } from '#numeric/hash.ts'
import { mainText } from '#parse/page/main-text.ts'
import {
  type BucketFacts,
  bucketLessons,
  bucketOffers,
  type NumberColumns,
} from '#policy/acquire/in-buckets/bucket-offers.ts'
import { measuredGains } from '#policy/acquire/in-buckets/measured-gains.ts'
import type { Bidder } from '#policy/bidder.ts'
import { shapesInBucket } from '#policy/facts/address-shapes.ts'
import type { Facts } from '#policy/facts/facts.ts'
import { type Views, viewsInAll, viewsOfAnswers } from '#policy/facts/views.ts'
import type { TablesInMemory } from '#repository/buckets/tables-in-memory.ts'
import { writeTypedColumns } from '#repository/buckets/typed-columns.ts'
import type { IndexStore } from '#repository/text-index/index-store.ts'
import { indexTakenOn } from '#repository/text-index/index-taken-on.ts'
import { defaultAnalyser } from '#search/full-text/default-search.ts'
import { SharedCorpus } from '#search/full-text/shared-corpus.ts'
import { TextIndex } from '#search/full-text/text-index.ts'
import type { OpenBuckets } from './buckets-crawl.ts'
import { EpochQueries } from './epoch-queries.ts'
import {
  BY_QUERIES,
  goesByQueries,
  type LearntAnswers,
  TABLES,
  toldAnswers,
  weighsCopies,
  writeTold,
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
  const whole = new EpochQueries(opened, epoch)
  const index = new TextIndex(defaultAnalyser)
  for (const fetch of fetches)
    if (isNewContent(fetch)) {
      const { id, url, page } = fetch.outcome
      const { title, language } = page
      index.replace(id, { url, title, text: mainText(page), anchors: [], language })
    }
  const corpus = new SharedCorpus(whole.get('shared').corpus)
  writeTold(toldAnswers(index, whole.queries, corpus, hashes), into)
}

/** A bucket's part in plans by queries: its index, and what it offers for answers that all buckets work out. */
export class BucketQueries {
  readonly index: TextIndex
  readonly #store: IndexStore
  readonly #whole: EpochQueries
  #words: LinkWords | undefined
  #tables: Readonly<Record<string, NumberColumns>> = {}
  readonly #candidateRank = new ExactSum()
  readonly #isPriced: boolean
  #named: ReadonlySet<number> = new Set()

  /** Takes up the index that the epoch before has left, and goes on with it in another folder. */
  constructor(opened: OpenBuckets, epoch: number, before: string | undefined, into: string) {
    this.#store = indexTakenOn(before, into)
    this.index = this.#store.load(defaultAnalyser)
    this.#whole = new EpochQueries(opened, epoch)
    this.#isPriced = weighsCopies(opened)
  }

  /** By URL: what fetches have gained for searchers; the index is still as it was. */
  gainsOf(fetches: readonly LearntFetch[], frontier: Frontier): Map<number, number> {
    const { queries, before = this.#whole } = this.#whole
    // As long as nothing was known, scores rest on what came.
    const { corpus } = before.get('answers').corpus.pages > 0 ? before : this.#whole
    const hashes = frontier.urls.hashes()
    return measuredGains(fetches, {
      ...{ queries, corpus, hashes },
      ...{ rows: before.rows, index: this.index },
    })
  }

  /** What searchers see of copies, and what they see in all. */
  views(frontier: Frontier): Views & { readonly all: number } {
    const { queries } = this.#whole
    const answers = this.#whole.answersBy(frontier.urls.hashes())
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
        const { unnamed, pairs, pages } = bucketOffers(
          own,
          high,
          this.#whole.get('shared').rankScale,
        )
        const { candidates, answers } = own
        const chances = frontier.addresses.of(candidates)
        const chance = Float64Array.from(pages.place, (place) => chances?.[Number(place)] ?? 1)
        const url = Uint32Array.from(pages.place, (place) => candidates[Number(place)])
        const worth = (place: number) => {
          const isPage = listKindOf(candidates[place], frontier) === undefined
          return isPage ? unnamed[place] * answers.meanGain * (chances?.[place] ?? 1) : 0
        }
        this.#named = new Set(url)
        const lessons = this.#whole.get('shared').teaches ? bucketLessons(own, high) : undefined
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
    const { queries } = this.#whole
    const { texts, visits: allVisits } = this.#whole.get('shared')
    const words = this.#wordsOf(frontier)
    words.judgeBy(texts)
    return {
      ...{ candidates, links, hosts, domains, visits, seed, budget, words, queries },
      ...shapesInBucket(frontier.urls),
      answers: this.#whole.answersBy(hashes),
      model: this.#whole.get('model').model,
      whole: { ranks, ties: hashes.low, visits: allVisits },
    }
  }

  #wordsOf(frontier: Frontier): LinkWords {
    if (this.#words) return this.#words
    const { urls, links, size } = frontier
    const words = new LinkWords(defaultAnalyser, urls, links.anchors)
    words.setQueries(this.#whole.queries.map(({ text }) => text))
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
    const { queries, corpus } = this.#whole
    const learnt: LearntAnswers = {
      ...toldAnswers(this.index, queries, corpus, frontier.urls.hashes()),
      texts: this.#wordsOf(frontier).countTexts((url) => !frontier.foreign.has(url)),
      rank: this.#candidateRank.limbs,
    }
    writeTold(learnt, into)
  }
}
