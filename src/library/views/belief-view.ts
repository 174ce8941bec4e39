import { urlClass } from '#parse/url/url-class.ts'
import type { FetchFigures } from '#repository/reports/budget-reports.ts'
import { policyHistory } from '../status/policy-history.ts'
import type { BudgetStatus } from '../status/status-budget.ts'
import { budgetStatus } from '../status/status-budget.ts'
import { standing } from './overview.ts'
import type { Look, WholeLook } from './watched-crawl.ts'

/** Whether predictions can be believed, by what tables tell. */
export interface BeliefView extends Pick<BudgetStatus, 'forecasts' | 'random'> {
  /** By class of addresses: means of a fetch, quality. Those with most fetches first. */
  readonly classes: readonly ClassForecast[]
  /** Fetches that were sampled at random against those that were chosen; quality of a fetch. */
  readonly chosen: { readonly fetches: number; readonly meanGain?: number }
  /** The last policy that took the place of another, and what that did; left out if there was none. */
  readonly policyChange?: PolicyChange
}

/** What was learnt from it, once the whole log was gone through. */
export interface LearntView extends Pick<BudgetStatus, 'alarms'> {
  /** What corrections make of predictions now, by task. */
  readonly corrections: readonly Correction[]
}

interface PolicyChange {
  readonly from: string
  readonly to: string
  /** The first cycle of the new one. */
  readonly cycle: number
  /** As many fetches on both sides, as far as there are. */
  readonly before: FetchFigures
  readonly after: FetchFigures
}

interface ClassForecast {
  readonly className: string
  readonly fetches: number
  readonly predicted: number
  readonly realised: number
}

/** A prediction of usual size, and what it is corrected to; classes of addresses change it further. */
export interface Correction {
  readonly task: 'acquire' | 'refresh' | 'links' | 'firstLinks'
  readonly points: readonly { readonly predicted: number; readonly corrected: number }[]
}

const CLASSES_SHOWN = 30
/** A class that nothing was learnt about. */
const NO_CLASS = 2 ** 32 - 1

/** What was predicted against what came. */
export function beliefView(look: Look): Promise<BeliefView> {
  return look.once('belief', async () => {
    const { store } = look.tables
    const { forecasts, random } = await budgetStatus(store)
    return {
      ...{ forecasts, random },
      classes: await classForecasts(look),
      chosen: await store.reports.budget.chosenFetches(),
      policyChange: await lastPolicyChange(look),
    }
  })
}

/** What earlier fetches taught: it changes what is bid now. */
export function learntView(look: WholeLook): Promise<LearntView> {
  return look.once('learnt', async () => {
    const { forecasts } = await beliefView(look)
    const { alarms } = await standing(look)
    return { alarms, corrections: correctionsOf(look, forecasts) }
  })
}

async function lastPolicyChange({ tables: { store } }: Look): Promise<PolicyChange | undefined> {
  const [before, after] = policyHistory(await store.settings()).slice(-2)
  if (!after) return undefined
  const { fromCycle: cycle } = after
  const figures = await store.reports.budget.aroundCycle(cycle)
  return { from: before.policy, to: after.policy, cycle, ...figures }
}

async function classForecasts({ tables: { store } }: Look): Promise<ClassForecast[]> {
  const sums = new Map<string, { fetches: number; predicted: number; realised: number }>()
  for (const { url, predicted, realised } of await store.reports.budget.predictedUrls()) {
    const name = urlClass(url)
    const sum = sums.get(name) ?? { fetches: 0, predicted: 0, realised: 0 }
    sums.set(name, sum)
    sum.fetches++
    sum.predicted += predicted
    sum.realised += realised
  }
  return [...sums]
    .sort(([, a], [, b]) => b.fetches - a.fetches)
    .slice(0, CLASSES_SHOWN)
    .map(([className, { fetches, predicted, realised }]) => ({
      ...{ className, fetches, predicted: predicted / fetches, realised: realised / fetches },
    }))
}

/** Corrections at the sizes that predictions have: the means of their tenths. */
function correctionsOf({ view }: WholeLook, forecasts: BudgetStatus['forecasts']): Correction[] {
  const { calibrations } = view.opened.state.lessons.corrections
  const sizesOf = (task: string) =>
    forecasts.find((one) => one.task === task)?.deciles.map(({ predicted }) => predicted) ?? []
  const sizes = {
    acquire: sizesOf('acquire'),
    refresh: sizesOf('refresh'),
    links: sizesOf('discover'),
    firstLinks: sizesOf('discover'),
  }
  return (Object.keys(sizes) as (keyof typeof sizes)[]).flatMap((task) => {
    const points = sizes[task]
      .filter((predicted) => predicted > 0)
      .map((predicted) => ({
        predicted,
        corrected: calibrations[task].correct(NO_CLASS, predicted),
      }))
    return points.length > 0 ? [{ task, points }] : []
  })
}
