import type { BudgetStatus, StatusAlarm, TaskForecast } from '#library/status/status-budget.ts'
import { totalOf } from '#policy/budget/added-bids.ts'
import { momentText } from '../../text/age.ts'
import { said } from '../../text/said.ts'
import { shortNumber } from '../terminal/output.ts'
import { sparkline } from '../terminal/sparkline.ts'
import { TASK_NAMES, tasksText } from '../words/spending-text.ts'

/** How a budget was spent, in a few lines; empty before anything was. */
export function budgetLines(status: BudgetStatus): string[] {
  const { tasks, prices, gains, forecasts, random, alarms } = status
  if (totalOf(tasks.inAll) === 0) return []
  const hasChoice = totalOf(tasks.inAll) > tasks.inAll.acquire || prices.length > 0
  // A young crawl has done nothing but lately.
  const lately =
    totalOf(tasks.lately) === totalOf(tasks.inAll)
      ? ''
      : `; ${tasksText(tasks.lately)} in the last ${tasks.latelyCycles} cycles`
  return said(
    hasChoice && `spent on ${tasksText(tasks.inAll)}${lately}`,
    prices.length > 0 && `price ${curve(prices.map(({ price }) => price))}`,
    gains.length > 1 && `gain a cycle ${curve(gains.map(({ gain }) => gain))}`,
    ...forecasts.map(forecastText),
    random.fetches > 0 && randomText(random),
    ...alarms.map(alarmText),
  )
}

/** The curve, and where it stands now. */
function curve(values: readonly number[]): string {
  return `${sparkline(values)} now ${shortNumber(values.at(-1)!)}`
}

function forecastText(forecast: TaskForecast): string {
  const { task, unit, predicted, realised, rankCorrelation, fetches } = forecast
  const many = fetches.toLocaleString('en')
  return `${TASK_NAMES[task]}: predicted ${shortNumber(predicted)}, realised ${shortNumber(realised)} ${unit} a fetch (rank correlation ${rankCorrelation.toFixed(2)}, ${many} fetches)`
}

function randomText({ fetches, meanGain }: BudgetStatus['random']): string {
  const gain = meanGain === undefined ? '' : `, ${shortNumber(meanGain)} of quality each`
  return `sampled at random: ${fetches.toLocaleString('en')} fetches${gain}`
}

function alarmText({ kind, className, since, factor }: StatusAlarm): string {
  const what = kind === 'vanishing' ? 'vanish' : 'show new links'
  return `alarm since ${momentText(since)}: addresses like ${className} ${what} ${shortNumber(factor)} times as often as before`
}
