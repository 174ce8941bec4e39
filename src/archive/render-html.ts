import type { ParsedPage } from '#parse/page/page.ts'
import { escapeHtml } from '#parse/text/escape-markup.ts'

/**
 * An HTML document that `parseHtml` reads back as the same title, text, links and language. An
 * archive does not know where in the text a link stood, so links stand together in an element that
 * parsers take for hidden, and whose anchors thus add nothing to the text; a style rule shows it to
 * people. `isBoilerplate[i]` puts the i-th line of the text aside.
 */
export function renderHtml(
  { title, text, links, language }: Pick<ParsedPage, 'title' | 'text' | 'links' | 'language'>,
  isBoilerplate: readonly boolean[] = [],
): string {
  const lang = language === undefined ? '' : ` lang="${escapeHtml(language)}"`
  const parts = [
    `<!doctype html>\n<html${lang}>\n<head>\n<meta charset="utf-8">\n`,
    `<title>${escapeHtml(title)}</title>\n`,
    '<style>nav[hidden]{display:block}nav a{display:block}</style>\n</head>\n<body>\n',
  ]
  for (const [line, words] of text.split('\n').entries()) {
    const paragraph = `<p>${escapeHtml(words)}</p>`
    parts.push(isBoilerplate[line] ? `<aside>${paragraph}</aside>\n` : `${paragraph}\n`)
  }
  parts.push('<nav hidden>\n')
  for (const { url, anchor } of links)
    parts.push(`<a href="${escapeHtml(url)}">${escapeHtml(anchor)}</a>\n`)
  parts.push('</nav>\n</body>\n</html>\n')
  return parts.join('')
}
