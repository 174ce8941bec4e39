/**
 * What a page is about: its text without the lines that are aside, such as menus and footers. Asides are runs of lines,
 * first and end of each. Most pages have one stretch between them, which is a slice and no copy.
 */
export function mainText({
  text,
  asides = [],
}: {
  readonly text: string
  readonly asides?: readonly number[]
}): string {
  if (asides.length === 0) return text
  const kept: string[] = []
  let line = 0
  let start = 0
  /** Goes to where a line begins; behind the last one that is the end, and a line end that is not there. */
  const goTo = (wanted: number) => {
    for (; line < wanted && start <= text.length; line++) {
      const end = text.indexOf('\n', start)
      start = (end < 0 ? text.length : end) + 1
    }
  }
  for (let run = 0; run < asides.length; run += 2) {
    const from = start
    goTo(asides[run])
    if (start > from) kept.push(text.slice(from, start - 1))
    goTo(asides[run + 1])
  }
  if (start <= text.length) kept.push(text.slice(start))
  return kept.length === 1 ? kept[0] : kept.join('\n')
}
