import type { Frontier } from '#frontier/frontier.ts'
import { LinkWords } from '#frontier/link-words/link-words.ts'
import { LinkStore } from '#frontier/links/link-store.ts'
import { SECONDS_A_DAY } from '#learn/histories.ts'
import { sampleOf } from '#numeric/hash.ts'
import type { SearchEngine } from '#search/engine/search-engine.ts'
import type { Result } from '#search/full-text/best-results.ts'
import { defaultAnalyser, defaultScoring } from '#search/full-text/default-search.ts'
import type { Scoring } from '#search/full-text/scoring.ts'
import type { TextIndex } from '#search/full-text/text-index.ts'
import { type AnsweredText, PastProgress, type QueryProgress } from '#workload/improvability.ts'
import type { AskedQuery, QueryAnswers } from './acquisition-facts.ts'
import { clickFacts } from './click-facts.ts'
import { lazyFacts } from './facts.ts'
import {
  ANSWER_DEPTH,
  answersOf,
  COUNTED_RESULTS,
  engineAnswers,
  type LastScores,
  withAnswers,
} from './query-answers.ts'
import type { AnsweredQueries, Models, QueryFacts, Review } from './query-facts.ts'
import { TOP_K } from './worth.ts'

/** How far a crawl has come. */
interface CrawlMoment {
  /** URLs fetched at least once. */
  readonly visits: Uint32Array
  /** Fetches, of the same URLs too. */
  readonly fetches: number
  readonly now: number
}

/** Queries are looked at anew when so large a share as many fetches were made as URLs had been fetched. */
const NEWS_SHARE = 0.25
/** And after so many fetches, however large the crawl. */
const MOST_FETCHES = 10_000
/** What changes faster than that, few searchers notice. */
const MOST_SECONDS = SECONDS_A_DAY

/** Whether enough has come since a review for the next one. */
export function isReviewDue(last: CrawlMoment, { fetches, now }: CrawlMoment): boolean {
  const enough = Math.min(MOST_FETCHES, NEWS_SHARE * last.visits.length)
  return fetches - last.fetches >= enough || Math.abs(now - last.now) >= MOST_SECONDS
}

/** Few queries make most of the searches: those that make this share of them are looked at in every plan. */
const MOST_SEARCHES = 2 / 3

/** The queries asked most, that make most of the searches: by number, ascending. */
export function mostAsked(queries: readonly { readonly weight: number }[]): number[] {
  const byWeight = [...queries.keys()].sort(
    (a, b) => queries[b].weight - queries[a].weight || a - b,
  )
  let left = MOST_SEARCHES * queries.reduce((sum, { weight }) => sum + weight, 0)
  let count = 0
  for (; count < byWeight.length && left > 0; count++) left -= queries[byWeight[count]].weight
  return byWeight.slice(0, count).sort((a, b) => a - b)
}

/** Models are learnt anew when so many times as many pages were fetched: with 1.25 plans were no better. */
export const RELEARN_AFTER = 1.5
/** Of more queries without a sketch, some are sampled to learn from. */
const MOST_LESSONS = 2_000

export interface QueryKnowledgeOptions {
  /** How pages are scored; as in search if left out. */
  readonly scoring?: Scoring
  /** Who answers searchers, if not our own index. */
  readonly engine?: Pick<SearchEngine, 'curvesOf'>
  /** The queries are synthetic, so that nobody looks for words of theirs. */
  readonly isSynthetic?: boolean
  /** Queries that get no sketch, but tell what pages are worth. */
  readonly lessons?: readonly AskedQuery[]
  /** This share of the queries gets a sketch, where a policy chooses the neediest; all if left out. */
  readonly needyShare?: number
  /** What earlier fetches did for queries, as far as that is known from elsewhere. */
  readonly progress?: readonly QueryProgress[]
  /** K, ρ and g of the paper's policies: results looked at, share of n-grams to be found, words of the longest. */
  readonly topK?: number
  readonly matchShare?: number
  readonly longestNgram?: number
}

/**
 * What a crawl knows of some queries, kept in step with it: what links say of URLs, how queries are answered, and
 * what was learnt from it all.
 */
export class QueryKnowledge {
  readonly #frontier: Frontier
  readonly #index: TextIndex
  readonly #scoring: Scoring
  readonly #answersTo: (queries: readonly AskedQuery[]) => QueryAnswers
  readonly #engine: QueryKnowledgeOptions['engine']
  readonly #depth: number
  /** What the engine answers to what is learnt from. */
  #curves: readonly (readonly Result[])[] | undefined
  readonly #isSynthetic: boolean
  readonly #needyShare: number
  readonly #topK: number
  readonly #matchShare: number
  readonly #progress: PastProgress
  readonly #models: GrowingModels
  /** The latest, until other queries come. */
  #reviewed: { readonly at: CrawlMoment; readonly review: Review } | undefined
  readonly #words: LinkWords
  /** The links that `words` has taken up, and after how many changes of them. */
  readonly #taken = new LinkStore()
  #changesTaken: number
  #queries: readonly AskedQuery[] = []
  /** All that is learnt from: those with a sketch first, so that numbers are the same. */
  #lessons: readonly AskedQuery[] = []

  /** Takes up the pages that a crawl has fetched so far. */
  constructor(
    frontier: Frontier,
    index: TextIndex,
    queries: readonly AskedQuery[],
    options: QueryKnowledgeOptions = {},
  ) {
    const { scoring = defaultScoring, lessons, needyShare = 1 } = options
    const { isSynthetic = false, topK = TOP_K, matchShare = 1, longestNgram, progress } = options
    this.#frontier = frontier
    this.#scoring = scoring
    this.#isSynthetic = isSynthetic
    this.#needyShare = needyShare
    this.#topK = topK
    this.#matchShare = matchShare
    this.#progress = new PastProgress(topK, progress)
    this.#models = new GrowingModels(RELEARN_AFTER)
    this.#index = index
    const counted = isSynthetic ? ANSWER_DEPTH : COUNTED_RESULTS
    const depth = Math.max(ANSWER_DEPTH, topK + 1) // one more, to tell who moves up
    this.#engine = options.engine
    this.#depth = Math.max(counted, depth)
    const lastScores: LastScores = new WeakMap()
    this.#answersTo = (asked) => answersOf(index, asked, scoring, counted, depth, lastScores)
    const { urls, links } = frontier
    this.#words = new LinkWords(defaultAnalyser, urls, links.anchors, longestNgram)
    this.setQueries(queries, lessons)
    for (let url = 0; url < frontier.size; url++) this.#takeLinks(url)
    this.#changesTaken = frontier.links.changes
  }

  /** The queries to be served from now on, and more to learn from; those of no weight are left out. */
  setQueries(queries: readonly AskedQuery[], lessons: readonly AskedQuery[] = []): void {
    const isAsked = ({ weight }: AskedQuery) => weight > 0
    const isSampled = sampleOf(0x1e550, lessons.length, MOST_LESSONS)
    const sampled = lessons.filter((_, i) => isSampled(i))
    this.#queries = queries.filter(isAsked)
    this.#lessons = [...this.#queries, ...sampled.filter(isAsked)]
    this.#words.setQueries(this.#lessons.map(({ text }) => text))
    this.#curves = undefined
    this.#reviewed = undefined
  }

  /** Asks the engine that answers searchers, if it is not our own index; to be awaited before a plan. */
  async askEngine(): Promise<void> {
    const texts = this.#lessons.map(({ text }) => text)
    this.#curves = await this.#engine?.curvesOf(texts, this.#depth)
  }

  /** Takes up what links say that were found since; whoever asks for facts need not. */
  takeUpLinks(): void {
    const { links } = this.#frontier
    for (const url of links.changedAfter(this.#changesTaken)) this.#takeLinks(url)
    this.#changesTaken = links.changes
  }

  /** What bidders may read now. */
  facts(moment: CrawlMoment): QueryFacts {
    this.takeUpLinks()
    const [queries, lessons] = [this.#queries, this.#lessons]
    const facts: QueryFacts = lazyFacts<QueryFacts>({
      queries: () => queries,
      answers: () => this.#answered(queries),
      words: () => this.#words,
      isSynthetic: () => this.#isSynthetic,
      needyShare: () => this.#needyShare,
      progress: () => this.#progress.at(topResults(facts)),
      topK: () => this.#topK,
      matchShare: () => this.#matchShare,
      lessons: () =>
        lessons.length > queries.length
          ? { queries: lessons, answers: this.#answered(lessons) }
          : { queries, answers: facts.answers },
      scoresOf: () => this.#scores(queries),
      models: () => this.#models.at(moment.visits.length),
      review: () => this.#reviewAt(moment, facts),
    })
    return facts
  }

  /** The latest review, or a new one if it is time. What another engine answers was asked for, and is taken as it is. */
  #reviewAt(moment: CrawlMoment, facts: QueryFacts): Review {
    const last = this.#curves ? undefined : this.#reviewed
    if (last && !isReviewDue(last.at, moment)) return this.#renewed(last.review)
    const { visits } = moment
    const found = new Map<string, unknown>()
    const review: Review = {
      visits,
      answers: facts.answers,
      renewed: [],
      models: this.#models.at(visits.length),
      kept: <Found>(name: string, find: () => Found) => {
        if (!found.has(name)) found.set(name, find())
        return found.get(name) as Found
      },
    }
    this.#reviewed = { at: moment, review }
    return review
  }

  /** How queries are answered now, and what searchers clicked. */
  #answered(queries: readonly AskedQuery[]): QueryAnswers {
    const own = this.#answersTo(queries)
    return this.#withClicks(queries, this.#curves ? engineAnswers(this.#curves, own) : own)
  }

  #withClicks(queries: readonly AskedQuery[], answers: QueryAnswers): QueryAnswers {
    const { urls } = this.#frontier
    const clicks = clickFacts(queries, answers, (url) => urls.find(url))
    return clicks ? { ...answers, clicks } : answers
  }

  /** The review with those queries answered anew that are asked most. */
  #renewed(review: Review): Review {
    const renewed = mostAsked(this.#queries)
    const anew = this.#answersTo(renewed.map((query) => this.#queries[query]))
    const answers = withAnswers(review.answers, renewed, anew)
    return { ...review, answers: this.#withClicks(this.#queries, answers), renewed }
  }

  #scores(queries: readonly AskedQuery[]): QueryFacts['scoresOf'] {
    const index = this.#index
    const statistics = index.statistics()
    return (query, urls) => {
      const prepared = index.prepare(queries[query].text, this.#scoring, statistics)
      return Float64Array.from(urls, (url) => index.scoreOf(url, prepared))
    }
  }

  #takeLinks(url: number): void {
    if (this.#isSynthetic) return
    const row = this.#frontier.links.rowOf(url)
    const before = this.#taken.rowOf(url)
    if (row.targets.length === 0 && before.targets.length === 0) return
    this.#words.replaceRow(url, before, row)
    this.#taken.replace(url, row)
  }
}

/** Models that are learnt anew when so many times as many pages were fetched. */
class GrowingModels {
  readonly #growth: number
  readonly #models = new Map<string, { readonly visits: number; readonly model: unknown }>()

  constructor(growth: number) {
    this.#growth = growth
  }

  /** As they are when so many pages were fetched. */
  at(visits: number): Models {
    return {
      of: <Model>(name: string, learn: () => Model | undefined, retry = 'when grown') => {
        const known = this.#models.get(name)
        const isDue = known === undefined || visits >= this.#growth * known.visits
        const triesAgain = retry === 'always' && known?.model === undefined
        if (!isDue && !triesAgain) return known?.model as Model | undefined
        const model = learn()
        this.#models.set(name, { visits, model })
        return model
      },
    }
  }
}

function topResults({ queries, answers }: AnsweredQueries): AnsweredText[] {
  const { depth, kept, urls, scores } = answers
  return queries.map(({ text }, query) => {
    const places = Array.from({ length: kept[query] }, (_, rank) => query * depth + rank)
    return { text, top: places.map((place) => ({ url: urls[place], score: scores[place] })) }
  })
}
