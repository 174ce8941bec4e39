import type { BoardView } from '#library/views/board-view.ts'
import { TASK_NAMES } from '../../text/task-names.ts'
import { type Html, html } from '../html.ts'
import { dataTable, later, section, shareBar, tiles } from './blocks/blocks.ts'
import { amount, count, pathTo, percent, spanText, urlLink } from './blocks/words.ts'

/** The board takes a plan, so it comes a little later. */
export function laterBoard(fetches: number): Html {
  return later(pathTo('part/board', { fetches }))
}

/** The board: what is fetched next, and what other budgets would bring. */
export function boardContent(view: BoardView): Html {
  const { plan, bids, belowPrice } = view
  return html`${tiles([
    { name: 'Bids', value: count(bids), note: `by policy ${plan.policy}` },
    plan.price !== undefined && {
      name: 'Price',
      value: amount(plan.price),
      note: 'worth of the last fetch that the last plan’s budget afforded',
    },
    ...leftTiles(view),
  ])}
${budgetSection(view)}
${section(
  'next',
  `The next ${count(plan.fetches.length)} fetches`,
  dataTable({
    caption: 'The next fetches, best first',
    rows: plan.fetches,
    columns: [
      ['Page', ({ url }) => urlLink(url)],
      [
        'For',
        ({ purpose, probability }) =>
          html`${TASK_NAMES[purpose]}${probability !== undefined && html`, <span class="badge">random</span>`}`,
      ],
      ['Bid', ({ bid }) => (bid > 0 ? amount(bid) : 'first'), 'number'],
      [
        'Quality expected',
        ({ expected }) => (expected === undefined ? '–' : amount(expected)),
        'number',
      ],
      [
        'On its host',
        ({ board }) => board && `${count(board.place)}., after ${spanText(board.inSeconds)}`,
        'number',
      ],
      ['Why', ({ why }) => html`<span dir="auto">${why}</span>`],
    ],
    none: 'Nothing waits to be fetched.',
  }),
  'As forager plan lists them. Each host sends its own best ones first, at its pace; sitemaps, feeds and seeds come before any bid.',
)}
${view.aroundPrice && section('around', 'Bids around the price', aroundTable(view))}
${
  belowPrice.length > 0 &&
  section(
    'below',
    'The first below the price',
    dataTable({
      caption: 'The best bids below the price',
      rows: belowPrice,
      columns: [
        ['Page', ({ url }) => urlLink(url)],
        ['Bid', ({ bid }) => amount(bid), 'number'],
      ],
    }),
    'Not sent while the price is as it is; a larger budget has a lower one.',
  )
}`
}

function leftTiles({ left }: BoardView) {
  if (!left) return []
  return [
    {
      name: 'Left to gain',
      value: amount(left.gain),
      note: `by ${count(left.fetches)} fetches; at most ${amount(left.upTo)} in 19 of 20 cases`,
    },
    {
      name: 'That is',
      value: shareText(left.shareOfGained),
      note: `${left.shareOfGained < MANY_TIMES ? 'of ' : ''}what was gained so far`,
    },
  ]
}

const MANY_TIMES = 2

function shareText(share: number): string {
  return share < MANY_TIMES ? percent(share) : `${amount(share)} times`
}

/** What is left to gain, in a few lines. */
export function leftContent(view: BoardView): Html {
  const { left } = view
  if (!left)
    return html`<p class="quiet">What is still to be found cannot be told yet: that takes queries, and some 50 fetches whose gain was measured. Below are pages known now, each counted alone.</p>${budgetTable(view)}`
  return html`<p>The next ${count(left.fetches)} fetches are expected to gain <strong>${amount(left.gain)}</strong>, ${shareText(left.shareOfGained)}${left.shareOfGained < MANY_TIMES && ' of'} what was gained so far; in 19 of 20 cases at most ${amount(left.upTo)}. At the pace of the latest fetches it would be ${amount(left.atLatestPace)}.</p><p class="quiet">Pages that are still to be found are counted in that. Below are those known now, each counted alone.</p>${budgetTable(view)}`
}

function budgetSection(view: BoardView): Html | false {
  return (
    view.budgets.length > 0 &&
    section('budgets', 'What another budget would bring', budgetTable(view), moreText(view))
  )
}

function moreText({ budgets }: BoardView): string | undefined {
  const [usual, more] = [1, 1.1].map((times) => budgets.find((one) => one.times === times))
  if (!usual || !more || usual.gain <= 0) return undefined
  if (more.fetches === usual.fetches)
    return 'A run with this budget would fetch all known pages that are worth a fetch: more of it brings nothing until more is found.'
  return `10 % more fetches bring ${percent(more.gain / usual.gain - 1)} more quality, by the pages known now and each bid alone. Pages compete for the same answers, so that all together bring less.`
}

function budgetTable({ budgets }: BoardView): Html | false {
  const usual = budgets.find(({ times }) => times === 1)
  if (!usual) return false
  if (budgets.every(({ fetches }) => fetches === usual.fetches))
    return html`<p>${count(usual.fetches)} known pages are worth a fetch, ${amount(usual.gain)} of quality each counted alone. Half the budget is enough for all of them; more brings something once more is found.</p>`
  return dataTable({
    caption: 'Expected quality by budget',
    rows: budgets,
    columns: [
      ['Budget', ({ times }) => (times === 1 ? 'as it is' : `${times} times as large`)],
      ['Fetches', ({ fetches }) => count(fetches), 'number'],
      ['Quality expected', ({ gain }) => amount(gain), 'number'],
      [
        'Against the budget',
        ({ gain }) => (usual.gain > 0 ? percent(gain / usual.gain) : '–'),
        'number',
      ],
    ],
  })
}

function aroundTable({ aroundPrice = [] }: BoardView): Html {
  const most = Math.max(...aroundPrice.map(({ bids }) => bids), 1)
  return dataTable({
    caption: 'Bids by how often they hold the price',
    rows: aroundPrice.toReversed(),
    columns: [
      [
        'Times the price',
        ({ from, to }) => (to === undefined ? `${from} and more` : `${from} to ${to}`),
      ],
      ['Bids', ({ bids }) => count(bids), 'number'],
      ['Share', ({ bids }) => shareBar(bids / most, `${count(bids)} bids`)],
    ],
  })
}
