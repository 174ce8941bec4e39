import type { ShownAnswer, ShownResult } from '#library/search/search-results.ts'
import type { TextRange } from '#search/text/snippet.ts'
import { ageText, momentText } from '../text/age.ts'
import { type Html, html, linkable, readable } from './html.ts'
import { pageText } from './page-frame.ts'

export interface ResultsPage {
  readonly answer: ShownAnswer
  /** Pages in the index. */
  readonly pages: number
  readonly isLogged: boolean
  /** Whether this search was logged. */
  readonly isNoted: boolean
  /** Where choosing a result leads; its own address if nothing is logged. */
  readonly hrefOf: (result: ShownResult) => string
  /** The last result that can be paged to. */
  readonly mostResults: number
  /** Seconds since 1970. */
  readonly now: number
}

const LONGEST_PATH = 90

/** A page of results, or of advice when there are none. */
export function resultsPage(page: ResultsPage): string {
  const { answer, isLogged } = page
  const number = Math.floor(answer.offset / answer.limit) + 1
  return pageText({
    title: `${answer.query}${number > 1 ? ` (page ${number})` : ''} – Forager`,
    kind: 'inner',
    query: answer.query,
    skipTo: 'results',
    isLogged,
    content: html`<div class="reading">${
      answer.results.length > 0 ? results(page, number) : nothingFound(page)
    }</div>`,
  })
}

function results(page: ResultsPage, number: number): Html {
  const { answer, mostResults } = page
  const reachable = Math.min(answer.total, mostResults)
  return html`<h1 class="unseen">Results for ${answer.query}</h1>
<p class="count" role="status">${countText(answer, number)}</p>
<ol class="results" start="${answer.offset + 1}">
${answer.results.map((result) => resultItem(result, page))}</ol>
${pageLinks(answer.query, number, Math.ceil(reachable / answer.limit))}`
}

function countText({ total, totalIsExact, ms }: ShownAnswer, number: number): string {
  const count = `${totalIsExact ? '' : 'At least '}${total.toLocaleString('en')} ${total === 1 ? 'result' : 'results'}`
  return `${number > 1 ? `Page ${number} of ` : ''}${number > 1 ? count.replace(/^At/, 'at') : count} · ${ms < 10 ? ms.toFixed(1) : ms.toFixed(0)} ms`
}

/** A result as searchers see it. */
export function resultItem(
  result: ShownResult,
  { hrefOf, now }: Pick<ResultsPage, 'hrefOf' | 'now'>,
): Html {
  const { url, title, titleMarks, snippet, fetchedAt } = result
  const href = linkable(url) === undefined ? undefined : hrefOf(result)
  const words = highlighted(title, titleMarks)
  return html`<li>
${href !== undefined && addressText(url)}
<h2 dir="auto">${href === undefined ? words : html`<a href="${href}">${words}</a>`}</h2>
<p class="excerpt" dir="auto">${snippet.moreBefore && snippet.text !== '' && '… '}${highlighted(snippet.text, snippet.marks)}${snippet.moreAfter && ' …'}</p>
${fetchedAt > 0 && html`<p class="age">Copy fetched <time datetime="${new Date(fetchedAt * 1000).toISOString()}" title="${momentText(fetchedAt)}">${ageText(fetchedAt, now)}</time></p>`}
</li>
`
}

/** The host as it is, the rest as people would read it; isolated, so no script turns it around. */
function addressText(url: string): Html {
  const { host = '', pathname = '', search = '' } = URL.parse(url) ?? {}
  const rest = readable(`${pathname === '/' ? '' : pathname}${search}`)
  const short = rest.length > LONGEST_PATH ? `${rest.slice(0, LONGEST_PATH)}…` : rest
  return html`<p class="where"><bdi class="host">${host}</bdi>${short !== '' && html` <bdi title="${url}">${short}</bdi>`}</p>`
}

/** The text with the marked stretches marked. */
function highlighted(text: string, marks: readonly TextRange[]): Html {
  const parts: Html[] = []
  let at = 0
  for (const [start, end] of marks) {
    parts.push(html`${text.slice(at, start)}<mark>${text.slice(start, end)}</mark>`)
    at = end
  }
  return html`${parts}${text.slice(at)}`
}

/** First, last, and the neighbours of the current page. */
function pageLinks(query: string, current: number, last: number): Html | false {
  if (last <= 1) return false
  const near = [current - 2, current - 1, current, current + 1, current + 2]
  const numbers = [...new Set([1, ...near, last])].filter((page) => page >= 1 && page <= last)
  const link = (page: number, words: string | number, label: string) =>
    html`<li><a href="/search?${new URLSearchParams({ q: query, page: String(page) }).toString()}" aria-label="${label}">${words}</a></li>`
  return html`<nav class="pages" aria-label="Pages of results"><ul>
${current > 1 && link(current - 1, '← Previous', 'Previous page')}
${numbers.map((page, i) => [
  i > 0 && page > numbers[i - 1] + 1 && html`<li class="gap" aria-hidden="true">…</li>`,
  page === current
    ? html`<li><span aria-current="page" aria-label="Page ${page}">${page}</span></li>`
    : link(page, page, `Page ${page}`),
])}
${current < last && link(current + 1, 'Next →', 'Next page')}
</ul></nav>`
}

function nothingFound({ answer, pages, isNoted }: ResultsPage): Html {
  if (answer.offset > 0)
    return html`<div class="notice" role="status">
<h1>No more results for “${answer.query}”</h1>
<p><a href="/search?${new URLSearchParams({ q: answer.query }).toString()}">Back to the first page</a></p>
</div>`
  return html`<div class="notice" role="status">
<h1>Nothing found for “${answer.query}”</h1>
${
  pages === 0
    ? html`<p>Nothing has been indexed yet. Crawl something first: <code>forager crawl https://example.org/</code></p>`
    : html`<p>None of the ${pages.toLocaleString('en')} pages in the index has these words. You could</p>
<ul>
<li>check the spelling,</li>
<li>use fewer or more common words,</li>
<li>crawl more pages with a higher <code>--budget</code>.</li>
</ul>
${isNoted && html`<p>The question has been noted: it tells the crawler what is missing.</p>`}`
}
</div>`
}
