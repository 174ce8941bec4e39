/** What `letterOf` adds to a character that is a word by itself. */
export const IDEOGRAPH = 0x10000

// blocks[code >> 8][code & 255] is what `letterOf` gives; a block is made when first needed.
const blocks: (Int32Array | undefined)[] = new Array(256).fill(undefined)

/** What `letterOf` gives for ASCII codes, where a call would cost too much. */
export const ASCII_LETTERS: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) =>
  describe(code),
)

/**
 * The code of a letter or digit in lower case; 0 for what parts words. Characters of scripts
 * without spaces have `IDEOGRAPH` added.
 */
export function letterOf(code: number): number {
  const block = blocks[code >> 8] ?? makeBlock(code >> 8)
  return block[code & 255]
}

function makeBlock(number: number): Int32Array {
  const block = Int32Array.from({ length: 256 }, (_, low) => describe((number << 8) | low))
  blocks[number] = block
  return block
}

function describe(code: number): number {
  if (isIdeograph(code)) return code + IDEOGRAPH
  const lower = String.fromCharCode(code).toLowerCase()
  if (code < 128 ? !/[a-z0-9]/.test(lower) : !isForeignLetter(code)) return 0
  return lower.charCodeAt(0)
}

/** Han, Hiragana and Katakana of the basic plane; Hangul has spaces. */
function isIdeograph(code: number): boolean {
  return (code >= 0x3041 && code <= 0x30ff) || (code >= 0x3400 && code <= 0x9fff)
}

/** Anything beyond ASCII but the blocks of punctuation. */
function isForeignLetter(code: number): boolean {
  if (code < 0xc0) return code === 0xaa || code === 0xb5 || code === 0xba
  if (code >= 0x2000 && code <= 0x206f) return false
  return !(code >= 0x3000 && code <= 0x303f) && code < 0xff00
}
