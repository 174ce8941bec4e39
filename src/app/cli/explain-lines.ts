import { NEGLIGIBLE } from './output.ts'

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
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}

/** A number with the digits that count. */
export function short(value: number): string {
  if (Math.abs(value) < NEGLIGIBLE) return '0'
  if (Number.isInteger(value)) return count(value)
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3)
}

/** So many of something. */
export function some(number: number, noun: string, nouns = `${noun}s`): string {
  return `${count(number)} ${number === 1 ? noun : nouns}`
}

/** A whole number as people write it. */
export function count(number: number): string {
  return number.toLocaleString('en')
}
