// Everything but RFC 3986's unreserved and reserved characters; a bare % included.
const NEEDS_WORK = /[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]/
const UNRESERVED = /[A-Za-z0-9\-._~]/
const PERCENT = 0x25

// Per ASCII code: 1 for what stays as it is, 0 for what must be escaped; a % is neither.
const STAYS = Uint8Array.from({ length: 128 }, (_, code) =>
  NEEDS_WORK.test(String.fromCharCode(code)) ? 0 : 1,
)
// Per ASCII code: the value of a hex digit; -1 for what is none.
const HEX_VALUES = Int8Array.from({ length: 128 }, (_, code) => {
  const value = Number.parseInt(String.fromCharCode(code), 16)
  return Number.isNaN(value) ? -1 : value
})
// Per byte: its escape as it should be, which may be the character itself.
const ESCAPES = Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte)
  if (byte < 128 && UNRESERVED.test(character)) return character
  return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
})

/**
 * The one spelling of a path or query among those that RFC 3986 calls equivalent. Needless
 * escapes are undone, hex digits are upper case, characters outside the grammar and stray `%`
 * signs are escaped. A loop over characters: a regular expression with a callback takes ten
 * times as long.
 */
export function normalizePercentEncoding(text: string): string {
  const first = text.search(NEEDS_WORK)
  if (first < 0) return text
  const { length } = text
  let done = ''
  let from = 0 // text[from .. at) is right as it is
  for (let at = first; at < length; ) {
    const code = text.charCodeAt(at)
    if (code < 128 && STAYS[code] === 1) {
      at++
      continue
    }
    const byte = code === PERCENT ? escapedByte(text, at) : -1
    if (byte >= 0 && isRight(text, at, ESCAPES[byte])) {
      at += 3
      continue
    }
    const end = byte >= 0 ? at + 3 : code === PERCENT ? endOfStray(text, at) : endOfOdd(text, at)
    done += text.slice(from, at) + (byte >= 0 ? ESCAPES[byte] : escaped(text, at, end))
    at = from = end
  }
  return from === 0 ? text : done + text.slice(from)
}

/** The byte that an escape at `at` stands for; -1 if there is none. */
function escapedByte(text: string, at: number): number {
  const high = hexValue(text.charCodeAt(at + 1))
  const low = high < 0 ? -1 : hexValue(text.charCodeAt(at + 2))
  return low < 0 ? -1 : 16 * high + low
}

function hexValue(code: number): number {
  return code < 128 ? HEX_VALUES[code] : -1
}

function isRight(text: string, at: number, wanted: string): boolean {
  return (
    wanted.length === 3 &&
    text.charCodeAt(at + 1) === wanted.charCodeAt(1) &&
    text.charCodeAt(at + 2) === wanted.charCodeAt(2)
  )
}

/** Where a run of % signs that begins at `at`, and with a stray one, has no further stray one. */
function endOfStray(text: string, at: number): number {
  let end = at + 1
  while (text.charCodeAt(end) === PERCENT && text.charCodeAt(end + 1) === PERCENT) end++
  return end
}

/** Where a run of characters outside the grammar ends. */
function endOfOdd(text: string, at: number): number {
  let end = at + 1
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end)
    if (code === PERCENT || (code < 128 && STAYS[code] === 1)) break
  }
  return end
}

/** A stray % must become %25: left alone it could form a new escape with what follows it. */
function escaped(text: string, start: number, end: number): string {
  return text.charCodeAt(start) === PERCENT
    ? '%25'.repeat(end - start)
    : encodeURIComponent(text.slice(start, end).toWellFormed())
}
