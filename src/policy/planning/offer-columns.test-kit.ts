import { boundOf } from '#numeric/bound-of.ts'
import type { Bids } from '../bids.ts'
import type { Offers } from '../budget/one-budget.ts'
import {
  type FoundLinks,
  finderClassOf,
  foundLinks,
  LinkSums,
  linkWeights,
  type SharedLinkParts,
  type SharedLinkSums,
} from '../discover/links-worth.ts'
import type { BudgetPlanner, Draft } from './budget-planner.ts'

/** Bids without the words that explain them: plain columns. */
type BidColumns = Omit<Bids, 'why'>

/**
 * A draft as plain columns, which may be written down: bids can be made of them at any price, with no frontier at hand.
 * The way to a plan: `offerColumns` → `BucketBids` with corrections → the price of content from everybody's
 * `contentKeys` → everybody's `linkParts` at that price, added up by `sharedSums` → `bidAt` → the plan's cut from
 * everybody's `planAbove`. `plan-in-buckets.test-kit.ts` goes all of it.
 */
export interface OfferColumns {
  readonly acquire: BidColumns
  readonly refresh: BidColumns
  readonly discover: BidColumns
  /** By place in `discover`: the class of the page, as one that leads to others. */
  readonly finderClasses: Int32Array
  /** What links are judged by, with weights; undefined where all are worth the same. */
  readonly found?: Required<FoundLinks>
}

/** The columns of what a planner has drafted, if it has offers and no renderings. */
export function offerColumns({ offers, acquire }: Draft, planner: BudgetPlanner): OfferColumns {
  if (offers === undefined) throw new Error('there is nothing yet to judge copies by')
  if (offers.rendering) throw new Error('pages that are rendered are planned in one bucket')
  const { learnt, isInQuality } = planner
  const { frontier } = learnt
  const classes = frontier.classes.all()
  const found = isInQuality.acquire ? foundLinks(learnt, acquire) : undefined
  return {
    ...{ acquire: offers.acquire, refresh: offers.refresh, discover: offers.discover },
    finderClasses: Int32Array.from(offers.discover.urls, (url) =>
      finderClassOf(url, classes, frontier),
    ),
    ...(found && { found: { ...found, weights: linkWeights(found.values.length) } }),
  }
}

/** What all links of a bucket come to at a price, to be added to those of others. */
export function linkParts({ found }: OfferColumns, price: number): SharedLinkParts | undefined {
  return found && new LinkSums(found, price).parts
}

/** Offers to be bid with. What links of all buckets come to at the price is handed in. */
export function offersOf(columns: OfferColumns, price: number, shared?: SharedLinkSums): Offers {
  const { acquire, refresh, discover, finderClasses, found } = columns
  const worth = found && new LinkSums(found, price).worth(shared)
  const classOf = new Int32Array(boundOf(discover.urls))
  for (let i = 0; i < finderClasses.length; i++) classOf[discover.urls[i]] = finderClasses[i]
  const explained = (bids: BidColumns): Bids => ({ ...bids, why: () => '' })
  return {
    ...{ acquire: explained(acquire), refresh: explained(refresh), discover: explained(discover) },
    worthOfLink: (url) => (worth ? worth.of(classOf[url]) : 1),
  }
}
