import type { WantedPage } from '#library/views/bidding-now.ts'
import type { Need, QueriesView, QueryOrder, QueryView } from '#library/views/query-views.ts'
import { type Html, html } from '../html.ts'
import { resultItem } from '../results-page.ts'
import { dataTable, later, laterSection, pager, section, shareBar, tiles } from './blocks/blocks.ts'
import { lineChart } from './blocks/charts.ts'
import { amount, count, pathTo, percent, queryLink, urlLink, when } from './blocks/words.ts'

interface QueriesAsked {
  readonly text: string
  readonly order: QueryOrder
  readonly offset: number
  readonly limit: number
}

const ORDERS: Readonly<Record<QueryOrder, string>> = {
  neediness: 'neediest first',
  weight: 'most asked first',
  score: 'worst answered first',
}

/** The list takes a search for each query the first time, so it comes a little later. */
export function laterQueries(asked: QueriesAsked): Html {
  const { text, order, offset, limit } = asked
  return html`${orderForm(asked)}${later(pathTo('part/queries', { q: text, order, offset, limit }))}`
}

/** What do searchers miss? */
export function queriesContent(view: QueriesView, asked: QueriesAsked, now: number): Html {
  const { unserved } = view
  const hrefOf = (offset: number) =>
    pathTo('queries', { q: asked.text, order: asked.order, offset: offset === 0 ? '' : offset })
  return html`${
    view.synthetic &&
    html`<ul class="problems"><li><strong>These queries are synthetic</strong>, from titles and links, as nobody’s searches are known. Import a query log, or let people search.</li></ul>`
  }
${section(
  'list',
  `${count(view.matching)} ${asked.text === '' ? 'queries' : `of ${count(view.all)} queries`}, ${ORDERS[asked.order]}`,
  html`${dataTable({
    caption: 'Queries',
    rows: view.queries,
    columns: [
      ['Query', ({ query }) => queryLink(query)],
      ['of searches', ({ share }) => percent(share), 'number'],
      ['Need', needBar(view.queries)],
      ['Results', ({ results }) => `${results} of 10`, 'number'],
      ['Mean score', ({ averageScore }) => amount(averageScore), 'number'],
      [
        'Best answer',
        ({ best }) => (best ? html`<span dir="auto">${best.title || best.url}</span>` : 'none'),
      ],
      ['Answer changed', ({ since }) => (since === undefined ? '–' : when(since, now))],
      ['On their way', ({ waiting }) => (waiting === undefined ? '–' : count(waiting)), 'number'],
    ],
    none: asked.text === '' ? 'No query is known yet.' : 'No query holds these words.',
  })}${pager({ ...asked, more: asked.offset + asked.limit < view.matching }, hrefOf)}`,
  'Need is how often a query is asked times how many new results a cycle may bring it. On their way are pages that were never fetched and have all its words in their address and links; open a query for those that would change its answer.',
)}
${unserved.searches > 0 && unservedSection(view, now)}`
}

function orderForm({ text, order }: QueriesAsked): Html {
  return html`<search><form action="${pathTo('queries')}" method="get">
<label class="unseen" for="q">Queries with these words</label>
<input id="q" name="q" type="search" value="${text}" maxlength="200" placeholder="Queries with these words" autocomplete="off">
<label class="unseen" for="order">Order</label>
<select id="order" name="order">${Object.entries(ORDERS).map(([value, words]) => html`<option value="${value}"${value === order && html` selected`}>${words}</option>`)}</select>
<button type="submit">Show</button>
</form></search>`
}

type Needy = { readonly neediness: number }

/** The need of a query, beside the greatest of some. */
function needBar(queries: readonly Needy[]): (query: Needy) => Html {
  const most = Math.max(...queries.map(({ neediness }) => neediness), Number.MIN_VALUE)
  return ({ neediness }) => shareBar(neediness / most, `need ${amount(neediness)}`)
}

function unservedSection({ unserved, mostUnserved }: QueriesView, now: number): Html {
  return section(
    'unserved',
    'Searches that came to nothing',
    dataTable({
      caption: 'Queries that were asked for nothing',
      rows: mostUnserved,
      columns: [
        ['Query', ({ query }) => queryLink(query)],
        ['Searches', ({ searches }) => count(searches), 'number'],
        ['Without a result', ({ withoutResult }) => count(withoutResult), 'number'],
        ['Without a click', ({ withoutClick }) => count(withoutClick), 'number'],
        ['Last asked', ({ lastAt }) => lastAt !== undefined && when(lastAt, now)],
      ],
    }),
    `Of ${count(unserved.searches)} searches on the search page ${count(unserved.withoutResult)} had no result, and ${count(unserved.withoutClick)} led to no click.`,
  )
}

/** One query: results, history, and what would change them. */
export function queryContent(
  { listed, answer, history, firstSeen, lastSeen }: QueryView,
  now: number,
): Html {
  return html`${tiles([
    {
      name: 'Of all searches',
      value: percent(listed.share),
      note: `weight ${amount(listed.weight)}`,
    },
    {
      name: 'Results',
      value: `${listed.results} of 10`,
      note: `${count(answer.total)} pages match`,
    },
    {
      name: 'Mean score',
      value: amount(listed.averageScore),
      note: 'of the first ten, missing ones count 0',
    },
    {
      name: 'New results a cycle',
      value: amount(listed.improvability),
      note: 'that it may expect',
    },
    listed.since !== undefined && {
      name: 'Answer changed',
      value: when(listed.since, now),
      note: 'and not since',
    },
    lastSeen !== undefined && {
      name: 'Last asked',
      value: when(lastSeen, now),
      note: firstSeen !== undefined && html`first ${when(firstSeen, now)}`,
    },
  ])}
${laterSection('wanted', 'Pages that would change the answer', pathTo('part/wanted', { q: listed.query }), 'Known and not fetched yet; the crawl goes by what a page may bring to all queries together.')}
${section('answer', 'What searchers get', resultList(answer.results, now), html`As on the <a href="/search?${new URLSearchParams({ q: listed.query }).toString()}">search page</a>; here titles lead to what the crawl knows of each page.`)}
${section(
  'history',
  'What was done for it',
  html`${lineChart({
    title: 'Mean score before each cycle',
    x: { name: 'cycle', text: count },
    y: { name: 'mean score' },
    points: history.map(({ cycle, averageScore }) => [cycle, averageScore]),
  })}${dataTable({
    caption: 'Cycles that brought new results',
    rows: history.filter(({ newResults }) => newResults > 0).slice(-20),
    columns: [
      ['Cycle', ({ cycle }) => count(cycle)],
      ['When', ({ at }) => when(at, now)],
      ['New results', ({ newResults }) => count(newResults), 'number'],
    ],
    none: 'No cycle since it is tracked brought it new results.',
  })}`,
)}`
}

/** As the search page shows them, but leading to what is known of each page. */
function resultList(results: QueryView['answer']['results'], now: number): Html {
  if (results.length === 0) return html`<p class="quiet">Nothing answers it yet.</p>`
  const hrefOf = ({ url }: { readonly url: string }) => pathTo('page', { url })
  return html`<ol class="results shown">${results.map((result) => resultItem(result, { hrefOf, now }))}</ol>`
}

/** The queries in greatest need, and what would help each most. */
export function needsContent(needs: readonly Need[]): Html {
  const needOf = needBar(needs.map(({ query }) => query))
  return html`${dataTable({
    caption: 'The neediest queries and the page that would help each most',
    rows: needs,
    columns: [
      ['Query', ({ query }) => queryLink(query.query)],
      ['Need', ({ query }) => needOf(query)],
      ['of searches', ({ query }) => percent(query.share), 'number'],
      ['Results', ({ query }) => `${query.results} of 10`, 'number'],
      ['Mean score', ({ query }) => amount(query.averageScore), 'number'],
      ['Would help most', ({ wanted }) => (wanted ? urlLink(wanted.url) : 'none known yet')],
      ['Place of its bid', ({ wanted }) => wanted && `${count(wanted.place)}.`, 'number'],
    ],
    none: 'No query is known yet.',
  })}<p><a href="${pathTo('queries')}">All queries</a> · <a href="${pathTo('board')}">All that is fetched next</a></p>`
}

/** Pages that a query waits for. */
export function wantedContent(pages: readonly WantedPage[], bids: number): Html {
  return dataTable({
    caption: 'Pages that would change the answer',
    rows: pages,
    columns: [
      ['Page', ({ url }) => urlLink(url)],
      ['Expected', ({ expected }) => percent(expected), 'number'],
      ['Bid', ({ bid }) => amount(bid), 'number'],
      ['Place', ({ place }) => `${count(place)} of ${count(bids)}`, 'number'],
    ],
    none: 'No known page is expected to answer it better: more links, seeds or sitemaps may bring some.',
  })
}
