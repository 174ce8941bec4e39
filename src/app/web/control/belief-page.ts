import type { TaskForecast } from '#library/status/status-budget.ts'
import type { BeliefView, Correction, LearntView } from '#library/views/belief-view.ts'
import type { FetchFigures } from '#repository/reports/budget-reports.ts'
import { TASK_NAMES } from '../../text/task-names.ts'
import { type Html, html } from '../html.ts'
import { dataTable, later, section, tiles } from './blocks/blocks.ts'
import { pairedBars } from './blocks/charts.ts'
import { amount, count, pathTo, percent, when } from './blocks/words.ts'

const CORRECTED: Readonly<Record<Correction['task'], string>> = {
  acquire: 'new pages, quality',
  refresh: 'copies, quality',
  links: 'links of copies',
  firstLinks: 'links of new pages',
}

/** Predictions that are off by more are not about right. */
const WELL_OFF = 1.5

/** Can I believe it? */
export function beliefContent(view: BeliefView): Html {
  const { forecasts, random, chosen } = view
  return html`${tiles([
    ...forecasts.map(({ task, predicted, realised, fetches }) => ({
      name: `Came of ${TASK_NAMES[task]}`,
      value: predicted > 0 ? `${amount(realised / predicted)} ×` : amount(realised),
      note: `what was predicted (${verdict(predicted, realised)}); ${count(fetches)} fetches`,
    })),
    random.fetches > 0 && {
      name: 'A random fetch gained',
      value: random.meanGain === undefined ? 'unknown' : amount(random.meanGain),
      note: chosen.meanGain !== undefined && `a chosen one ${amount(chosen.meanGain)}`,
    },
  ])}
${forecasts.length === 0 && section('none', 'Nothing to judge yet', html`<p>Predictions are compared with what came once a policy that predicts has fetched some pages, and queries are known to measure by.</p>`)}
<div class="two">${forecasts.map(forecastSection)}</div>
${random.fetches > 0 && section('random', 'Random fetches', html`<p>${count(random.fetches)} fetches were sampled at random, whatever was predicted of them. ${comparison(view)}</p>`, 'An unbiased check: if choosing is any good, chosen fetches gain more.')}
${view.policyChange && policySection(view.policyChange)}
${section(
  'classes',
  'By class of addresses',
  dataTable({
    caption: 'Predicted and realised by class of addresses',
    rows: view.classes,
    columns: [
      ['Class', ({ className }) => html`<bdi>${className}</bdi>`],
      ['Fetches', ({ fetches }) => count(fetches), 'number'],
      ['Predicted', ({ predicted }) => amount(predicted), 'number'],
      ['Realised', ({ realised }) => amount(realised), 'number'],
    ],
  }),
  'Quality of a fetch, of the latest that were predicted and measured.',
)}
${later(pathTo('part/learnt'))}`
}

/** What was learnt from predictions and what came. */
export function learntContent(view: LearntView, now: number): Html {
  return html`${section('corrections', 'Corrections in force', correctionTable(view), 'What earlier fetches came to changes what is bid now. Classes of addresses have a factor beside that.')}
${section(
  'alarms',
  'Alarms',
  dataTable({
    caption: 'Classes of addresses that behave unlike before',
    rows: view.alarms,
    columns: [
      ['Class', ({ className }) => html`<bdi>${className}</bdi>`],
      ['What', ({ kind }) => kind],
      ['Times as often', ({ factor }) => amount(factor), 'number'],
      ['Since', ({ since }) => when(since, now)],
    ],
    none: 'No class of addresses behaves unlike before.',
  }),
)}`
}

/** Whether predictions are to be believed, in a word. */
function verdict(predicted: number, realised: number): string {
  if (predicted <= 0) return realised > 0 ? 'too low' : 'right'
  const ratio = realised / predicted
  if (ratio > WELL_OFF) return 'too low'
  return ratio < 1 / WELL_OFF ? 'too high' : 'about right'
}

function policySection({
  from,
  to,
  cycle,
  before,
  after,
}: NonNullable<BeliefView['policyChange']>): Html {
  const perFetch = (value: number | undefined) => (value === undefined ? '–' : amount(value))
  const share = (part: number, whole: number) => (whole > 0 ? percent(part / whole) : '–')
  const told: readonly (readonly [string, (some: FetchFigures) => string])[] = [
    ['Fetches compared', ({ fetches }) => count(fetches)],
    ['Quality of a fetch', ({ meanGain }) => perFetch(meanGain)],
    ['Predicted of a fetch', ({ meanPredicted }) => perFetch(meanPredicted)],
    ['Gave a page', ({ pages, fetches }) => share(pages, fetches)],
    ['New URLs a fetch', ({ newUrls, fetches }) => perFetch(newUrls / Math.max(1, fetches))],
  ]
  return section(
    'policy',
    'What the last policy change did',
    dataTable({
      caption: 'Fetches before and after the change',
      rows: told,
      columns: [
        ['Of the fetches', ([name]) => name],
        [from, ([, of]) => of(before), 'number'],
        [to, ([, of]) => of(after), 'number'],
      ],
    }),
    html`From cycle ${count(cycle)} on <code>${to}</code> took the place of <code>${from}</code>. As many fetches before it are compared as came after it. A crawl gains less a fetch the longer it goes, so a small fall is no fault of the policy.`,
  )
}

function comparison({ random, chosen }: BeliefView): string {
  if (random.meanGain === undefined || chosen.meanGain === undefined)
    return 'Their gain was not measured.'
  const ratio =
    random.meanGain > 0
      ? ` That is ${amount(chosen.meanGain / random.meanGain)} times as much.`
      : ''
  return `One of them gained ${amount(random.meanGain)}, one of ${count(chosen.fetches)} chosen ones ${amount(chosen.meanGain)}.${ratio}`
}

function forecastSection({
  task,
  unit,
  predicted,
  realised,
  rankCorrelation,
  fetches,
  deciles,
}: TaskForecast): Html {
  return section(
    `forecast-${task}`,
    `Fetches for ${TASK_NAMES[task]}`,
    pairedBars({
      title: `${unit === 'quality' ? 'Quality' : 'New links'} of a fetch, from the lowest predictions to the highest`,
      names: ['predicted', 'realised'],
      rows: deciles.map((decile, i) => ({
        name: String(i + 1),
        pair: [decile.predicted, decile.realised],
      })),
    }),
    `On average ${amount(predicted)} predicted, ${amount(realised)} realised; rank correlation ${rankCorrelation.toFixed(2)} over ${count(fetches)} fetches.`,
  )
}

function correctionTable({ corrections }: LearntView): Html {
  const text = ({ predicted, corrected }: Correction['points'][number]) =>
    `${amount(predicted)} → ${amount(corrected)}`
  return dataTable({
    caption: 'Corrections',
    rows: corrections,
    columns: [
      ['Prediction', ({ task }) => CORRECTED[task]],
      ['Small', ({ points }) => text(points[0]), 'number'],
      ['Middle', ({ points }) => text(points[Math.floor(points.length / 2)]), 'number'],
      ['Large', ({ points }) => text(points.at(-1)!), 'number'],
    ],
    none: 'Too few fetches were compared so far: predictions are taken as they are.',
  })
}
