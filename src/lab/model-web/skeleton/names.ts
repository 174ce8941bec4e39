import type { Random } from '#numeric/random.ts'

const ONSETS = 'b c d f g h j k l m n p r s t v w z br ch cl dr fl gr pl pr sh sl st th tr'.split(
  ' ',
)
const VOWELS = 'a e i o u a e i o ai ea io ou'.split(' ')
const CODAS = ['', '', '', '', 'n', 'r', 'l', 's', 't', 'm', 'nd', 'rk', 'st', 'x']

/** A pronounceable word that means nothing. */
function inventWord(random: Random, syllables: number): string {
  let word = ''
  for (let syllable = 0; syllable < syllables; syllable++)
    word += random.pick(ONSETS) + random.pick(VOWELS)
  return word + random.pick(CODAS)
}

/** That many different invented words, none of them in `taken`; short ones are commoner at first. */
export function inventWords(random: Random, count: number, taken: ReadonlySet<string>): string[] {
  const seen = new Set(taken)
  const words: string[] = []
  while (words.length < count) {
    const longer = words.length > 300 ? 1 : 0
    const word = inventWord(random, 1 + longer + (random.chance(0.45) ? 1 : 0))
    if (word.length < 3 || seen.has(word)) continue
    seen.add(word)
    words.push(word)
  }
  return words
}

/** Suffixes under which everybody gets a single small site. */
const PRIVATE_SUFFIXES = ['github.io', 'blogspot.com', 'netlify.app']
export const isPrivate = (domainName: string): boolean =>
  PRIVATE_SUFFIXES.some((suffix) => domainName.endsWith(`.${suffix}`))

/** Real public suffixes with their relative frequency, two-level and private ones among them. */
const SUFFIXES: readonly (readonly [suffix: string, weight: number])[] = [
  ['com', 40],
  ['org', 14],
  ['net', 8],
  ['de', 6],
  ['info', 4],
  ['co.uk', 5],
  ['nl', 3],
  ['fr', 3],
  ['com.au', 3],
  ['edu', 2],
  ['ac.uk', 1],
  ['co.jp', 1],
  ['github.io', 4],
  ['blogspot.com', 3],
  ['netlify.app', 1],
]
const SUFFIX_TOTAL = SUFFIXES.reduce((sum, [, weight]) => sum + weight, 0)

/** The same name under a suffix that may have any number of hosts. */
export const asPublic = (domainName: string): string =>
  isPrivate(domainName) ? `${domainName.split('.')[0]}.com` : domainName

/**
 * Registrable names that nobody will take for real ones: `kavurel-model.co.uk`. They need real
 * suffixes, for registrable domains are found by the public suffix list.
 */
export function inventDomainNames(random: Random, count: number): string[] {
  const words = inventWords(random, count, new Set())
  return words.map((word) => `${word}-model.${drawSuffix(random)}`)
}

function drawSuffix(random: Random): string {
  let left = random.next() * SUFFIX_TOTAL
  for (const [suffix, weight] of SUFFIXES) {
    left -= weight
    if (left < 0) return suffix
  }
  return 'com'
}

export const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)
