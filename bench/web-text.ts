import { UsageError } from '#app/text/usage-error.ts'
import { mainText } from '#parse/page/main-text.ts'
import { parsePage } from '#parse/parse-page.ts'
import { benchmark } from './harness/benchmark.ts'
import { askPeers, mapValues } from './reading/ask-peers.ts'
import { withoutNames } from './reading/documents.ts'
import { type MarkedPage, markedPagesIn } from './reading/marked-pages.ts'
import { means } from './reading/word-f1.ts'

export default benchmark({
  about:
    'Main text of pages of the web that other projects marked (article-extraction-benchmark, trafilatura, readability), beside peers in Python',
  flags: { checkouts: '', python: '' },
  async run({ checkouts, python }) {
    const pages = checkouts.split(',').flatMap((path) => markedPagesIn(path))
    if (pages.length === 0) throw new UsageError('--checkouts: name folders of marked pages')
    return {
      mainText: agreements(pages, python, (html) => html),
      mainTextWithoutNames: agreements(pages, python, withoutNames),
    }
  },
})

function agreements(
  pages: readonly MarkedPage[],
  python: string,
  change: (html: string) => string,
) {
  const bodies = pages.map(({ html }) => change(html))
  const peers = askPeers(
    python,
    bodies.map((html) => ({ html })),
  )
  const rows = pages.map(({ set, agreement }, i) => {
    const page = parsePage(Buffer.from(bodies[i]), 'text/html; charset=utf-8', 'http://a.test/')
    const found = { 'all text': page.text, Forager: mainText(page), ...peers[i] }
    return { set, right: mapValues(found, agreement) }
  })
  return means(rows)
}
