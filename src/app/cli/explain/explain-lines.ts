import { count } from '../terminal/output.ts'
import { cutToWidth } from '../terminal/terminal-width.ts'

/** A line of a report: the label may be empty. */
export type Line = readonly [label: string, value: string]

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
