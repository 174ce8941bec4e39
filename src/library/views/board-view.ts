import { type LeftToGain, leftToGain } from '#crawl/until-gain.ts'
import type { Outlook } from '#policy/budget/outlook.ts'
import { readProgress } from '../control/progress-file.ts'
import type { CrawlPlan } from '../plan/plan-fetches.ts'
import { biddingNow, planNow } from './bidding-now.ts'
import type { WholeLook } from './watched-crawl.ts'

/** What is to be fetched next, at which price, and what other budgets would bring. */
export interface BoardView {
  readonly plan: CrawlPlan
  readonly bids: number
  /** Bids by how often they hold the price; left out where there is none. */
  readonly aroundPrice?: readonly BidsAround[]
  /** The first ones that are not worth their fetch. */
  readonly belowPrice: readonly { readonly url: string; readonly bid: number }[]
  /** What the budget, and parts and multiples of it, are expected to gain. */
  readonly budgets: readonly BudgetOutlook[]
  readonly left?: LeftToGain
}

interface BidsAround {
  /** From so many times the price up to as many; the last is open. */
  readonly from: number
  readonly to?: number
  readonly bids: number
}

interface BudgetOutlook extends Outlook {
  /** Of the budget. */
  readonly times: number
}

const BOUNDS = [0, 0.1, 0.5, 0.9, 1, 1.1, 2, 10]
const TIMES = [0.5, 1, 1.1, 2]
const BELOW_SHOWN = 10
/** Where no budget is known, what one would bring is told for so many fetches. */
const USUAL_BUDGET = 1_000

/** The next fetches, and what is around the price. */
export function boardView(look: WholeLook, fetches: number): Promise<BoardView> {
  return look.once(`board ${fetches}`, () => madeBoard(look, fetches))
}

async function madeBoard(look: WholeLook, fetches: number): Promise<BoardView> {
  const { state } = look.view.opened
  const { told, plan } = await planNow(look, fetches)
  const { bids, order } = await biddingNow(look)
  const { price } = told
  const budget = budgetOf(look)
  const firstBelow = price === undefined ? order.length : countAbove(bids.gains, order, price)
  return {
    plan: told,
    bids: order.length,
    ...(price !== undefined && price > 0 && { aroundPrice: around(bids.gains, price) }),
    belowPrice: Array.from(order.subarray(firstBelow, firstBelow + BELOW_SHOWN), (bid) => ({
      ...{ url: state.frontier.urls.urlOf(bids.urls[bid]), bid: bids.gains[bid] },
    })),
    budgets: plan.outlook
      ? TIMES.map((times) => ({ times, ...plan.outlook!(Math.ceil(times * budget)) }))
      : [],
    left: leftToGain(plan, state.lessons.gains, budget),
  }
}

/** What a day or a run may cost, as far as is known. */
function budgetOf({ view }: WholeLook): number {
  const { service, budget } = readProgress(view.settings.dir) ?? {}
  const rest = budget === undefined ? 0 : budget - view.opened.state.spent
  return service?.fetchesADay ?? (rest > 0 ? rest : Math.max(USUAL_BUDGET, view.opened.state.spent))
}

function countAbove(gains: Float64Array, order: Uint32Array, price: number): number {
  const first = order.findIndex((bid) => gains[bid] <= price)
  return first < 0 ? order.length : first
}

function around(gains: Float64Array, price: number): BidsAround[] {
  const counts = BOUNDS.map(() => 0)
  for (const gain of gains) {
    let bound = BOUNDS.length - 1
    while (gain < BOUNDS[bound] * price) bound--
    counts[bound]++
  }
  return BOUNDS.map((from, i) => ({ from, to: BOUNDS[i + 1], bids: counts[i] }))
}
