import { type Html, html } from '../../html.ts'

type Cell = Html | string | number | false | undefined

/** Its name, and what it has for a row; numbers stand below each other. */
type Column<Row> = readonly [name: string, cell: (row: Row) => Cell, kind?: 'number']

export interface DataTable<Row> {
  readonly caption: string
  readonly rows: readonly Row[]
  readonly columns: readonly Column<Row>[]
  /** What is said where there are none. */
  readonly none?: string
}

/** A table that scrolls by itself where it is too wide; its first column names the row. */
export function dataTable<Row>({
  caption,
  rows,
  columns,
  none = 'Nothing yet.',
}: DataTable<Row>): Html {
  if (rows.length === 0) return html`<p class="quiet">${none}</p>`
  const classOf = (kind: Column<Row>[2]) => kind && html` class="${kind}"`
  // Roles are said, as a style that shows rows as cards takes them away.
  return html`<div class="scroll" role="group" aria-label="${caption}" tabindex="0"><table role="table">
<caption class="unseen">${caption}</caption>
<thead role="rowgroup"><tr role="row">${columns.map(([name, , kind]) => html`<th role="columnheader" scope="col"${classOf(kind)}>${name}</th>`)}</tr></thead>
<tbody role="rowgroup">
${rows.map(
  (row) => html`<tr role="row">${columns.map(([name, cell, kind], i) =>
    i === 0
      ? html`<th role="rowheader" scope="row"${classOf(kind)}>${cell(row)}</th>`
      : html`<td role="cell" data-name="${name}"${classOf(kind)}>${cell(row)}</td>`,
  )}</tr>
`,
)}</tbody></table></div>`
}

interface Tile {
  readonly name: string
  readonly value: Cell
  readonly note?: Cell
}

/** Some numbers at a glance. */
export function tiles(all: readonly (Tile | false | undefined)[]): Html {
  const shown = all.filter((tile) => tile !== false && tile !== undefined)
  return html`<dl class="tiles">
${shown.map(
  ({
    name,
    value,
    note,
  }) => html`<div><dt>${name}</dt><dd>${value}</dd>${note !== undefined && note !== false && html`<dd class="quiet">${note}</dd>`}</div>
`,
)}</dl>`
}

/** A part of a page with its heading. */
export function section(id: string, heading: string, content: Html | false, lead?: Cell): Html {
  return html`<section id="${id}" aria-labelledby="${id}-h"><h2 id="${id}-h">${heading}</h2>
${lead !== undefined && lead !== false && html`<p class="lead">${lead}</p>`}
${content}
</section>`
}

/** A part that takes a plan, and so comes a little later. */
export function laterSection(id: string, heading: string, path: string, lead?: Cell): Html {
  return section(id, heading, later(path), lead)
}

/** Where a part will stand that takes a plan. */
export function later(path: string): Html {
  return html`<div data-part="${path}" aria-busy="true"><p class="quiet">Working it out; with millions of URLs that takes a minute. <a href="${path}">Show it on a page of its own</a></p></div>`
}

/** Numbers that come a little later: their names stand there already, so that nothing moves. */
export function laterTiles(path: string, names: readonly string[]): Html {
  return html`<div data-part="${path}" aria-busy="true">${tiles(names.map((name) => ({ name, value: '…', note: html`being counted; <a href="${path}">wait for it</a>` })))}</div>`
}

/** Two shares beside each other, as a bar. */
export function shareBar(share: number, words: string): Html {
  const width = Math.max(0, Math.min(1, share)) * 100
  return html`<svg class="bar-of" viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label="${words}"><rect class="rest" width="100" height="8"/><rect class="s1" width="${width.toFixed(1)}" height="8"/></svg>`
}

/** Forward and back through a list. */
export function pager(
  {
    offset,
    limit,
    more,
  }: { readonly offset: number; readonly limit: number; readonly more: boolean },
  hrefOf: (offset: number) => string,
): Html | false {
  if (offset === 0 && !more) return false
  return html`<nav class="pages" aria-label="Pages of this list"><ul>
${offset > 0 && html`<li><a href="${hrefOf(Math.max(0, offset - limit))}">← Previous</a></li>`}
${more && html`<li><a href="${hrefOf(offset + limit)}">Next →</a></li>`}
</ul></nav>`
}
