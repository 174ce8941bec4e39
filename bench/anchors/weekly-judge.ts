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
      const results = index.search(index.prepare(text, defaultScoring), RANKS)
      const seen = new Set<number | undefined>([undefined])
      results.forEach(({ url }, i) => {
        const page = standInFor(addressOf(url), truth)
        const worth = seen.has(page) ? 0 : truth.index.scoreOf(page!, prepared)
        seen.add(page)
        earned += this.#shares[query] * powerVisibility(i + 1) * worth
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

/** The page of the index that says what an address does: which of two mirrors a crawl met first is no merit. */
function standInFor(address: string, { state: { frontier } }: WorldCrawl): number | undefined {
  const url = frontier.urls.find(address)
  return url === undefined ? undefined : (frontier.duplicates.notedOriginal(url) ?? url)
}

/** A crawl that has all pages of a week. */
export async function everything(archive: Archive, week: number): Promise<WorldCrawl> {
  const crawl = new WorldCrawl({ archive, week, log: [], seed: 0, seeksSitemaps: false })
  const { web } = crawl
  await crawl.visit(web.hosts().flatMap((host) => web.liveUrls(host)))
  return crawl
}
