import type { LoggedFetch } from './entries/learnt-fetch.ts'
import type { ObservedFetch } from './histories.ts'

/** What a fetch of a cycle tells, as the log will have it. */
export function observedFetch(fetch: LoggedFetch): ObservedFetch {
  const { outcome, contentChanged, newUrls, foundBefore, rival, inLinks } = fetch
  const { realisedGain = Number.NaN, anchorGain = 0, views = Number.NaN } = fetch
  const { id, at, kind } = outcome
  const form = kind === 'page' ? outcome.page.form : 'page'
  return {
    ...{ url: id, at, kind, form, contentChanged, newUrls, foundBefore, rival, inLinks },
    ...{ gain: realisedGain, anchorGain, expected: fetch.predictedGain, views },
    prediction: fetch.prediction,
  }
}
