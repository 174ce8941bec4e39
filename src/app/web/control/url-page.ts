import type { PageView } from '#library/views/page-view.ts'
import { TASK_NAMES } from '../../text/task-names.ts'
import { type Html, html } from '../html.ts'
import { dataTable, laterSection, section } from './blocks/blocks.ts'
import { amount, awayLink, count, pathTo, urlLink, when } from './blocks/words.ts'

/** Where a URL is asked for. */
export function urlForm(url = ''): Html {
  return html`<search><form action="${pathTo('page')}" method="get">
<label class="unseen" for="url">Address of a page</label>
<input id="url" name="url" type="search" value="${url}" maxlength="2000" required placeholder="https://example.org/page" autocomplete="off" autocapitalize="none" spellcheck="false" inputmode="url">
<button type="submit">Explain</button>
</form></search>`
}

/** Before an address is asked for: where to find one. */
export function urlStart(seeds: readonly string[]): Html {
  return html`${urlForm()}${section(
    'begin',
    'Any address of the crawl',
    html`<p>See <a href="${pathTo('board')}">what is fetched next</a>, <a href="${pathTo('changes')}">what was fetched lately</a>, or where the crawl began:</p><ul class="tight">${seeds.map((url) => html`<li>${urlLink(url)}</li>`)}</ul>`,
    'Its state, its fetches with what was predicted and what came, who wants it, and what holds it back.',
  )}`
}

/** Why this page? */
export function urlContent(view: PageView, now: number): Html {
  const { url, known } = view
  if (!known)
    return html`${urlForm(url)}${section(
      'unknown',
      'Never heard of',
      html`<p>No page that was fetched links to <bdi>${url}</bdi>, and no sitemap names it.</p>`,
    )}${laterSection('explained', 'May it be fetched?', pathTo('part/explain', { url }))}`
  return html`${urlForm(url)}
${section('state', 'What is known', factsOf(view, now))}
${laterSection('explained', 'Who wants it, and what holds it back', pathTo('part/explain', { url }))}
${section('fetches', 'Fetches', fetchTable(view, now))}
${view.change && section('change', 'What its copy says otherwise than the one before', changeList(view, now))}`
}

function factsOf(
  { url, foundBy, finder, firstSeen = 0, depth = 0, copy, fetches }: PageView,
  now: number,
): Html {
  const last = fetches.at(-1)
  return html`<dl class="facts">
<dt>Address</dt><dd><bdi>${url}</bdi> ${awayLink(url)}</dd>
<dt>Last answer</dt><dd><span class="badge">${last?.outcome ?? 'not fetched yet'}</span>${last && html` ${when(last.at, now)}`}</dd>
<dt>Found</dt><dd>${when(firstSeen, now)} (${foundBy}), ${count(depth)} ${depth === 1 ? 'link' : 'links'} from a seed${finder !== undefined && html`, first on ${urlLink(finder)}`}</dd>
${
  copy &&
  html`<dt>Latest copy</dt><dd dir="auto">“${copy.title}”, ${count(copy.textLength)} characters, of ${when(copy.fetchedAt, now)}; ${count(copy.versions)} ${copy.versions === 1 ? 'version' : 'versions'} seen</dd>
${copy.noindex && html`<dt>Asks</dt><dd>not to be indexed (noindex)</dd>`}
${copy.softError && html`<dt>Looks like</dt><dd>an error page</dd>`}
${copy.duplicateOf !== undefined && html`<dt>Says the same as</dt><dd>${urlLink(copy.duplicateOf)}</dd>`}
${copy.duplicates.length > 0 && html`<dt>Duplicates</dt><dd>${copy.duplicates.length === 1 ? 'a later page says' : `${count(copy.duplicates.length)} later pages say`} the same</dd>`}`
}
</dl>`
}

function fetchTable({ fetches }: PageView, now: number): Html {
  return dataTable({
    caption: 'Fetches, the latest first',
    rows: fetches.toReversed(),
    columns: [
      ['When', ({ at }) => when(at, now)],
      ['For', ({ purpose }) => TASK_NAMES[purpose as keyof typeof TASK_NAMES] ?? purpose],
      [
        'Came',
        ({ outcome, status, changed, reason }) =>
          html`${outcome}${status !== undefined && html` ${status}`}${outcome === 'page' && changed === false && ', unchanged'}${reason !== undefined && html` <bdi class="quiet">${reason}</bdi>`}`,
      ],
      ['Predicted gain', ({ predictedGain }) => amount(predictedGain), 'number'],
      [
        'Realised gain',
        ({ realisedGain }) => (realisedGain === undefined ? 'not measured' : amount(realisedGain)),
        'number',
      ],
      ['New URLs', ({ newUrls }) => count(newUrls), 'number'],
    ],
    none: 'It was never fetched.',
  })
}

function changeList({ change }: PageView, now: number): Html {
  const { before, after, lines, isCut } = change!
  const words = { added: 'Added: ', removed: 'Removed: ', same: '' }
  return html`<p class="lead">Fetched ${when(before, now)}, and again ${when(after, now)}.</p>
<ul class="diff">${lines.map(({ kind, text }) => html`<li class="${kind}" dir="auto">${kind !== 'same' && html`<span class="unseen">${words[kind]}</span><span aria-hidden="true">${kind === 'added' ? '+ ' : '− '}</span>`}${text}</li>`)}</ul>
${isCut && html`<p class="quiet">There is more.</p>`}`
}
