import type { ExplainReport, KnownUrlReport } from '#library/explain/explain-report.ts'
import type { ExplainedBid } from '#library/explain/explained-bid.ts'
import type { WantingQuery } from '#policy/acquire/explain-impact.ts'
import { saidBy } from '#policy/acquire/pairs/matched-words.ts'
import { holdText } from '../../cli/explain/hold-text.ts'
import { TASK_NAMES } from '../../text/task-names.ts'
import { type Html, html } from '../html.ts'
import { dataTable } from './blocks/blocks.ts'
import { amount, count, percent, queryLink, spanText, urlLink } from './blocks/words.ts'

const QUERIES_SHOWN = 10
const ANCHORS_SHOWN = 10
const RIVALS_SHOWN = 5

/** Who wants a page, what holds it back, and what links call it: as `forager explain` has it. */
export function explainContent(report: ExplainReport): Html {
  return html`${report.known ? stateOf(report) : nearestList(report.nearest)}${holds(report)}${report.known && html`${bidFacts(report)}${demandTable(report)}${answersTable(report)}${anchorsTable(report)}`}${robotsFacts(report)}`
}

/** What a crawl takes a URL for; a copy that failed once is still held. */
const STATES: Readonly<Record<string, string>> = { known: 'not fetched yet', page: 'held' }

function stateOf({ about: { state } }: KnownUrlReport): Html {
  return html`<p>It counts as <span class="badge">${STATES[state] ?? state}</span>.</p>`
}

function nearestList(nearest: readonly string[]): Html | false {
  return (
    nearest.length > 0 &&
    html`<h3>Known pages of its host that begin like it</h3><ul class="tight">${nearest.map((url) => html`<li>${urlLink(url)}</li>`)}</ul>`
  )
}

function holds({ heldBackBy }: ExplainReport): Html {
  if (heldBackBy.length === 0) return html`<p class="fine">Nothing holds it back.</p>`
  return html`<h3>Held back by</h3><ul class="tight">${heldBackBy.map((hold) => html`<li>${holdText(hold)}</li>`)}</ul>`
}

function bidFacts({ bid, parts, policy }: KnownUrlReport): Html | false {
  if (!bid) return html`<p class="quiet">Nobody bids for it now.</p>`
  const inTasks = (['acquire', 'refresh', 'discover'] as const).flatMap((task) => {
    const worth = parts?.[task]?.worth
    return worth === undefined ? [] : [{ task, worth }]
  })
  return html`<h3>The bid</h3><dl class="facts">
<dt>Worth</dt><dd><strong>${amount(bid.gain)}</strong> by <code>${policy}</code>${bid.price !== undefined && html`; ${bid.isAbovePrice ? 'above' : 'not above'} the price, ${amount(bid.price)}${!bid.isAbovePrice && bid.planned && ', and planned all the same: see why'}`}</dd>
<dt>Place</dt><dd>${count(bid.place)} of ${count(bid.bids)} bids; ${bid.planned ? 'in' : 'not in'} the next ${count(bid.planBudget)} fetches</dd>
${bid.board && html`<dt>On its host</dt><dd>${boardText(bid.board, bid.planned)}</dd>`}
<dt>Why</dt><dd dir="auto">${bid.why}</dd>
${inTasks.map(({ task, worth }) => html`<dt>For ${TASK_NAMES[task]}</dt><dd>${amount(worth)}${detailOf(parts!, task)}</dd>`)}
${parts && html`<dt>Class</dt><dd><bdi>${parts.className}</bdi></dd>`}
${parts?.alarms.map(({ kind, factor }) => html`<dt>Alarm</dt><dd>${kind}: ${amount(factor)} times as often as before</dd>`)}
</dl>`
}

function detailOf(
  parts: NonNullable<KnownUrlReport['parts']>,
  task: 'acquire' | 'refresh' | 'discover',
): string {
  const { acquire, refresh, discover } = parts
  const corrected = (factor: number) => (factor === 1 ? '' : `, corrected × ${amount(factor)}`)
  if (task === 'acquire' && acquire)
    return `: ${amount(acquire.value)} of quality for ${acquire.horizonDays} days${corrected(acquire.correction)}`
  if (task === 'refresh' && refresh)
    return `: copy of ${amount(refresh.ageDays)} days, changed with ${percent(refresh.changedChance)}${corrected(refresh.correction)}`
  if (task === 'discover' && discover)
    return `: about ${amount(discover.links)} new links${corrected(discover.correction)}`
  return ''
}

function boardText(
  { host, place, of, inSeconds }: NonNullable<ExplainedBid['board']>,
  isPlanned: boolean,
): Html {
  const sent = inSeconds > 0 ? `sent after ${spanText(inSeconds)} at its pace` : 'sent first'
  return html`${count(place)} of ${count(of)} on <bdi>${host}</bdi>: ${sent}, if ${!isPlanned && 'it is above the price and '}nothing better comes`
}

function demandTable({ demand }: KnownUrlReport): Html | false {
  if (!demand) return false
  const { queries, rivals, alone } = demand
  return html`<h3>Queries that want it</h3>${dataTable({
    caption: 'Queries that want it',
    rows: queries.slice(0, QUERIES_SHOWN),
    columns: [
      ['Query', ({ query }) => queryLink(query)],
      ['Of its worth', ({ gain }) => percent(alone > 0 ? gain / alone : 0), 'number'],
      ['Top ten with', ({ chance }) => percent(chance), 'number'],
      ['Signs', signsOf],
      [
        'Goes if it comes',
        ({ displaces }) => (displaces ? urlLink(displaces.url) : 'there is room'),
      ],
    ],
    none: 'No query asks for it: it is worth what lies around it is worth.',
  })}${rivals.length > 0 && html`<h3>Other pages that they want</h3><ul class="tight">${rivals.slice(0, RIVALS_SHOWN).map(({ url, gain }) => html`<li>${urlLink(url)}, ${amount(gain)}</li>`)}</ul>`}`
}

function signsOf({ matched, linkedFrom }: WantingQuery): string {
  const links = linkedFrom.length
  const linking =
    links === 0 ? [] : [`${links} of its results ${links === 1 ? 'links' : 'link'} here`]
  return [...saidBy(matched), ...linking].join(', ') || 'a small chance'
}

function answersTable({ answers }: KnownUrlReport): Html | false {
  if (!answers) return false
  return html`<h3>Queries that it answers now</h3>${dataTable({
    caption: 'Queries that it answers now',
    rows: answers.slice(0, QUERIES_SHOWN),
    columns: [
      ['Query', ({ query }) => queryLink(query)],
      ['Rank', ({ rank }) => count(rank), 'number'],
      ['Score', ({ score }) => amount(score), 'number'],
    ],
    none: 'No query of the log.',
  })}`
}

function anchorsTable({ about }: KnownUrlReport): Html {
  const { anchors, inDegree, transDomainInDegree, pageRank } = about
  return html`<h3>What links call it</h3><p class="lead">${count(inDegree)} ${inDegree === 1 ? 'page links' : 'pages link'} here, ${count(transDomainInDegree)} of other domains; PageRank ${amount(pageRank)} times the average.</p>${dataTable(
    {
      caption: 'What links call it',
      rows: anchors.slice(0, ANCHORS_SHOWN),
      columns: [
        ['Words', ({ text }) => html`<span dir="auto">${text === '' ? '(no text)' : text}</span>`],
        ['Links', ({ links }) => count(links), 'number'],
        ['As on', ({ from }) => from.length > 0 && urlLink(from[0])],
      ],
      none: 'No page links to it.',
    },
  )}`
}

function robotsFacts({ robots }: ExplainReport): Html {
  if (!robots) return html`<p class="quiet">Its host’s robots.txt was never asked for.</p>`
  const { allowed, rule, source } = robots
  return html`<p class="quiet">robots.txt (${source}) ${allowed ? 'allows' : 'forbids'} it${rule !== '' && html` by <code>${rule}</code>`}.</p>`
}
