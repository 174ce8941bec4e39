import { primaryLanguage } from '#parse/language/page-language.ts'
import { tokenize } from '#parse/text/tokens.ts'
import { hasHangul } from './unspaced.ts'

/** What somebody asks for, and of which pages. */
export interface AskedQuery {
  /** What is looked for, words of phrases included, without operators. */
  readonly words: string
  /** Texts in quotes: a page must say each just so. */
  readonly phrases: readonly string[]
  /** Words and phrases that no page may say. */
  readonly excludedWords: readonly string[]
  readonly excludedPhrases: readonly string[]
  /** Hosts of which a page must be on one, and must not be; likewise languages. */
  readonly sites: readonly string[]
  readonly excludedSites: readonly string[]
  readonly languages: readonly string[]
  readonly excludedLanguages: readonly string[]
}

/** What phones and editors make of a straight quote. */
const CURLY_QUOTES = /[“”„‟＂]/g
const PIECES = /(-?)"([^"]*)(?:"|$)|(\S+)/g
const OPERATOR = /^(-?)(site|lang):(\S+)$/i
/** A dash within a word, or before nothing, excludes nothing. */
const EXCLUDED_WORD = /^-(?=[\p{L}\p{N}])(\S+)$/u

/** Reads `site:`, `lang:`, quotes and `-word`; whatever is none of them is looked for. */
export function readQuery(text: string): AskedQuery {
  const lists = { words: [] as string[], phrases: [] as string[] }
  const excluded = { words: [] as string[], phrases: [] as string[] }
  const wanted = { site: [] as string[], lang: [] as string[] }
  const unwanted = { site: [] as string[], lang: [] as string[] }
  for (const [, dash, phrase, piece] of text.replace(CURLY_QUOTES, '"').matchAll(PIECES)) {
    if (phrase !== undefined) {
      if (!/[\p{L}\p{N}]/u.test(phrase)) continue
      ;(dash === '-' ? excluded : lists).phrases.push(phrase.trim())
      if (dash !== '-') lists.words.push(phrase.trim())
      continue
    }
    const [, not, operator, value] = OPERATOR.exec(piece) ?? []
    const without = EXCLUDED_WORD.exec(piece)?.[1]
    if (operator !== undefined) addValues(not === '-' ? unwanted : wanted, operator, value)
    else if (without !== undefined) excluded[isOneTerm(without) ? 'words' : 'phrases'].push(without)
    else lists.words.push(piece)
  }
  return {
    words: lists.words.join(' '),
    phrases: lists.phrases,
    excludedWords: excluded.words,
    excludedPhrases: excluded.phrases,
    ...{ sites: wanted.site, excludedSites: unwanted.site },
    ...{ languages: wanted.lang, excludedLanguages: unwanted.lang },
  }
}

/** Pages with `get` are not those that `-apt-get` is to keep away, and so with characters of scripts without spaces. */
function isOneTerm(word: string): boolean {
  return tokenize(word).length <= 1 && !hasHangul(word)
}

function addValues(lists: { site: string[]; lang: string[] }, operator: string, value: string) {
  for (const one of value.split(',').filter((part) => part !== ''))
    if (operator.toLowerCase() === 'site') lists.site.push(hostIn(one))
    else lists.lang.push(languageIn(one))
}

/** The host of an address or of its beginning, as URLs have it. */
function hostIn(value: string): string {
  const address = /^[a-z]+:\/\//i.test(value) ? value : `http://${value}`
  return URL.parse(address)?.host ?? value.toLowerCase()
}

function languageIn(value: string): string {
  const tag = value.toLowerCase().replaceAll('_', '-')
  return tag.includes('-') ? tag : primaryLanguage(tag)
}
