import { plainText } from '#parse/text/plain-text.ts'
import { count } from '../terminal/output.ts'
import { cutToWidth } from '../terminal/terminal-width.ts'

/** A line of a report: the label may be empty. */
export type Line = readonly [label: string, value: string]

/** A report for people. Everything in it from the web is plain text. */
export function linesText(lines: readonly Line[]): string {
  const width = Math.max(...lines.map(([label]) => label.length))
  return lines
    .map(([label, value]) => `${label.padEnd(width)}  ${plainText(value)}`.trimEnd())
    .join('\n')
}

/** Values under one label; `more` of them are not shown. */
export function labelled(label: string, values: readonly string[], more = 0): Line[] {
  return [
    ...values.map((value, i): Line => [i === 0 ? label : '', value]),
    ...(values.length > 0 ? moreLine(more) : []),
  ]
}

/** Says how many are not shown. */
export function moreLine(more: number): Line[] {
  return more > 0 ? [['', `… and ${count(more)} more (--json)`]] : []
}

/** The beginning of a long text. */
export function cut(text: string): string {
  return cutToWidth(text, 60)
}
