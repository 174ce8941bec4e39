import type { Forecast } from '#learn/entries/fetch-entry.ts'
import type { NotedFetch } from '#policy/planning/plan.ts'

const FORGOTTEN: Forecast = { purpose: 'acquire', predictedGain: 0 }

/**
 * What plans said of the fetches that may be sent or are under way. Nothing here leads back to the bids: with all
 * they were made from, they are too large to be held while answers are waited for.
 */
export class Forecasts {
  readonly #byUrl = new Map<number, { readonly forecast: Forecast; readonly plan: number }>()
  #plan = 0

  /**
   * Another plan is posted. What the one before it said is kept: its fetches may be sent until the fetcher has
   * heard of the new one. Of older plans only what is under way counts.
   */
  post(fetches: readonly NotedFetch[], inFlight: ReadonlySet<number>): void {
    for (const [url, { plan }] of this.#byUrl)
      if (plan < this.#plan && !inFlight.has(url)) this.#byUrl.delete(url)
    this.#plan++
    for (const fetch of fetches)
      if (!inFlight.has(fetch.url))
        this.#byUrl.set(fetch.url, { forecast: forecastOf(fetch), plan: this.#plan })
  }

  /** What the latest plan says of a fetch. */
  of(url: number): Forecast | undefined {
    return this.#byUrl.get(url)?.forecast
  }

  /** What the plan said of a fetch that was answered. One that was never sent may be read when its plan is forgotten. */
  take(url: number): Forecast {
    const { forecast } = this.#byUrl.get(url) ?? { forecast: FORGOTTEN }
    this.#byUrl.delete(url)
    return forecast
  }
}

function forecastOf(fetch: NotedFetch): Forecast {
  const { purpose, gain, expected, parts, probability, prediction, views } = fetch
  return { purpose, predictedGain: expected, bid: gain, parts, probability, prediction, views }
}
