import type { Frontier } from '#frontier/frontier.ts'
import { LinkWords } from '#frontier/link-words/link-words.ts'
import { LinkStore } from '#frontier/links/link-store.ts'
import { GrowingColumn } from '#numeric/grow.ts'
import { mixHash } from '#numeric/hash.ts'
import { StringTable } from '#numeric/string-table.ts'
import { learnAcquisition, learnWithoutLog } from '#policy/acquire/learn-acquisition.ts'
import { ANSWER_DEPTH, answersOf, COUNTED_RESULTS } from '#policy/acquire/query-answers.ts'
import type {
  AcquisitionFacts,
  AcquisitionModel,
  AskedQuery,
  PageModel,
  QueryAnswers,
  Worth,
} from '#policy/facts/acquisition-facts.ts'
import { defaultAnalyser, defaultScoring } from '#search/full-text/default-search.ts'
import type { Scoring } from '#search/full-text/scoring.ts'
import type { TextIndex } from '#search/full-text/text-index.ts'

/** As a rule the model is learnt anew when so many times as many pages were fetched. */
const RELEARN_AFTER = 1.25
/** Of more queries without a sketch, some are drawn to learn from. */
const MOST_LESSONS = 2_000

export interface AcquisitionOptions {
  /** What answers are worth; `both` if left out. */
  readonly worth?: Worth
  /** How pages are scored; as in search if left out. */
  readonly scoring?: Scoring
  /** False for policies that ask for no model: learning takes longer than anything else here. */
  readonly learns?: boolean
  /** The model is learnt anew when so many times as many pages were fetched. */
  readonly relearnAfter?: number
  /** Queries are made up for want of a log, so that whoever learns looks for no words of theirs. */
  readonly withoutLog?: boolean
  /** What was learnt elsewhere, to go by instead of learning. */
  readonly model?: AcquisitionModel
  /** Queries that get no sketch, but tell what pages are worth. */
  readonly lessons?: readonly AskedQuery[]
}

/** How queries are answered now. */
export type AnswerSource = (queries: readonly AskedQuery[]) => QueryAnswers

/**
 * What impact-driven policies need beside the link graph, kept in step with a crawl: what links say of
 * URLs, which part of a site each lies in, how queries are answered, and what was learnt from it all.
 */
export class Acquisition {
  readonly #frontier: Frontier
  readonly #answersTo: AnswerSource
  readonly #options: Required<Pick<AcquisitionOptions, 'worth' | 'learns' | 'relearnAfter'>>
  /** Links are then not read for what they say. */
  readonly #withoutLog: boolean
  readonly #words: LinkWords
  /** The links that `words` has taken up, and after how many changes of them. */
  readonly #taken = new LinkStore()
  #changesTaken: number
  readonly #sectionNames = new StringTable()
  readonly #sections = new GrowingColumn(Uint32Array)
  readonly #addressLengths = new GrowingColumn(Uint16Array)
  #queries: readonly AskedQuery[] = []
  /** All that is learnt from: those with a sketch first, so that numbers are the same. */
  #lessons: readonly AskedQuery[] = []
  #model: AcquisitionModel | undefined
  #pageModel: PageModel | undefined
  #visitsAtLearning = 0

  /** Takes up the pages that a crawl has fetched so far. Answers come from its index, or as told. */
  constructor(
    frontier: Frontier,
    answers: TextIndex | AnswerSource,
    queries: readonly AskedQuery[],
    options: AcquisitionOptions = {},
  ) {
    const { worth = 'both', scoring = defaultScoring, model, learns = true, lessons } = options
    const { relearnAfter = RELEARN_AFTER, withoutLog = false } = options
    this.#frontier = frontier
    this.#options = { worth, learns: learns && model === undefined, relearnAfter }
    this.#withoutLog = withoutLog && this.#options.learns
    const counted = this.#withoutLog ? ANSWER_DEPTH : COUNTED_RESULTS
    this.#answersTo =
      typeof answers === 'function'
        ? answers
        : (asked) => answersOf(answers, asked, scoring, counted)
    this.#model = model
    this.#words = new LinkWords(defaultAnalyser, frontier.urls, frontier.links.anchors)
    this.setQueries(queries, lessons)
    for (let url = 0; url < frontier.size; url++) this.#takeLinks(url)
    this.#changesTaken = frontier.links.changes
  }

  /** The queries to be served from now on, and more to learn from; those of no weight are left out. */
  setQueries(queries: readonly AskedQuery[], lessons: readonly AskedQuery[] = []): void {
    const isAsked = ({ weight }: AskedQuery) => weight > 0
    const limit = (MOST_LESSONS / Math.max(MOST_LESSONS, lessons.length)) * 0x1_0000_0000
    const drawn = lessons.filter((_, i) => mixHash(0x1e550, i) < limit)
    this.#queries = queries.filter(isAsked)
    this.#lessons = this.#options.learns
      ? [...this.#queries, ...drawn.filter(isAsked)]
      : this.#queries
    this.#words.setQueries(this.#lessons.map(({ text }) => text))
  }

  /** Takes up what links say that were found since; whoever asks for facts need not. */
  takeUpLinks(): void {
    const { links } = this.#frontier
    for (const url of links.changedAfter(this.#changesTaken)) this.#takeLinks(url)
    this.#changesTaken = links.changes
  }

  /**
   * What policies read now, with `budget` fetches until the next plan; all URLs not fetched are candidates,
   * unless others are named. Learns anew if enough was fetched since it did.
   */
  facts(now: number, seed: number, budget: number, candidates?: Uint32Array): AcquisitionFacts {
    this.takeUpLinks()
    this.#describeUrls()
    const graph = this.#frontier.graphFacts(now, seed)
    const facts = {
      ...graph,
      candidates: candidates ?? graph.candidates,
      words: this.#words,
      sections: this.#sections.view(),
      addressLengths: this.#addressLengths.view(),
      worth: this.#options.worth,
      budget,
      model: this.#options.learns ? undefined : this.#model,
      ...this.#answered(this.#queries),
    }
    if (!this.#options.learns) return facts
    const visits = graph.visits.length
    // Also after too little was found to learn from: trying takes as long as learning.
    if (visits >= this.#options.relearnAfter * this.#visitsAtLearning) {
      this.#relearn(facts)
      this.#visitsAtLearning = visits
    }
    if (this.#withoutLog) return { ...facts, withoutLog: { model: this.#pageModel } }
    return { ...facts, model: this.#model }
  }

  #relearn(facts: AcquisitionFacts): void {
    if (this.#withoutLog) {
      this.#pageModel = learnWithoutLog(facts)
      return
    }
    const hasMore = this.#lessons.length > this.#queries.length
    this.#model = learnAcquisition(hasMore ? { ...facts, ...this.#answered(this.#lessons) } : facts)
  }

  #answered(queries: readonly AskedQuery[]): Pick<AcquisitionFacts, 'queries' | 'answers'> {
    return { queries, answers: this.#answersTo(queries) }
  }

  #takeLinks(url: number): void {
    if (this.#withoutLog) return
    const row = this.#frontier.links.rowOf(url)
    const before = this.#taken.rowOf(url)
    if (row.targets.length === 0 && before.targets.length === 0) return
    this.#words.replaceRow(url, before, row)
    this.#taken.replace(url, row)
  }

  #describeUrls(): void {
    for (let url = this.#sections.length; url < this.#frontier.size; url++) {
      const address = this.#frontier.urls.urlOf(url)
      this.#sections.push(this.#sectionNames.add(sectionOf(address)))
      this.#addressLengths.push(Math.min(address.length, 0xffff))
    }
  }
}

/** The address up to its last step: pages of one folder are often of one kind. */
export function sectionOf(address: string): string {
  const path = address.replace(/[?#].*$/, '').replace(/\/$/, '')
  return path.slice(0, path.lastIndexOf('/') + 1)
}
