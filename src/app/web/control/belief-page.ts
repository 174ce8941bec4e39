import type { TaskForecast } from '#library/status/status-budget.ts'
import type { BeliefView, Correction, LearntView } from '#library/views/belief-view.ts'
import { type Html, html } from '../html.ts'
import { dataTable, later, numeric, section, tiles } from './blocks/blocks.ts'
import { pairedBars } from './blocks/charts.ts'
import { amount, count, pathTo, percent, TASKS, when } from './blocks/words.ts'

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
      name: `Came of ${TASKS[task]}`,
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
    columns: ['Class', numeric('Fetches'), numeric('Predicted'), numeric('Realised')],
    rows: view.classes.map(({ className, fetches, predicted, realised }) => [
      html`<bdi>${className}</bdi>`,
      count(fetches),
      amount(predicted),
      amount(realised),
    ]),
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
    columns: ['Class', 'What', numeric('Times as often'), 'Since'],
    rows: view.alarms.map(({ className, kind, factor, since }) => [
      html`<bdi>${className}</bdi>`,
      kind,
      amount(factor),
      when(since, now),
    ]),
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
  const rows = [
    ['Fetches compared', count(before.fetches), count(after.fetches)],
    ['Quality of a fetch', perFetch(before.meanGain), perFetch(after.meanGain)],
    ['Predicted of a fetch', perFetch(before.meanPredicted), perFetch(after.meanPredicted)],
    ['Gave a page', share(before.pages, before.fetches), share(after.pages, after.fetches)],
    [
      'New URLs a fetch',
      perFetch(before.newUrls / Math.max(1, before.fetches)),
      perFetch(after.newUrls / Math.max(1, after.fetches)),
    ],
  ]
  return section(
    'policy',
    'What the last policy change did',
    dataTable({
      caption: 'Fetches before and after the change',
      columns: ['Of the fetches', numeric(from), numeric(to)],
      rows,
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
    `Fetches for ${TASKS[task]}`,
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
  return dataTable({
    caption: 'Corrections',
    columns: ['Prediction', numeric('Small'), numeric('Middle'), numeric('Large')],
    rows: corrections.map(({ task, points }) => {
      const shown = [points[0], points[Math.floor(points.length / 2)], points.at(-1)!]
      return [
        CORRECTED[task],
        ...shown.map((point) => `${amount(point.predicted)} → ${amount(point.corrected)}`),
      ]
    }),
    none: 'Too few fetches were compared so far: predictions are taken as they are.',
  })
}
