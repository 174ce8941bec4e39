import type { HostsView, HostView, ListedHost } from '#library/views/host-views.ts'
import { type Html, html } from '../html.ts'
import { termsText } from './action-words.ts'
import { dataTable, pager, section, tiles } from './blocks/blocks.ts'
import {
  amount,
  count,
  hostLink,
  pathTo,
  percent,
  spanText,
  urlLink,
  when,
} from './blocks/words.ts'

interface HostsAsked {
  readonly named: string
  readonly offset: number
  readonly limit: number
}

const DELAY_BY = {
  'robots.txt': 'as its robots.txt asks',
  settings: 'by the settings',
  operator: 'as you asked',
} as const

/** Hosts: where the budget goes. */
export function hostsContent(view: HostsView, asked: HostsAsked, now: number): Html {
  const { listed, fetches, gain } = view
  const hrefOf = (offset: number) =>
    pathTo('hosts', { q: asked.named, offset: offset === 0 ? '' : offset })
  const share = (part: number, whole: number) => (whole > 0 ? percent(part / whole) : '–')
  return html`<search><form action="${pathTo('hosts')}" method="get">
<label class="unseen" for="q">Part of a host’s name</label>
<input id="q" name="q" type="search" value="${asked.named}" maxlength="200" placeholder="Part of a host’s name" autocomplete="off" autocapitalize="none" spellcheck="false">
<button type="submit">Show</button>
</form></search>
${section(
  'list',
  `${count(view.hosts)} hosts known`,
  html`${dataTable({
    caption: 'Hosts, those with most fetches first',
    rows: listed,
    columns: [
      ['Host', ({ host }) => hostLink(host)],
      ['Known', ({ known }) => count(known), 'number'],
      ['Fetches', (host) => count(host.fetches), 'number'],
      ['of budget', (host) => share(host.fetches, fetches), 'number'],
      ['of gain', (host) => share(host.gain, gain), 'number'],
      ['Gone', ({ gone }) => count(gone), 'number'],
      ['Errors', ({ errors }) => count(errors), 'number'],
      ['Delay', ({ delay }) => `${amount(delay)} s`, 'number'],
      ['robots.txt', ({ robots }) => robots ?? 'not asked'],
      ['Now', (host) => mannersText(host, now)],
    ],
    none: 'No host is called so.',
  })}${pager({ ...asked, more: listed.length === asked.limit }, hrefOf)}`,
  'A host whose share of the gain is larger than its share of the budget pays for its fetches.',
)}`
}

function mannersText({ leftAloneUntil, failures, lastAt }: ListedHost, now: number): Html | string {
  if (leftAloneUntil !== undefined && leftAloneUntil > now)
    return html`left alone, free ${when(leftAloneUntil, now)}`
  if (failures > 0) return `${count(failures)} ${failures === 1 ? 'failure' : 'failures in a row'}`
  return lastAt === undefined ? 'never fetched' : html`fetched ${when(lastAt, now)}`
}

/** One host with its sections. */
export function hostContent(host: HostView, now: number): Html {
  const { claims } = host
  const tested = claims.right + claims.wrong
  return html`${tiles([
    {
      name: 'URLs known',
      value: count(host.known),
      note: `${count(host.pages)} fetches gave a page`,
    },
    {
      name: 'Of the budget',
      value: percent(host.shareOfFetches),
      note: `${count(host.fetches)} fetches`,
    },
    {
      name: 'Of the gain',
      value: percent(host.shareOfGain),
      note: `${amount(host.gain)} of quality`,
    },
    {
      name: 'Delay',
      value: `${amount(host.delay)} s`,
      note: `${DELAY_BY[host.delayBy]}${host.delay > 0 ? `; ${amount(60 / host.delay)} a minute at most` : ''}`,
    },
    { name: 'Errors', value: count(host.errors), note: `${count(host.gone)} gone` },
    {
      name: 'Now',
      value: host.leftAloneUntil === undefined ? 'Free' : 'Left alone',
      note: host.leftAloneUntil === undefined ? host.reason : when(host.leftAloneUntil, now),
    },
  ])}
${section('manner', 'Settings of this host', termFacts(host))}
${section(
  'sections',
  'Sections',
  dataTable({
    caption: 'Sections, those with most fetches first',
    rows: host.sections,
    columns: [
      ['Folder', ({ section }) => html`<bdi>${section}</bdi>`],
      ['Known', ({ known }) => count(known), 'number'],
      ['Fetches', ({ fetches }) => count(fetches), 'number'],
      ['Pages', ({ pages }) => count(pages), 'number'],
      ['Errors', ({ errors }) => count(errors), 'number'],
      ['Gain', ({ gain }) => amount(gain), 'number'],
      ['A fetch', ({ gain, fetches }) => (fetches > 0 ? amount(gain / fetches) : '–'), 'number'],
    ],
  }),
)}
${section(
  'troubles',
  'What went wrong',
  dataTable({
    caption: 'Errors by what they said',
    rows: host.troubles,
    columns: [
      ['Outcome', ({ outcome }) => outcome],
      ['Status', ({ status }) => status, 'number'],
      ['Said', ({ reason }) => html`<bdi>${reason}</bdi>`],
      ['Fetches', ({ fetches }) => count(fetches), 'number'],
      ['Last', ({ lastAt }) => when(lastAt, now)],
    ],
    none: 'Nothing.',
  }),
)}
${section(
  'lists',
  'Sitemaps and feeds',
  dataTable({
    caption: 'Sitemaps and feeds',
    rows: host.lists,
    columns: [
      ['Address', ({ url }) => urlLink(url)],
      ['Found', ({ source }) => source],
      ['Last read', ({ readAt }) => (readAt === undefined ? 'never' : when(readAt, now))],
      ['URLs it brought', ({ newUrls }) => count(newUrls), 'number'],
    ],
    none: 'None is known.',
  }),
  tested > 0
    ? `Of ${count(tested)} claims of a change that were tested ${count(claims.right)} were right; ${count(claims.missed)} changes were not claimed.`
    : 'No claim of a change was tested yet.',
)}
${section('robots', 'robots.txt in force', robotsFiles(host, now))}`
}

function termFacts({ manner, delay, delayBy }: HostView): Html {
  const { concurrency, quietHours, maxPages, refreshAfter, told = {}, waiting } = manner
  const by = (name: keyof typeof told) =>
    told[name] === undefined ? DELAY_BY.settings : DELAY_BY.operator
  return html`<dl class="facts">
<dt>Between two requests</dt><dd>${amount(delay)} s, ${DELAY_BY[delayBy]}</dd>
<dt>Requests at once</dt><dd>${count(concurrency)}, ${by('concurrency')}</dd>
<dt>Quiet hours</dt><dd>${quietHours.length > 0 ? quietHours.join(', ') : 'none'}, ${by('quietHours')}</dd>
<dt>Pages at most</dt><dd>${maxPages === undefined ? 'no limit' : count(maxPages)}, ${by('maxPages')}</dd>
<dt>Copies fetched again</dt><dd>${refreshAfter === undefined ? 'when it is worth it' : `after ${spanText(refreshAfter)}`}, ${by('refreshAfter')}</dd>
${waiting && html`<dt>Told, not taken in yet</dt><dd>${termsText(waiting) || 'all as the settings say'}</dd>`}
</dl>`
}

function robotsFiles({ robotsFiles: files }: HostView, now: number): Html {
  if (files.length === 0) return html`<p class="quiet">It was not asked for yet.</p>`
  return html`${files.map(
    ({
      origin,
      kind,
      text,
      fetchedAt,
      validUntil,
      reason,
    }) => html`<p><bdi>${origin}</bdi>: ${kind}, asked for ${when(fetchedAt, now)}, again in ${spanText(Math.max(0, validUntil - now))}${reason !== undefined && html` (${reason})`}</p>
${text !== undefined && html`<pre tabindex="0" aria-label="robots.txt of ${origin}">${text}</pre>`}`,
  )}`
}
