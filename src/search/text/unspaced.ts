import { isFunctionWord } from '#parse/language/function-words.ts'
import { isIdeograph, wordsByDictionary } from '#parse/text/tokens.ts'

// Scripts that part words by no spaces (ideographs), or not from their endings (Hangul): they are read in pairs.

const HANGUL = /[\uac00-\ud7af]/
/** Endings stand at names in other letters too, as in `debian을`. */
const HANGUL_OR_NOT = /[\uac00-\ud7af]+|[^\uac00-\ud7af]+/g

/** Whether a word has Hangul, of which every pair of syllables is a term. */
export function hasHangul(word: string): boolean {
  return HANGUL.test(word)
}

/** The terms of a text's words: each ideograph, also in a pair with the next one, and Hangul in pairs. */
export function withPairs(words: readonly string[]): string[] {
  return words.flatMap((word, i) => {
    if (hasHangul(word)) return hangulTerms(word)
    const next = words[i + 1] ?? ''
    return isIdeograph(word) && isIdeograph(next) ? [word, word + next] : [word]
  })
}

/**
 * The terms that a query's words are looked for by. A dictionary tells which ideographs are a word: pairs across two
 * words are rare, so that they would count for more than the words themselves.
 */
export function queryTermsOf(words: readonly string[]): string[] {
  const terms: string[] = []
  for (let from = 0; from < words.length; ) {
    let to = from
    while (to < words.length && isIdeograph(words[to])) to++
    if (to > from) terms.push(...ideographTerms(words.slice(from, to).join('')))
    else terms.push(...(hasHangul(words[to]) ? hangulTerms(words[to]) : [words[to]]))
    from = Math.max(to, from + 1)
  }
  return terms
}

/** Pairs within words; function words only if there is nothing else. */
function ideographTerms(run: string): string[] {
  const words = wordsByDictionary(run).map((word) => [...word])
  const isTelling = (word: readonly string[]) =>
    !['ja', 'zh'].some((language) => isFunctionWord(word.join(''), language))
  const telling = words.some(isTelling) ? isTelling : () => true
  const isLone = (word?: readonly string[]) => word?.length === 1 && telling(word)
  return words.flatMap((word, i) => {
    if (!telling(word)) return []
    if (word.length > 1) return pairsOf(word)
    // Names are unknown to dictionaries: what is left over stands together too.
    if (isLone(words[i + 1])) return [word[0] + words[i + 1][0]]
    return isLone(words[i - 1]) ? [] : word
  })
}

function hangulTerms(word: string): string[] {
  return (word.match(HANGUL_OR_NOT) ?? []).flatMap((part) =>
    hasHangul(part) ? pairsOf([...part]) : [part],
  )
}

/** Each character with the next one; one alone as it is. */
function pairsOf(characters: readonly string[]): readonly string[] {
  if (characters.length === 1) return characters
  return characters.slice(1).map((character, i) => characters[i] + character)
}
