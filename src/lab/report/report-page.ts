import { escapeHtml } from '#parse/text/escape-markup.ts'

/** How a result came about, so that anyone can make it again. */
interface Provenance {
  readonly command: string
  readonly seed: number
  readonly version: string
  /** Of the program, where it is known. */
  readonly commit?: string
  readonly archives: readonly string[]
}

export interface ReportTable {
  readonly caption: string
  readonly header: readonly string[]
  readonly rows: readonly (readonly (string | number)[])[]
  /** Whether it is only printed on a terminal if asked for. */
  readonly isDetail?: boolean
}

interface Report {
  readonly title: string
  /** A few sentences on what is shown. */
  readonly intro: string
  /** SVG elements from `line-chart.ts`. */
  readonly charts: readonly string[]
  readonly tables: readonly ReportTable[]
  readonly provenance: Provenance
}

const SVG_STYLE = `
svg text{font:13px system-ui,sans-serif;fill:#1a1a1a;stroke:none}
svg .title{font-size:15px;font-weight:600}
svg .label,svg .tick{text-anchor:middle}
svg .end{text-anchor:end}
svg .grid{stroke:#ddd}svg .axis{stroke:#666}
svg .line{fill:none;stroke-width:2}svg .band{opacity:.12;stroke:none}`

/** Pictures stand side by side where there is room; on a phone each is as wide as the screen. */
const STYLE = `
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a;background:#fff}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,25rem),1fr));gap:1.5rem}
svg{width:100%;max-width:34rem;height:auto}${SVG_STYLE}
.wide{overflow-x:auto}
table{border-collapse:collapse;margin:1rem 0;font-size:.85rem;font-variant-numeric:tabular-nums}
caption{text-align:left;font-weight:600;padding:.3rem 0}
caption span{display:inline-block;position:sticky;left:0;max-width:calc(100vw - 3rem)}
th,td{padding:.15rem .5rem;border-bottom:1px solid #ddd;text-align:left}
td{white-space:nowrap}
th{vertical-align:bottom}
th.number,td.number{text-align:right}
pre{background:#f4f4f4;padding:.7rem;white-space:pre-wrap;overflow-wrap:anywhere}
`

/** Longer tables are for the result's file. */
const MOST_ROWS = 500

/** One self-contained HTML page: pictures first, their numbers in tables below, and how they were made. */
export function reportPage(report: Report): string {
  const { provenance } = report
  return [
    '<!doctype html>',
    `<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">`,
    `<title>${escapeHtml(report.title)}</title><style>${STYLE}</style></head><body>`,
    `<h1>${escapeHtml(report.title)}</h1><p>${escapeHtml(report.intro)}</p>`,
    '<div class="figures">',
    ...report.charts,
    '</div>',
    ...report.tables.filter(({ rows }) => rows.length <= MOST_ROWS).map(tableHtml),
    '<h2>How this was made</h2>',
    `<pre>${escapeHtml(provenance.command)}</pre>`,
    `<p>Seed ${provenance.seed}; Forager ${escapeHtml(provenance.version)}${provenance.commit ? ` (commit ${escapeHtml(provenance.commit.slice(0, 12))})` : ''}; ${provenance.archives.length === 1 ? 'archive' : 'archives'}: ${escapeHtml(provenance.archives.join(', '))}.</p>`,
    '</body></html>\n',
  ].join('\n')
}

/** A chart as a file of its own, for documents that show pictures: on white, whatever is around it. */
export function standaloneSvg(chart: string): string {
  return chart.replace(
    /^<svg (viewBox="0 0 (\d+) (\d+)"[^>]*)>/,
    `<svg xmlns="http://www.w3.org/2000/svg" width="$2" height="$3" $1><style>${SVG_STYLE}</style><rect width="100%" height="100%" fill="#fff"/>`,
  )
}

function tableHtml({ caption, header, rows }: ReportTable): string {
  const isNumeric = header.map((_, i) => rows.some((row) => typeof row[i] === 'number'))
  const head = header
    .map((name, i) => `<th scope="col"${numberClass(isNumeric[i])}>${escapeHtml(name)}</th>`)
    .join('')
  const rowHtml = (row: ReportTable['rows'][number]) =>
    `<tr>${row.map((cell, i) => `<td${numberClass(isNumeric[i])}>${shown(cell)}</td>`).join('')}</tr>`
  return `<div class="wide"><table><caption><span>${escapeHtml(caption)}</span></caption><thead><tr>${head}</tr></thead><tbody>\n${rows.map(rowHtml).join('\n')}\n</tbody></table></div>`
}

const numberClass = (isNumeric: boolean): string => (isNumeric ? ' class="number"' : '')

function shown(cell: string | number): string {
  if (typeof cell === 'string') return escapeHtml(cell)
  return Number.isInteger(cell) ? cell.toLocaleString('en') : shownNumber(cell)
}

/** Four digits that count, but no fewer than there are before the point. */
function shownNumber(value: number): string {
  return Math.abs(value) >= 1e4 ? Math.round(value).toLocaleString('en') : value.toPrecision(4)
}
