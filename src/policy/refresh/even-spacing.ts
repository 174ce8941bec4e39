// A page changes at random at a rate of λ and is fetched f times per unit of time, evenly spaced. Its copy is
// fresh from a fetch to the first change after it.

/**
 * The share of time in which a copy is fresh: (f/λ)(1 − e^(−λ/f)); 1 for a page that never changes.
 *
 * @paper ChoGarciaMolina2003 §4
 */
export function evenFreshness(changeRate: number, fetchRate: number): number {
  if (changeRate <= 0) return 1
  if (fetchRate <= 0) return 0
  const changes = changeRate / fetchRate
  return -Math.expm1(-changes) / changes
}

const NEWTON_STEPS = 8

/**
 * How many changes r are due between two fetches where the next one pays 1 − e^(−r)(1 + r), which rises
 * from 0 to 1; infinite from 1 on.
 */
export function changesAtMargin(margin: number): number {
  if (margin <= 0) return 0
  if (margin >= 1) return Number.POSITIVE_INFINITY
  // r − ln(1 + r) = −ln(1 − margin), which bends upwards: from above, each step comes nearer and never passes.
  const target = -Math.log1p(-margin)
  const root = Math.sqrt(2 * target)
  if (target < 1e-9) return root + target / 1.5
  let changes = target + root
  for (let step = 0; step < NEWTON_STEPS; step++) {
    const error = changes - Math.log1p(changes) - target
    const next = changes - (error * (1 + changes)) / changes
    if (Math.abs(next - changes) <= 1e-14 * changes) return next
    changes = next
  }
  return changes
}

/**
 * The fetch rates that keep the most weight fresh, all together `budget`: what the last fetch adds is the
 * same for every page that gets any, and pages that change too fast for what they weigh get none. No page
 * gets more than `most`; if all of them have that, budget is left.
 *
 * @paper ChoGarciaMolina2003 §5 — with weights.
 */
export function freshestRates(
  changeRates: ArrayLike<number>,
  weights: ArrayLike<number>,
  budget: number,
  most = Number.POSITIVE_INFINITY,
): Float64Array {
  return spendAll(changeRates.length, budget, (price, rates) => {
    for (let page = 0; page < rates.length; page++) {
      const rate = changeRates[page]
      const margin = (price * rate) / weights[page]
      rates[page] =
        rate <= 0 || weights[page] <= 0 ? 0 : Math.min(most, rate / changesAtMargin(margin))
    }
  })
}

/**
 * Fetch rates by a rule that gives less the higher the price is, at the price that spends the budget.
 * Found by bisection on the logarithm of the price.
 */
export function spendAll(
  pages: number,
  budget: number,
  fill: (price: number, rates: Float64Array) => void,
): Float64Array {
  const rates = new Float64Array(pages)
  if (pages === 0 || budget <= 0) return rates
  const spentAt = (logPrice: number): number => {
    fill(Math.exp(logPrice), rates)
    let sum = 0
    for (const rate of rates) sum += rate
    return sum
  }
  let low = -1
  let high = 1
  while (spentAt(low) < budget && low > -700) low *= 2
  while (spentAt(high) > budget && high < 700) high *= 2
  for (let step = 0; step < 80 && high - low > 1e-10; step++) {
    const middle = (low + high) / 2
    if (spentAt(middle) > budget) low = middle
    else high = middle
  }
  // A page at the edge may get its least possible rate or none: between the two lies what is left.
  const spentLow = spentAt(low)
  const more = rates.slice()
  const spentHigh = spentAt(high)
  const share = spentLow > spentHigh ? (budget - spentHigh) / (spentLow - spentHigh) : 0
  if (!Number.isFinite(spentLow)) return rates
  for (let page = 0; page < pages; page++) rates[page] += share * (more[page] - rates[page])
  return rates
}
