import type { Settings } from '../settings/settings.ts'
import { siteLimits } from '../settings/site-limits.ts'

/** What a run's plans go by beside what is known; the directory remembers it under this name. */
export const PLAN_SETTINGS = 'plan settings'
const PLANNED_BY = [
  'policy',
  'needyShare',
  'topK',
  'matchShare',
  'longestNgram',
  'freshFor',
  'randomShare',
  'perHost',
  'perDomain',
  'maxPagesPerHost',
  'maxPagesPerDomain',
  'refreshAfter',
  'seed',
  'render',
  'renderAll',
] as const
/** Of own sites their limits alone. */
export type PlanSettings = Pick<Settings, (typeof PLANNED_BY)[number] | 'sites'>

/** What is to be kept of a run's settings, so that its plans can be made again. */
export function planSettingsText(settings: Settings): string {
  // What is off is left out: texts of earlier versions, which did not know of it, stay the same.
  const isOn = (key: keyof PlanSettings) => settings[key] !== false
  const kept = Object.fromEntries(PLANNED_BY.filter(isOn).map((key) => [key, settings[key]]))
  const hasLimits = siteLimits(settings.sites) !== undefined
  const limits = settings.sites?.map(({ match, maxPages, refreshAfter }) => ({
    ...{ match, maxPages, refreshAfter },
  }))
  return JSON.stringify({ ...kept, ...(hasLimits && { sites: limits }) })
}

/** What settings say of plans beside the policy: caps, copies that must not grow older, and the seed of random orders. */
export function planRules(settings: PlanSettings) {
  const { perHost, perDomain, maxPagesPerHost, maxPagesPerDomain, refreshAfter, seed } = settings
  const hostLimitsOf = siteLimits(settings.sites)
  return {
    ...{ perHost, perDomain, maxPagesPerHost, maxPagesPerDomain, refreshAfter, seed },
    hostLimitsOf,
  }
}
