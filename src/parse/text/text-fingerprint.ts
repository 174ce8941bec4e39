/**
 * 64 bits of a text's characters without its white space, as 16 hex digits: equal for pages that
 * differ in markup only. Empty for an empty text, which equals no other.
 */
export function textFingerprint(text: string): string {
  let low = 0x2545f491
  let high = 0x9e3779b9
  let length = 0
  // In one pass: to take the white space out of a long text first costs three times as much.
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code <= 32 || code >= 0xa0 ? isSpace(code) : false) continue
    length++
    low = Math.imul(low ^ code, 0x5bd1e995)
    low ^= low >>> 15
    high = Math.imul((high ^ (high >>> 13)) + low, 0x297a2d39)
  }
  if (length === 0) return ''
  return hex(mixed(high ^ length)) + hex(mixed(low + Math.imul(high, 0x85ebca6b)))
}

/** White space as regular expressions have it. */
function isSpace(code: number): boolean {
  if (code <= 32) return code === 32 || (code >= 9 && code <= 13)
  if (code < 0x1680) return code === 0xa0
  if (code >= 0x2000 && code <= 0x200a) return true
  return OTHER_SPACES.includes(code)
}

const OTHER_SPACES = [0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff]

function mixed(word: number): number {
  let x = word | 0
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b)
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35)
  return (x ^ (x >>> 16)) >>> 0
}

function hex(word: number): string {
  return word.toString(16).padStart(8, '0')
}
