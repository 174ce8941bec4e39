import { isFunctionWord, VOTED_LANGUAGES } from '#parse/language/function-words.ts'

/** Shorter queries are names as often as questions. */
const LEAST_WORDS = 4
const LEAST_FUNCTION_WORDS = 2

/**
 * The language of a question, if its function words leave no doubt; English otherwise. Those of `wie installiere ich
 * einen Drucker` say nothing of what is asked for; those of `de la soul` may.
 */
export function questionLanguage(words: readonly string[]): string {
  if (words.length < LEAST_WORDS) return 'en'
  const countIn = (language: string) =>
    words.filter((word) => isFunctionWord(word, language)).length
  const counts = VOTED_LANGUAGES.map((language) => ({ language, count: countIn(language) }))
  const best = counts.reduce((most, one) => (one.count > most.count ? one : most))
  const isClear = best.count >= LEAST_FUNCTION_WORDS && best.count >= 2 * countIn('en')
  return isClear ? best.language : 'en'
}
