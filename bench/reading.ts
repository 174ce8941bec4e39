import { UsageError } from '#app/text/usage-error.ts'
import { pageLanguage, primaryLanguage } from '#parse/language/page-language.ts'
import { mainText } from '#parse/page/main-text.ts'
import { parsePage } from '#parse/parse-page.ts'
import { benchmark } from './harness/benchmark.ts'
import { askPeers, mapValues } from './reading/ask-peers.ts'
import { type Document, documentsIn, withoutNames } from './reading/documents.ts'
import { means, wordF1 } from './reading/word-f1.ts'

export default benchmark({
  about: 'Reads documents of Debian packages: their main text and language, beside peers in Python',
  flags: { share: '', python: '', most: 40, chars: 1_000 },
  async run({ share, python, most, chars }) {
    const shares = share.split(',').filter((path) => path !== '')
    if (shares.length === 0)
      throw new UsageError('--share: name the usr/share of unpacked packages')
    const documents = documentsIn(shares, most)
    return {
      documents: documents.length,
      languages: languagesOf(documents, python, chars),
      mainText: mainTextsOf(documents, python, (html) => html),
      mainTextWithoutNames: mainTextsOf(documents, python, withoutNames),
    }
  },
})

/** The share of excerpts whose language is told, by set and program. */
function languagesOf(documents: readonly Document[], python: string, chars: number) {
  const cases = documents.flatMap(({ set, language, html }) => {
    const { text } = parsePage(Buffer.from(html), 'text/html; charset=utf-8', 'http://a.test/')
    const from = Math.floor(text.length * 0.3)
    const excerpt = text.slice(from, from + chars)
    return language === undefined || excerpt.length < chars
      ? []
      : [{ set, language, text: excerpt }]
  })
  const peers = askPeers(python, cases)
  const rows = cases.map(({ set, language, text }, i) => {
    const answers = { Forager: pageLanguage(text, undefined) ?? '', ...peers[i] }
    // Where all peers agree on English, the page is not translated.
    const others = Object.values(peers[i] ?? {})
    const isEnglish = others.length > 0 && others.every((answer) => answer === 'en')
    const truth = isEnglish ? 'en' : language
    return { set, right: mapValues(answers, (answer) => Number(primaryLanguage(answer) === truth)) }
  })
  return means(rows)
}

/** The mean F1 of words between what was found and what the generator calls the body, by set and program. */
function mainTextsOf(
  documents: readonly Document[],
  python: string,
  change: (html: string) => string,
) {
  const cases = documents.flatMap(({ set, html, mainText }) =>
    mainText === undefined ? [] : [{ set, html: change(html), truth: mainText }],
  )
  const peers = askPeers(
    python,
    cases.map(({ html }) => ({ html })),
  )
  const rows = cases.map(({ set, html, truth }, i) => {
    const page = parsePage(Buffer.from(html), 'text/html; charset=utf-8', 'http://a.test/')
    const found = { 'all text': page.text, Forager: mainText(page), ...peers[i] }
    return { set, right: mapValues(found, (text) => wordF1(text, truth)) }
  })
  return means(rows)
}
