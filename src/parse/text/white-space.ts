// What \s matches.
const WHITE_SPACE = /\s/

/** Whether a character code is white space, as regular expressions have it. */
export function isWhiteSpace(code: number): boolean {
  if (code <= 32) return code === 32 || (code >= 9 && code <= 13)
  return code >= 0xa0 && (code === 0xa0 || isWideSpace(code))
}

function isWideSpace(code: number): boolean {
  return code >= 0x1680 && WHITE_SPACE.test(String.fromCharCode(code))
}
