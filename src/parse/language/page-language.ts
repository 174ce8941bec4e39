import type { ParsedPage } from '../page/page.ts'
import { letterOf } from '../text/word-letters.ts'
import { hashedWith, VOTED_LANGUAGES, votingWords } from './function-words.ts'
import { mainScript, SCRIPT_LANGUAGES } from './letter-scripts.ts'

/** So much of a text is looked at, and at first so much: it settles most pages. */
const SAMPLE_CHARS = 1_500
const QUICK_CHARS = 400
/** Longer texts begin with licences and summaries in other languages now and then: they are looked at further on. */
const LONG_CHARS = 10_000
/** Longer lines are sentences; menus may be in another language. */
const PROSE_CHARS = 80
const LEAST_PROSE_SHARE = 0.2
/** With fewer words nobody can tell. */
const LEAST_WORDS = 12
/** So much a word of a text must speak for its language: of running text a third are function words. */
const LEAST_VOTE = 0.045
/** So many different function words at least: one may mean something else here. */
const LEAST_DIFFERENT = 4
/** What needs no further look speaks twice as much for one language, and so many times as much as for the next. */
const CLEAR_VOTE = 2 * LEAST_VOTE
const CLEAR_LEAD = 1.7
/** Among commands and names few words are function words; those that are must then speak for one language alone. */
const SPARSE_VOTE = 0.012
const SPARSE_LEAD = 2.2
/** Where nothing is declared, a guess is better than none: so many different signs of a language at least. */
const LEAST_SIGNS = 2
/** A letter that a language does not have speaks against it so much. */
const LACKED_LETTER = 0.4
/** A declared language that has this share of the votes of the best one is believed: some differ in few words. */
const BELIEVED_SHARE = 0.75
/** The first letter that is not Latin. */
const LATIN_END = 0x250
const SHARED_SCRIPTS = new Set(['latin', 'cyrillic', 'arabic', 'devanagari'])
const NOT_LATIN: Readonly<Record<string, string>> = {
  ...{ bg: 'cyrillic', mk: 'cyrillic', ru: 'cyrillic', sr: 'cyrillic', uk: 'cyrillic' },
  ...{ ar: 'arabic', fa: 'arabic', ur: 'arabic', hi: 'devanagari', mr: 'devanagari' },
}
/** Codes that mean the same language. */
const SAME: Readonly<Record<string, string>> = { nb: 'no', nn: 'no', iw: 'he', in: 'id', cmn: 'zh' }

/** Languages that can be told by what pages say. */
export const KNOWN_LANGUAGES: readonly string[] = [...VOTED_LANGUAGES, ...SCRIPT_LANGUAGES]

/** The language of a tag, as `pt` of `pt-br`. */
export function primaryLanguage(tag: string): string {
  const [primary] = tag.split('-', 1)
  return SAME[primary] ?? primary
}

/**
 * The language a page speaks, as a tag in lower case. What it says decides, where that can be told; what it declares
 * names the region, and decides where a text is short or its language unknown to us.
 */
export function pageLanguage(text: string, declared: string | undefined): string | undefined {
  const said = declared === undefined ? undefined : primaryLanguage(declared)
  const script = mainScript(text)
  if (script === undefined) return declared
  const clear = script === 'latin' ? clearLanguage(text) : undefined
  if (clear !== undefined && (said === undefined || said === clear)) return declared ?? clear
  if (!SHARED_SCRIPTS.has(script)) {
    const isLong = text.length >= LEAST_WORDS
    return said === script || !isLong ? (declared ?? script) : script
  }
  const votes = countVotes(text, sampleOf(text, SAMPLE_CHARS, script), script)
  const { votesFor, best } = votes
  if (said === undefined) return isGuess(votes) ? VOTED_LANGUAGES[best] : undefined
  if (!isTelling(votes)) return declared
  const place = VOTED_LANGUAGES.indexOf(said)
  const isBelieved = place < 0 || votesFor[place] >= BELIEVED_SHARE * votesFor[best]
  return isBelieved ? declared : VOTED_LANGUAGES[best]
}

/** The language of a text in Latin letters that speaks for one clearly, by its function words. */
function clearLanguage(text: string): string | undefined {
  const votes = countVotes(text, sampleOf(text, QUICK_CHARS))
  const { words, different, lead, hasOtherScripts } = votes
  if (hasOtherScripts) return undefined
  const isClear = words >= LEAST_WORDS && different > LEAST_DIFFERENT && lead >= CLEAR_LEAD
  const { votesFor, best } = votes
  return isClear && votesFor[best] >= CLEAR_VOTE * words ? VOTED_LANGUAGES[best] : undefined
}

/** Whether words speak for the best language enough. */
function isTelling({ votesFor, best, words, different, lead }: Tally): boolean {
  if (words < LEAST_WORDS || different < LEAST_DIFFERENT) return false
  if (votesFor[best] >= LEAST_VOTE * words) return true
  return lead >= SPARSE_LEAD && votesFor[best] >= SPARSE_VOTE * words
}

/** Whether words and letters speak for the best language at all. */
function isGuess({ votesFor, best, words, different }: Tally): boolean {
  return words >= LEAST_WORDS && different >= LEAST_SIGNS && votesFor[best] > 0
}

/** What a page declares is often what its template does: its words decide. */
export function withLanguage(page: ParsedPage): ParsedPage {
  const { language: declared } = page
  const language = pageLanguage(page.text, declared)
  if (language === declared) return page
  return {
    ...page,
    ...(language !== undefined && { language }),
    ...(declared !== undefined && declared !== language && { declaredLanguage: declared }),
  }
}

/** Stretches of a text, each from a place to another: sentences, if there are enough of them. */
function sampleOf(text: string, chars: number, script = 'latin'): number[] {
  const stretches: number[] = []
  let room = chars
  const first = text.length > LONG_CHARS ? Math.floor(text.length / 4) : 0
  for (let start = first; start < text.length && room > 0; ) {
    const next = text.indexOf('\n', start)
    const end = next < 0 ? text.length : next
    if (end - start >= PROSE_CHARS && (script === 'latin' || hasOtherLetters(text, start))) {
      const taken = Math.min(end - start, room)
      stretches.push(start, start + taken)
      room -= taken
    }
    start = end + 1
  }
  const isEnough = chars - room >= LEAST_PROSE_SHARE * chars
  return isEnough ? stretches : [first, Math.min(text.length, first + chars)]
}

/** Whether a line begins in other letters than Latin ones: parts of a page are not translated now and then. */
function hasOtherLetters(text: string, start: number): boolean {
  let others = 0
  for (let at = start; at < start + PROSE_CHARS; at++)
    if (text.charCodeAt(at) >= LATIN_END) others++
  return others > PROSE_CHARS / 4
}

/** How much a text's words speak for each language. */
interface Tally {
  readonly votesFor: Float64Array
  readonly best: number
  /** How many times as much for the best as for the next. */
  readonly lead: number
  readonly words: number
  /** Different function words and letters of the best. */
  readonly different: number
  /** Some letters are not Latin. */
  readonly hasOtherScripts: boolean
}

// One of each for all texts, of which one is read at a time.
const votesFor = new Float64Array(VOTED_LANGUAGES.length)
const different = new Uint16Array(VOTED_LANGUAGES.length)
// By function word or letter the text in which it was last met.
let metIn = new Uint32Array(0)
let texts = 0

/** Commands and names in Latin letters say nothing of a text in other ones: only languages of its script may win. */
function countVotes(text: string, stretches: readonly number[], script = 'latin'): Tally {
  const { count, starts, languages, weights, letters, find } = votingWords()
  if (metIn.length === 0) metIn = new Uint32Array(count)
  texts = (texts + 1) >>> 0
  votesFor.fill(0)
  different.fill(0)
  let words = 0
  let hasOtherScripts = false
  const vote = (sign: number) => {
    const isNew = metIn[sign] === texts ? 0 : 1
    metIn[sign] = texts
    const end = starts[sign + 1]
    for (let i = starts[sign]; i < end; i++) {
      votesFor[languages[i]] += weights[i]
      different[languages[i]] += isNew
    }
  }
  const endWord = (hash: number) => {
    words++
    const word = find(hash)
    if (word >= 0) vote(word)
  }
  const voteByLetter = (letter: number) => {
    const sign = letters.get(letter)
    if (sign === undefined) return
    vote(sign)
    for (let i = 0; i < votesFor.length; i++) votesFor[i] -= LACKED_LETTER
    const end = starts[sign + 1]
    for (let i = starts[sign]; i < end; i++) votesFor[languages[i]] += LACKED_LETTER
  }
  for (let stretch = 0; stretch < stretches.length; stretch += 2) {
    const end = stretches[stretch + 1]
    let isInWord = false
    let hash = 0
    for (let at = stretches[stretch]; at < end; at++) {
      const letter = smallLetter(text.charCodeAt(at))
      if (letter !== 0) {
        if (letter >= LATIN_END) hasOtherScripts = true
        if (letter >= 128) voteByLetter(letter)
        hash = hashedWith(hash, letter)
        isInWord = true
      } else if (isInWord) {
        endWord(hash)
        hash = 0
        isInWord = false
      }
    }
    if (isInWord) endWord(hash)
  }
  for (const language of languagesNotIn(script)) votesFor[language] = Number.NEGATIVE_INFINITY
  let best = 0
  for (let i = 1; i < votesFor.length; i++) if (votesFor[i] > votesFor[best]) best = i
  let second = 0
  for (let i = 0; i < votesFor.length; i++) if (i !== best) second = Math.max(second, votesFor[i])
  const lead = votesFor[best] / Math.max(0, second)
  return { votesFor, best, lead, words, different: different[best], hasOtherScripts }
}

// By script, the places of languages that are written in others: of nearly all pages it is Latin.
const notIn = new Map<string, Uint8Array>()

function languagesNotIn(script: string): Uint8Array {
  const known = notIn.get(script)
  if (known) return known
  const others = [...VOTED_LANGUAGES.keys()].filter(
    (place) => (NOT_LATIN[VOTED_LANGUAGES[place]] ?? 'latin') !== script,
  )
  const places = Uint8Array.from(others)
  notIn.set(script, places)
  return places
}

/** A letter in lower case; 0 for what is none. */
function smallLetter(code: number): number {
  if (code >= 128) return letterOf(code) & 0xffff
  const lower = code | 32
  return lower >= 0x61 && lower <= 0x7a ? lower : 0
}
