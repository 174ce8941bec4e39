import type { WorldCrawl } from '#lab/worlds/world-crawl.ts'
import { defaultScoring } from '#search/full-text/default-search.ts'
import { sharesOf } from '#search/gain/top-answers.ts'
import { powerVisibility } from '#search/gain/visibility.ts'
import type { Query } from '#workload/workload.ts'

/** Below these ranks nobody looks. */
const RANKS = 50
const MOST_RESULTS = 1_000

/**
 * The pages that somebody would fetch who knows them all and what searchers get of each: what is worth most for its cost
 * goes first, beside all that were chosen before. Those that cost more than is left are passed over.
 */
export class Informed {
  readonly #truth: WorldCrawl
  readonly #shares: Float64Array
  readonly #answers: readonly (readonly { readonly url: number; readonly score: number }[])[]
  /** By page: the queries that it answers. */
  readonly #asked = new Map<number, number[]>()

  constructor(truth: WorldCrawl, queries: readonly Query[]) {
    this.#truth = truth
    this.#shares = sharesOf(queries)
    const { index } = truth
    this.#answers = queries.map(({ text }) =>
      index.search(index.prepare(text, defaultScoring), MOST_RESULTS),
    )
    for (const [query, results] of this.#answers.entries())
      for (const { url } of results) {
        const asked = this.#asked.get(url) ?? []
        asked.push(query)
        this.#asked.set(url, asked)
      }
  }

  /**
   * The best for a budget where each costs so much; infinite for those that cannot be had. What is dearer than 1 has to be
   * worth so many times what it costs.
   */
  best(budget: number, costOf: (address: string) => number, caution = 1): string[] {
    const chosen = new Set<number>()
    const address = (page: number) => this.#truth.state.frontier.urls.urlOf(page)
    let open = [...this.#asked.keys()].map((page) => {
      const cost = costOf(address(page))
      const least = cost > 1 ? caution * cost : cost
      return { page, cost, least, worth: this.#worthOf(page, chosen) / least }
    })
    let left = budget
    while (true) {
      open = open.filter(({ cost }) => cost <= left).sort((a, b) => b.worth - a.worth)
      if (open.length === 0) return [...chosen].map(address)
      // What was worth more before may be worth less beside what was chosen since, and never more.
      let best = open[0]
      best.worth = this.#worthOf(best.page, chosen) / best.least
      for (const other of open.slice(1)) {
        if (other.worth <= best.worth) break
        other.worth = this.#worthOf(other.page, chosen) / other.least
        if (other.worth > best.worth) best = other
      }
      chosen.add(best.page)
      left -= best.cost
      open = open.filter((other) => other !== best)
    }
  }

  #worthOf(page: number, chosen: ReadonlySet<number>): number {
    const answered = (query: number, isHeld: (url: number) => boolean) => {
      let [sum, rank] = [0, 0]
      for (const { url, score } of this.#answers[query]) {
        if (!isHeld(url)) continue
        if (++rank > RANKS) break
        sum += powerVisibility(rank) * score
      }
      return sum
    }
    return this.#asked.get(page)!.reduce((sum, query) => {
      const before = answered(query, (url) => chosen.has(url))
      const after = answered(query, (url) => url === page || chosen.has(url))
      return sum + this.#shares[query] * (after - before)
    }, 0)
  }
}
