const SHOWN_CHARS = 60

/** Whether a value of JSON is an object, and no list. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What `JSON.stringify` writes for half a character; an escaped backslash may stand before. */
const HALF = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g

/**
 * A value as JSON that others can read too: half a character, which a stranger may write and a cut may leave, is none to
 * DuckDB, and one such page would keep a whole table from being read.
 */
export function wellFormedJson(value: unknown): string {
  return JSON.stringify(value).replace(HALF, '$1\ufffd')
}

/** A value of JSON for a message: short, and safe however deep it is nested. What must not be told is taken out before it is cut. */
export function shownJson(value: unknown, told = (text: string) => text): string {
  const text = told(textOf(value))
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text
}

/** JSON can be read however deep it is nested, but not written. */
function textOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return 'a value nested too deep'
  }
}
