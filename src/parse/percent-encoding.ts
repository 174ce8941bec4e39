// Everything but RFC 3986's unreserved and reserved characters; a bare % included.
const NEEDS_WORK = /[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]/
const ESCAPES_AND_STRANGERS = /%([0-9A-Fa-f]{2})?|[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]+/g
const UNRESERVED = /[A-Za-z0-9\-._~]/

/**
 * The one spelling of a path or query among those that RFC 3986 calls equivalent: needless escapes
 * undone, hex digits upper case, characters outside the grammar and stray `%` signs escaped.
 */
export function normalizePercentEncoding(text: string): string {
  return NEEDS_WORK.test(text) ? text.replace(ESCAPES_AND_STRANGERS, normalizeOne) : text
}

function normalizeOne(found: string, hex: string | undefined): string {
  if (hex !== undefined) {
    const character = String.fromCharCode(Number.parseInt(hex, 16))
    return UNRESERVED.test(character) ? character : found.toUpperCase()
  }
  // A stray % must become %25: left alone it could form a new escape with what follows it.
  return found === '%' ? '%25' : encodeURIComponent(found.toWellFormed())
}
