import { escapeHtml } from '#parse/text/escape-markup.ts'

/** Text that is HTML already. Only `html` makes it, so whatever else comes along is escaped. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = Html | string | number | undefined | false | readonly Part[]

/** A template in which every value is escaped, unless it is itself made by this. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.reduce((text, string, i) => `${text}${rendered(parts[i - 1])}${string}`))
}

function rendered(part: Part): string {
  if (part instanceof Html) return part.text
  if (part === undefined || part === false) return ''
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part))
  return part.map(rendered).join('')
}

/** An address that may stand in a link: http and https only, never `javascript:` or `data:`. */
export function linkable(url: string): string | undefined {
  const parsed = URL.parse(url)
  return parsed?.protocol === 'http:' || parsed?.protocol === 'https:' ? parsed.href : undefined
}

/** A path as people read it; nothing in it breaks a line. */
export function readable(path: string): string {
  try {
    return decodeURI(path).replace(/[\p{C}\p{Z}]/gu, ' ')
  } catch {
    return path // escapes that are no UTF-8
  }
}
