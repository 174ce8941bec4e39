import type { ChangesView } from '#library/views/changes-view.ts'
import { type Html, html } from '../html.ts'
import { dataTable, pager, section, tiles } from './blocks/blocks.ts'
import { count, pathTo, urlLink, when } from './blocks/words.ts'

interface ChangesAsked {
  readonly days: number
  readonly section: string
  readonly offset: number
  readonly limit: number
}

const WHAT = { added: 'new', changed: 'changed', gone: 'gone' } as const

/** What was new, changed or gone. */
export function changesContent(view: ChangesView, asked: ChangesAsked, now: number): Html {
  const { days, offset } = asked
  const sum = (what: keyof typeof WHAT) => view.sections.reduce((all, one) => all + one[what], 0)
  const hrefOf = (offset: number) =>
    pathTo('changes', { days, section: asked.section, offset: offset === 0 ? '' : offset })
  return html`<search><form action="${pathTo('changes')}" method="get">
<label for="days">Days back</label>
<input id="days" name="days" type="number" min="1" max="3650" value="${days}">
<button type="submit">Show</button>
</form></search>
${tiles([
  { name: 'New', value: count(sum('added')), note: 'pages fetched for the first time' },
  { name: 'Changed', value: count(sum('changed')), note: 'in words that searchers would notice' },
  { name: 'Gone', value: count(sum('gone')), note: 'since their last fetch' },
])}
${section(
  'sections',
  'By section',
  dataTable({
    caption: 'Changes by section, those with most first',
    rows: view.sections,
    columns: [
      [
        'Section',
        ({ section }) =>
          html`<a href="${pathTo('changes', { days, section })}"><bdi>${section}</bdi></a>`,
      ],
      ['New', ({ added }) => count(added), 'number'],
      ['Changed', ({ changed }) => count(changed), 'number'],
      ['Gone', ({ gone }) => count(gone), 'number'],
    ],
    none: 'Nothing changed, or nothing was fetched.',
  }),
)}
${section(
  'pages',
  asked.section === '' ? 'Pages' : `Pages of ${asked.section}`,
  html`${asked.section !== '' && html`<p><a href="${pathTo('changes', { days })}">All sections</a></p>`}${dataTable(
    {
      caption: 'Changes, the latest first',
      rows: view.pages,
      columns: [
        ['Page', ({ url }) => urlLink(url)],
        ['What', ({ what }) => WHAT[what]],
        ['Found', ({ at }) => when(at, now)],
        ['Title', ({ title }) => html`<span dir="auto">${title}</span>`],
      ],
      none: 'None.',
    },
  )}${pager({ offset, limit: asked.limit, more: view.pages.length === asked.limit }, hrefOf)}`,
)}`
}
