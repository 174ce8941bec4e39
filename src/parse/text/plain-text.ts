/**
 * What can move a terminal's cursor, change its colours or turn its reading direction around: C0 and
 * C1 controls, line and paragraph separators, bidirectional marks.
 */
const CONTROLS = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu
const CONTROLS_BUT_LINES = /(?!\n)[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu
/** Those that JSON leaves as they are; its own escapes cover the rest. */
const CONTROLS_IN_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Text from the web on one line, with nothing in it that a terminal would obey. */
export function plainText(text: string): string {
  return text.replace(CONTROLS, ' ').replace(/ {2,}/g, ' ').trim()
}

/** The same for text of several lines, whose layout stays. */
export function plainLines(text: string): string {
  return text.replace(CONTROLS_BUT_LINES, ' ')
}

/** JSON that is safe to look at: the same value, with controls as escapes. */
export function plainJson(value: unknown): string {
  return JSON.stringify(value).replace(
    CONTROLS_IN_JSON,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
