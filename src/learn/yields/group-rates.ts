import { GroupSets } from './group-sets.ts'
import { RatePrior } from './rate-prior.ts'
import { LISTING_GROUPS, MENU_GROUPS } from './yield-groups.ts'

/** New pages a day expected of any page before anything is known: about one in three years. */
const FIRST_GUESS_PER_DAY = 0.001
/** The same of pages in menus, for each page of the site that was ever held: small sites publish little. */
const CENTRAL_GUESS_PER_PAGE_DAY = 0.001

/**
 * How many new pages a day a page leads to that was never revisited, by its set of groups: by what first
 * revisits of its cohort came to, beginning with what menus, sitemaps and feeds promise.
 */
export class GroupRates {
  readonly #sets = new GroupSets()
  readonly #prior = new RatePrior(
    FIRST_GUESS_PER_DAY,
    new Map(
      [MENU_GROUPS, LISTING_GROUPS].flatMap((groups) =>
        groups.map((group, level) => [
          this.#sets.numberOf(group),
          CENTRAL_GUESS_PER_PAGE_DAY * 2 ** level,
        ]),
      ),
    ),
  )
  readonly #menus = new Set(MENU_GROUPS.map((group) => this.#sets.numberOf(group)))

  /** The number of a set of groups, the widest first. */
  setOf(groups: Uint32Array): number {
    return this.#sets.add(groups)
  }

  /** Whether pages of the set are in menus. */
  isOfMenus(set: number): boolean {
    return this.#menus.has(this.#sets.firstOf(set))
  }

  /** Takes in the first revisit of a page of the set. */
  record(set: number, novel: number, days: number): void {
    this.#prior.record(this.#sets.at(set), novel, days)
  }

  /** New pages a day that are expected of a page of the set. */
  perDay(set: number): number {
    return this.#prior.perDay(this.#sets.at(set))
  }

  /** The same as of now, by set; each is worked out once, as many pages share one. */
  ratesNow(): (set: number) => number {
    const perDay = new Float64Array(this.#sets.size)
    return (set) => {
      if (perDay[set] === 0) perDay[set] = this.perDay(set)
      return perDay[set]
    }
  }
}
