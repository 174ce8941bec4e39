import { hostOf } from '../url/canonical-url.ts'
import { labelsBeforeSuffix } from '../url/registrable-domain.ts'
import { detached } from './detached.ts'

// Scripts written without spaces: each character is a word of its own, so that it can be found.
// Among them is `ー`, which makes a vowel long in both kana.
const WORDS =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]|[[\p{L}\p{N}\p{M}]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]]+/gv
const IDEOGRAPH = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]$/v
// Others whose letters say too little by themselves: a dictionary tells words apart.
const RUNS = /[[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]&&[\p{L}\p{N}\p{M}]]+/gv
/** Where their letters lie; a fast test, as few texts have any. */
const MAY_HAVE_RUNS = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\ua9e0-\ua9ff\uaa60-\uaa7f]/
/** Made when it is first needed, as it takes a while; its language is no matter. */
let dictionary: Intl.Segmenter | undefined
/** A Thai and a Lao vowel that the dictionary knows in one piece only. */
const SPLIT_VOWELS = /\u0e4d\u0e32|\u0ecd\u0eb2/g
const ACCENTS = /[\u0300-\u036f]/g

// Per ASCII code: 0 parts words, 1 is a lower-case letter or digit, 2 an upper-case letter.
const ASCII = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  return /[a-z0-9]/.test(character) ? 1 : /[A-Z]/.test(character) ? 2 : 0
})

/** The words and numbers of a text in order: lower case, without accents. */
export function tokenize(text: string): string[] {
  const tokens: string[] = []
  const length = text.length
  for (let at = 0; at < length; at++) {
    const start = at
    let kinds = 0
    let foreign = false
    for (; at < length; at++) {
      const code = text.charCodeAt(at)
      if (code > 127) foreign = true
      else if (ASCII[code] === 0) break
      else kinds |= ASCII[code]
    }
    if (at === start) continue
    const stretch = text.slice(start, at)
    if (foreign) addFolded(stretch, tokens)
    else tokens.push(detached(kinds & 2 ? stretch.toLowerCase() : stretch))
  }
  return tokens
}

/** For a stretch with letters beyond ASCII; ASCII punctuation never joins two stretches. */
function addFolded(stretch: string, tokens: string[]): void {
  const folded = fold(stretch)
  if (MAY_HAVE_RUNS.test(folded))
    eachWordIn(withWholeVowels(folded), (word) => tokens.push(detached(word)))
  else for (const [word] of folded.matchAll(WORDS)) tokens.push(detached(word))
}

/** Whether a word is a single character of a script without spaces. */
export function isIdeograph(word: string): boolean {
  return word.length <= 2 && word !== '' && word.charCodeAt(0) > 0x2e7f && IDEOGRAPH.test(word)
}

/** Visits the words of a stretch with letters beyond ASCII, in order, with where they stand. */
export function eachWordIn(stretch: string, visit: (word: string, index: number) => void): void {
  const eachBetween = (from: number, to: number) => {
    for (const { 0: word, index } of stretch.slice(from, to).matchAll(WORDS))
      visit(word, from + index)
  }
  let from = 0
  for (const { 0: run, index } of stretch.matchAll(RUNS)) {
    eachBetween(from, index)
    let at = index
    for (const word of wordsByDictionary(run)) {
      visit(word, at)
      at += word.length
    }
    from = index + run.length
  }
  eachBetween(from, stretch.length)
}

/** The words of a run of letters without spaces, as far as a dictionary knows them. */
export function wordsByDictionary(run: string): string[] {
  dictionary ??= new Intl.Segmenter('en', { granularity: 'word' })
  return Array.from(dictionary.segment(run), ({ segment }) => segment)
}

/** Compatibility forms and accents undone; `ς` is a `σ` that happens to stand last. */
function fold(text: string): string {
  const bare = text.normalize('NFKD').toLowerCase().replace(ACCENTS, '').replaceAll('ς', 'σ')
  return bare.normalize('NFC') // Hangul and Indic scripts back in one piece
}

function withWholeVowels(text: string): string {
  return text.replace(SPLIT_VOWELS, (vowel) => (vowel[0] === '\u0e4d' ? '\u0e33' : '\u0eb3'))
}

// Lower to upper case, the last capital of several before a lower-case letter, letters to digits.
const BORDERS = /\p{Ll}(?=\p{Lu})|\p{Lu}(?=\p{Lu}\p{Ll})|\p{L}(?=\p{N})|\p{N}(?=\p{L})/gu

/**
 * The words of an address: `shop`, `red`, `shoes`, `2` for `https://www.shop.co.uk/redShoes2.html`.
 * Scheme, www, the registry's suffix, port and file extension say nothing and are left out.
 */
export function urlTokens(url: string): string[] {
  const host = hostOf(url)
  const labels = labelsBeforeSuffix(host).replace(/^www\d*(?:\.|$)/, '')
  const rest = host === '' ? url : url.slice(url.indexOf('//') + 2 + host.length)
  const [path, query = ''] = splitOnce(rest, '?')
  const words = `${labels} ${path.replace(/\.[a-z][a-z0-9]{0,4}$/i, '')} ${query}`
  return tokenize(unescaped(words).replace(BORDERS, '$& '))
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}

/** Escapes that make UTF-8 become their characters; others become spaces. */
function unescaped(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    const bytes = Uint8Array.from(escapes.slice(1).split('%'), (hex) => Number.parseInt(hex, 16))
    return utf8.decode(bytes).replaceAll('\ufffd', ' ')
  })
}
const utf8 = new TextDecoder()
