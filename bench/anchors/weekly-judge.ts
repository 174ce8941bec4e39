import type { Archive } from '#archive/format/archive.ts'
import { WorldCrawl } from '#lab/worlds/world-crawl.ts'
import { defaultScoring } from '#search/full-text/default-search.ts'
import type { TextIndex } from '#search/full-text/text-index.ts'
import { sharesOf } from '#search/gain/top-answers.ts'
import { powerVisibility } from '#search/gain/visibility.ts'
import type { Query } from '#workload/workload.ts'

/** Below these ranks nobody looks. */
const RANKS = 50

/** An index to be judged, and the addresses of its pages. */
export interface Judged {
  readonly index: TextIndex
  readonly addressOf: (url: number) => string
}

/** Judges answers by an index of all pages as they are in a week, made by the code of a live crawl. */
export class WeeklyJudge {
  readonly #archive: Archive
  readonly #queries: readonly Query[]
  readonly #shares: Float64Array
  readonly #truths = new Map<number, Promise<WorldCrawl>>()

  constructor(archive: Archive, queries: readonly Query[]) {
    this.#archive = archive
    this.#queries = queries
    this.#shares = sharesOf(queries)
  }

  /** Works out what could be had in a week, so that nobody waits for it later. */
  async prepare(week: number): Promise<void> {
    await this.#truthOf(week)
  }

  /** What searchers get in a week, of what they would get from all pages as they are. */
  async qualityOf({ index, addressOf }: Judged, week: number): Promise<number> {
    const truth = await this.#truthOf(week)
    let [earned, best] = [0, 0]
    for (const [query, { text }] of this.#queries.entries()) {
      const prepared = truth.index.prepare(text, defaultScoring)
      const worthOf = (address: string) => {
        const url = truth.state.frontier.urls.find(address)
        return url === undefined ? 0 : truth.index.scoreOf(url, prepared)
      }
      const results = index.search(index.prepare(text, defaultScoring), RANKS)
      results.forEach(({ url }, i) => {
        earned += this.#shares[query] * powerVisibility(i + 1) * worthOf(addressOf(url))
      })
      truth.index.search(prepared, RANKS).forEach(({ score }, i) => {
        best += this.#shares[query] * powerVisibility(i + 1) * score
      })
    }
    return earned / best
  }

  #truthOf(week: number): Promise<WorldCrawl> {
    const known = this.#truths.get(week) ?? everything(this.#archive, week)
    this.#truths.set(week, known)
    return known
  }
}

async function everything(archive: Archive, week: number): Promise<WorldCrawl> {
  const crawl = new WorldCrawl({ archive, week, log: [], seed: 0, seeksSitemaps: false })
  const { web } = crawl
  await crawl.visit(web.hosts().flatMap((host) => web.liveUrls(host)))
  return crawl
}
