/** What a page is about: its text without the lines that are aside, such as menus and footers. */
export function mainText({
  text,
  asides = [],
}: {
  readonly text: string
  readonly asides?: readonly number[]
}): string {
  if (asides.length === 0) return text
  const lines = text.split('\n')
  const kept: string[] = []
  let from = 0
  for (let run = 0; run < asides.length; run += 2) {
    for (let line = from; line < asides[run]; line++) kept.push(lines[line])
    from = asides[run + 1]
  }
  for (let line = from; line < lines.length; line++) kept.push(lines[line])
  return kept.join('\n')
}
