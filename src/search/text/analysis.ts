import { isFunctionWord, VOTED_LANGUAGES } from '#parse/language/function-words.ts'
import { primaryLanguage } from '#parse/language/page-language.ts'
import { eachWordIn, isIdeograph, tokenize, urlTokens } from '#parse/text/tokens.ts'
import { remembering } from './remembering.ts'
import { STEMMERS, stem, UNSTEMMED } from './stemmers.ts'
import { hasHangul, queryTermsOf, withPairs } from './unspaced.ts'

/** A page as the index takes it in: what it says, and what others say of it. */
export interface SearchablePage {
  readonly url: string
  readonly title: string
  readonly text: string
  /** Anchor texts of the links to it, one for each link. */
  readonly anchors: readonly string[]
  /** The language it speaks, as a tag; it is read as English if that is unknown. */
  readonly language?: string
}

/** How words become terms; the same for pages and queries, or they would never meet. */
export interface Analyser {
  /** The language in which texts of a language are read: several may be read alike. */
  readAs(language: string | undefined): string
  /**
   * The terms of a text, in order. ASCII characters that are neither letters nor digits part words,
   * and what becomes of a word does not depend on those around it.
   */
  terms(text: string, readAs?: string): string[]
  /** The terms of an address. */
  urlTerms(url: string, readAs?: string): string[]
  /** The terms of a query in English, each once; function words only if it has nothing else. */
  queryTerms(text: string): string[]
  /**
   * By word of a query, what it may be on pages: nobody says in which language they ask. In a language that is
   * said, each has one form. Of other languages than English only those `among` are tried; all if left out.
   */
  queryWords(
    text: string,
    language?: string,
    among?: readonly string[],
  ): readonly (readonly string[])[]
  /** Languages other than English whose rules it has. */
  readonly languages?: readonly string[]
  /** What made the terms of indices of older formats, if those are others. */
  readonly earlier?: Analyser
}

const ENGLISH = 'en'
const PLAIN = 'plain'
/**
 * Between a stem and its language, if that is not English: what rules of one language leave of a word means nothing on
 * pages of another. English pages never have it, so their words mean what they meant.
 */
const LANGUAGE_MARK = '~'
/** What parts words for sure; pairs do not reach across it. */
const ASCII_BORDERS = /[^a-z0-9\u0080-\uffff]+/i
const MAY_HAVE_IDEOGRAPHS = /[\u2e80-\uffff]/
/** Plans ask the same queries and words again and again, and rules of twenty languages take long. */
const MOST_QUERIES = 8_192
const MOST_WORDS = 16_384
/** Languages come one by one, and seldom. */
const MOST_SELECTIONS = 8

export function analyser({ stemming }: { readonly stemming: boolean }): Analyser {
  const termsOf = (words: string[]) => (stemming ? words.map(stem) : words)
  const queryTerms = (text: string) => [...new Set(termsOf(tellingWords(tokenize(text))))]
  return {
    readAs: () => ENGLISH,
    terms: (text) => termsOf(tokenize(text)),
    urlTerms: (url) => termsOf(urlTokens(url)),
    queryTerms,
    queryWords: (text) => queryTerms(text).map((term) => [term]),
  }
}

/** Reads each page in its language: endings are taken off by its rules, and ideographs are also read in pairs. */
export function analyserByLanguage(): Analyser {
  const english = analyser({ stemming: true })
  const languages = [...STEMMERS.keys()]
  const wordsAmong = remembering(
    (some) => remembering(wordsInAny(some.split(' ')), MOST_QUERIES),
    MOST_SELECTIONS,
  )
  return {
    readAs: analysisLanguage,
    terms: (text, readAs = ENGLISH) => termsIn(readAs, text),
    urlTerms: (url, readAs = ENGLISH) => termsIn(readAs, urlTokens(url).join(' ')),
    queryTerms: english.queryTerms,
    queryWords: (text, language, among = languages) =>
      language === undefined
        ? wordsAmong(among.join(' '))(text)
        : wordsIn(language, text).map((term) => [term]),
    languages,
    earlier: english,
  }
}

function analysisLanguage(tag: string | undefined): string {
  const language = tag === undefined ? ENGLISH : primaryLanguage(tag)
  if (STEMMERS.has(language)) return language
  return UNSTEMMED.has(language) ? PLAIN : ENGLISH
}

function termsIn(readAs: string, text: string): string[] {
  const termsOf = (stretch: string) => {
    if (readAs === ENGLISH) return tokenize(stretch).map(stem)
    return readAs === PLAIN ? tokenize(stretch) : foreignTerms(readAs, stretch)
  }
  if (!MAY_HAVE_IDEOGRAPHS.test(text)) return termsOf(text)
  return text.split(ASCII_BORDERS).flatMap((stretch) => withPairs(termsOf(stretch)))
}

/** Stemmed with their accents, as the rules of most languages need them, and then without. */
function foreignTerms(language: string, text: string): string[] {
  const terms: string[] = []
  eachWordIn(text.normalize('NFKC').toLowerCase(), (word) => {
    terms.push(...foreignForm(language, word))
  })
  return terms
}

function foreignForm(language: string, word: string): string[] {
  if (isIdeograph(word) || hasHangul(word) || /^\d/.test(word)) return tokenize(word)
  return tokenize(STEMMERS.get(language)!(word)).map((term) => term + LANGUAGE_MARK + language)
}

function tellingWords(words: string[], language = ENGLISH): string[] {
  const telling = words.filter((word) => !isFunctionWord(word, language))
  return telling.length > 0 ? telling : words
}

/** The terms of a query in a language, each once. */
function wordsIn(tag: string, text: string): string[] {
  const words = spokenWords(text).map(({ spoken }) => spoken)
  const telling = tellingWords(words, primaryLanguage(tag))
  const readAs = analysisLanguage(tag)
  return [...new Set(telling.flatMap((word) => ownForm(word, readAs)))]
}

function ownForm(word: string, readAs: string): string[] {
  if (word.length > 1 && isIdeograph(word[0])) return [word]
  return termsIn(readAs, word)
}

/** A word as it was asked for, and without its accents. */
interface SpokenWord {
  readonly spoken: string
  readonly folded: string
}

function spokenWords(text: string): SpokenWord[] {
  return text.split(/\s+/).flatMap((stretch) => {
    const folded = queryTermsOf(tokenize(stretch))
    const spoken: string[] = []
    eachWordIn(stretch.normalize('NFKC').toLowerCase(), (word) => spoken.push(word))
    const runs = queryTermsOf(spoken)
    return folded.map((word, i) => ({
      folded: word,
      spoken: runs.length === folded.length ? runs[i] : word,
    }))
  })
}

/** What the rules of these languages leave of a word, each form once. */
function formsIn(languages: readonly string[]): (word: string) => readonly string[] {
  return remembering((word) => {
    const forms = languages.map((language) => foreignForm(language, word))
    return [...new Set(forms.filter(({ length }) => length === 1).flat())]
  }, MOST_WORDS)
}

/** By word of a query, its English form, itself, and what the rules of each of these languages leave of it. */
function wordsInAny(languages: readonly string[]): (text: string) => string[][] {
  const foreignForms = formsIn(languages.filter((language) => STEMMERS.has(language)))
  return (text) => wordsWith(foreignForms, text)
}

function wordsWith(foreignForms: (word: string) => readonly string[], text: string): string[][] {
  const words = spokenWords(text)
  const language = questionLanguage(words.map(({ spoken }) => spoken))
  const telling = words.filter(
    ({ spoken, folded }) =>
      !isFunctionWord(folded) && ![language, 'th'].some((one) => isFunctionWord(spoken, one)),
  )
  const taken = new Set<string>()
  return (telling.length > 0 ? telling : words).flatMap(({ spoken, folded }) => {
    if (taken.has(stem(folded))) return []
    const forms = [stem(folded), folded, ...foreignForms(spoken)]
    const fresh = [...new Set(forms)].filter((form) => !taken.has(form))
    for (const form of fresh) taken.add(form)
    return [fresh]
  })
}

/** Shorter queries are names as often as questions. */
const LEAST_WORDS = 4
const LEAST_FUNCTION_WORDS = 2

/**
 * The language of a question, if its function words leave no doubt; English otherwise. Those of `wie installiere ich
 * einen Drucker` say nothing of what is asked for; those of `de la soul` may.
 */
function questionLanguage(words: readonly string[]): string {
  if (words.length < LEAST_WORDS) return 'en'
  const countIn = (language: string) =>
    words.filter((word) => isFunctionWord(word, language)).length
  const counts = VOTED_LANGUAGES.map((language) => ({ language, count: countIn(language) }))
  const best = counts.reduce((most, one) => (one.count > most.count ? one : most))
  const isClear = best.count >= LEAST_FUNCTION_WORDS && best.count >= 2 * countIn('en')
  return isClear ? best.language : 'en'
}
