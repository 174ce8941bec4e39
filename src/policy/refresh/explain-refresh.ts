import { CHANGE_RATES } from '#learn/change-history.ts'
import type { Facts } from '../facts/facts.ts'
import { ageInDays } from './age.ts'
import { believed, expectedStaleness, gainsPerChange, goneOutlook, seenViews } from './quality.ts'
import { ratePriors } from './rate-priors.ts'

/**
 * What is expected of one copy: refreshing it is worth `gainOfChange` × `staleDays`, `gainOfOthers` × half its age, and
 * `gone.gain` × `gone.days`.
 */
export interface CopyOutlook {
  readonly ageDays: number
  /** The chance that the page is not as it was; claims are counted in. */
  readonly changedChance: number
  /** How long the copy has been stale, on average over all that may be. */
  readonly staleDays: number
  /** Quality that a change gains once it is fetched. */
  readonly gainOfChange: number
  /** Quality that other pages gain by now, as its links call them by other words. */
  readonly gainOfOthers: number
  /** How often searchers see the copy, per search. */
  readonly clicks: number
  /** By how much sitemaps and feeds raise the odds of a change; 1 says nothing. */
  readonly oddsFactor: number
  /** That the page is gone: the chance, the odds by which lost links and alarms raise it, what a look would save. */
  readonly gone?: {
    readonly chance: number
    readonly oddsFactor: number
    readonly gain: number
    readonly days: number
  }
}

/** The grounds of the bid that `quality` makes for a copy; undefined for URLs it does not bid for. */
export function copyOutlook(facts: Facts, url: number): CopyOutlook | undefined {
  const { pages, ages, changes, claims, gone, views } = facts
  const i = pages.indexOf(url)
  if (i < 0) return undefined
  const chances = new Float64Array(CHANGE_RATES.length)
  const { spreads, starts } = ratePriors(facts)
  changes.posterior(url, spreads, chances, starts[i])
  const ageDays = ageInDays(ages[i])
  const { changed, staleDays } = expectedStaleness(chances, ageDays)
  const oddsFactor = claims?.oddsFactors[i] ?? 1
  const belief = believed(changed, oddsFactor)
  return {
    ageDays,
    changedChance: changed * belief,
    staleDays: staleDays * belief,
    gainOfChange: gainsPerChange(facts)[i],
    gainOfOthers: facts.gains.anchorPaceOf(url) * ageDays,
    clicks: views[i],
    oddsFactor,
    ...(gone && {
      gone: {
        ...goneOutlook(gone, i, ageDays),
        oddsFactor: gone.oddsFactors[i],
        gain: gone.gainPerView * seenViews(facts)(i),
      },
    }),
  }
}
