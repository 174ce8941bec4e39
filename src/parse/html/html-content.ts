/** How to read what follows a start tag, up to the end tag of the same name. */
export const MARKUP = 0
export const RAW_TEXT = 1 // without tags and character references
export const ESCAPABLE_TEXT = 2 // without tags, but with character references
export const SCRIPT = 3 // raw text that may hold further scripts within comments
export const PLAIN_TEXT = 4 // raw text to the end of the document
export type ContentKind = 0 | 1 | 2 | 3 | 4

/**
 * Where the content that begins at `start` ends: at the end tag of the element whose name is
 * html[nameStart .. nameEnd), or at the document's end.
 */
export function endOfContent(
  html: string,
  start: number,
  kind: ContentKind,
  nameStart: number,
  nameEnd: number,
): number {
  if (kind === PLAIN_TEXT) return html.length
  const end = endTag(html, start, nameStart, nameEnd)
  if (kind === SCRIPT && html.slice(start, end).includes('<!--')) return endOfScript(html, start)
  return end
}

function endTag(html: string, start: number, nameStart: number, nameEnd: number): number {
  const length = nameEnd - nameStart
  for (let at = html.indexOf('</', start); at >= 0; at = html.indexOf('</', at + 2)) {
    let matched = 0
    while (matched < length && sameLetter(html, nameStart + matched, at + 2 + matched)) matched++
    if (matched === length && TAG_NAME_END.test(html.charAt(at + 2 + length))) return at
  }
  return html.length
}

const TAG_NAME_END = /[\t\n\f\r />]/

function sameLetter(html: string, a: number, b: number): boolean {
  return (html.charCodeAt(a) | 32) === (html.charCodeAt(b) | 32)
}

// A comment may end with the dashes it began with (`<!-->`), so only its `<!` is taken.
const SCRIPT_MARKS = /<!(?=--)|-->|<\/?script(?=[\t\n\f\r />])/gi

/** Between `<!--` and `-->` an end tag belongs to the start tag before it, if there is one. */
function endOfScript(html: string, start: number): number {
  let inComment = false
  let inInner = false
  SCRIPT_MARKS.lastIndex = start
  for (let mark = SCRIPT_MARKS.exec(html); mark; mark = SCRIPT_MARKS.exec(html)) {
    const [found] = mark
    if (found === '<!') inComment = true
    else if (found === '-->') inComment = inInner = false
    else if (found.length === 7) inInner = inComment
    else if (!inInner) return mark.index
    else inInner = false
  }
  return html.length
}
