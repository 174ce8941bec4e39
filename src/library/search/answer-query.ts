import { pageLanguage, primaryLanguage } from '#parse/language/page-language.ts'
import { tokenize } from '#parse/text/tokens.ts'
import type { StoredPage } from '#repository/text-index/stored-page.ts'
import type { Result } from '#search/full-text/best-results.ts'
import type { ChosenPages } from '#search/full-text/chosen-pages.ts'
import { defaultAnalyser, defaultScoring } from '#search/full-text/default-search.ts'
import { languageLabel, siteLabel, siteLabels } from '#search/full-text/page-labels.ts'
import type { TextIndex } from '#search/full-text/text-index.ts'
import type { AskedQuery } from '#search/text/asked-query.ts'
import { hasHangul } from '#search/text/unspaced.ts'

/** The best answers to what somebody asks, as far as the index can tell: phrases are to be looked for in the pages. */
export function answersIn(index: TextIndex, asked: AskedQuery, most: number): Result[] {
  const [language, ...others] = asked.languages
  const said = others.length === 0 ? language : undefined
  const chosen = chosenBy(asked, index, said)
  const labels = chosen.required.flat()
  // Without words, all pages chosen answer alike.
  const query =
    asked.words === ''
      ? index.prepareWords(
          [labels.flatMap((label) => index.terms.find(label) ?? [])],
          defaultScoring,
        )
      : index.prepare(asked.words, defaultScoring, index.statistics(), said)
  return index.search(query, most, chosen)
}

function chosenBy(asked: AskedQuery, index: TextIndex, language?: string): ChosenPages {
  const { analyser } = index
  const formsOf = (text: string) => analyser.queryWords(text, language)
  const oneOf = (labels: readonly string[]) => (labels.length > 0 ? [labels] : [])
  const isLabelled = !isOlder(index)
  return {
    required: [
      ...asked.phrases.flatMap(formsOf),
      ...(isLabelled ? oneOf(asked.sites.map(siteLabel)) : []),
      ...(isLabelled ? oneOf(asked.languages.map(languageLabel)) : []),
    ],
    excluded: [
      ...asked.excludedWords.flatMap((word) => formsOf(word).flat()),
      ...asked.excludedSites.map(siteLabel),
      ...asked.excludedLanguages.map(languageLabel),
    ],
  }
}

/** Made before pages had labels of their site and language. */
function isOlder(index: TextIndex): boolean {
  return index.analyser === defaultAnalyser.earlier
}

/** Whether a page must be looked at, as the index does not tell all that is asked. */
export function needsLook(index: TextIndex, asked: AskedQuery): boolean {
  const hasPhrases = asked.phrases.length + asked.excludedPhrases.length > 0
  return hasPhrases || (isOlder(index) && asked.sites.length + asked.languages.length > 0)
}

/** Whether a page says what is asked in quotes, and is where and in what language it should be. */
export function fits(page: StoredPage, asked: AskedQuery): boolean {
  const words = ` ${phraseWords(`${page.title}\n${page.text}`)} `
  const says = (phrase: string) => words.includes(` ${phraseWords(phrase)} `)
  if (!asked.phrases.every(says) || asked.excludedPhrases.some(says)) return false
  const sites = siteLabels(page.url)
  if (asked.sites.length > 0 && !asked.sites.some((site) => sites.includes(siteLabel(site))))
    return false
  if (asked.languages.length === 0) return true
  const tag = page.language ?? pageLanguage(page.text, undefined) ?? ''
  return asked.languages.some((language) => language === tag || language === primaryLanguage(tag))
}

/** Syllables of Hangul stand alone, as ideographs do: a phrase ends where the ending of its last word begins. */
function phraseWords(text: string): string {
  return tokenize(text)
    .flatMap((word) => (hasHangul(word) ? [...word] : [word]))
    .join(' ')
}
