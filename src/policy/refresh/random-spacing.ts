import { spendAll } from './even-spacing.ts'

// Pages are fetched at random moments, at a rate of ρ, and change at random at a rate of λ.

/**
 * The fetch rates that keep the most weight fresh if fetches come at random: weight · ρ/(ρ + λ) in all, so
 * ρ = √(wλ/price) − λ, and nothing for pages where that is below 0.
 *
 * @paper AzarEtAl2018
 */
export function randomFreshestRates(
  changeRates: ArrayLike<number>,
  weights: ArrayLike<number>,
  budget: number,
): Float64Array {
  return spendAll(changeRates.length, budget, (price, rates) => {
    for (let page = 0; page < rates.length; page++) {
      const rate = changeRates[page]
      const loss = weights[page] * rate
      rates[page] = loss > 0 ? Math.max(0, Math.sqrt(loss / price) - rate) : 0
    }
  })
}

/**
 * The fetch rates with the least harmonic staleness, Σ w · ln((λ + ρ)/ρ): the n-th unseen change costs 1/n,
 * so that no page is ever given up. ρ = (−λ + √(λ² + 4wλ/price))/2.
 *
 * @paper KolobovEtAl2019
 */
export function harmonicRates(
  changeRates: ArrayLike<number>,
  weights: ArrayLike<number>,
  budget: number,
): Float64Array {
  return spendAll(changeRates.length, budget, (price, rates) => {
    for (let page = 0; page < rates.length; page++) {
      const rate = changeRates[page]
      const loss = weights[page] * rate
      const root = Math.sqrt(rate * rate + (4 * loss) / price)
      // (−λ + √(λ² + x))/2 without the cancellation.
      rates[page] = loss > 0 ? (2 * loss) / price / (root + rate) : 0
    }
  })
}
