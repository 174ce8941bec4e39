/** A stretch of a source text. */
export interface Stretch {
  readonly from: number
  readonly to: number
}

/** The declarations whose comment has a `@paper` tag. Sources are formatted, so indentation tells where each ends. */
export function paperFunctions(source: string): Stretch[] {
  const stretches: Stretch[] = []
  for (const { index, 0: comment } of source.matchAll(
    /\/\*\*(?:(?!\*\/)[\s\S])*?@paper[\s\S]*?\*\/\n/g,
  )) {
    const from = index + comment.length
    stretches.push({ from, to: from + lengthOfDeclaration(source.slice(from)) })
  }
  return stretches
}

function lengthOfDeclaration(rest: string): number {
  const lines = rest.split('\n')
  const indent = /^ */.exec(lines[0])![0].length
  let last = 0
  if (/[{([,=>]$/.test(lines[0])) {
    const closes = (line: string) =>
      line.search(/\S/) <= indent && /^ *[}\])](?!.*[{(=]$)/.test(line)
    const next = lines.findIndex((line, i) => i > 0 && closes(line))
    const blank = lines.indexOf('')
    // What has no bracket of its own, such as an arrow function of one expression, ends with its paragraph.
    last = next < 0 || (/=>?$/.test(lines[0]) && blank < next) ? blank - 1 : next
  }
  return lines.slice(0, last + 1).join('\n').length
}
