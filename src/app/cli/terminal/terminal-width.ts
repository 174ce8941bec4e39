/** Takes two columns: East Asian characters, full-width forms, emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}\p{Emoji_Presentation}]/u
/** Takes none: accents that stand on the letter before them, joiners, variation selectors. */
const WITHOUT_WIDTH = /[\p{Mn}\p{Me}\p{Cf}]/u
const PLAIN = /^[\x20-\x7e]*$/

/** How many columns of a terminal a text takes. */
export function terminalWidth(text: string): number {
  if (PLAIN.test(text)) return text.length
  let width = 0
  for (const char of text) width += widthOf(char)
  return width
}

/** The beginning of a text that takes more than so many columns, and all of one that does not. */
export function cutToWidth(text: string, most: number): string {
  if (terminalWidth(text) <= most) return text
  let begun = ''
  let room = most - 1
  for (const char of text) {
    room -= widthOf(char)
    if (room < 0) break
    begun += char
  }
  return `${begun}…`
}

function widthOf(char: string): number {
  return WITHOUT_WIDTH.test(char) ? 0 : WIDE.test(char) ? 2 : 1
}
