import { stemmer as arabic } from '@orama/stemmers/arabic'
import { stemmer as bulgarian } from '@orama/stemmers/bulgarian'
import { stemmer as danish } from '@orama/stemmers/danish'
import { stemmer as dutch } from '@orama/stemmers/dutch'
import { stemmer as finnish } from '@orama/stemmers/finnish'
import { stemmer as french } from '@orama/stemmers/french'
import { stemmer as german } from '@orama/stemmers/german'
import { stemmer as greek } from '@orama/stemmers/greek'
import { stemmer as hungarian } from '@orama/stemmers/hungarian'
import { stemmer as indonesian } from '@orama/stemmers/indonesian'
import { stemmer as italian } from '@orama/stemmers/italian'
import { stemmer as lithuanian } from '@orama/stemmers/lithuanian'
import { stemmer as norwegian } from '@orama/stemmers/norwegian'
import { stemmer as portuguese } from '@orama/stemmers/portuguese'
import { stemmer as romanian } from '@orama/stemmers/romanian'
import { stemmer as russian } from '@orama/stemmers/russian'
import { stemmer as spanish } from '@orama/stemmers/spanish'
import { stemmer as swedish } from '@orama/stemmers/swedish'
import { stemmer as tamil } from '@orama/stemmers/tamil'
import { stemmer as turkish } from '@orama/stemmers/turkish'
import { stemmer as ukrainian } from '@orama/stemmers/ukrainian'

/** A word in lower case, with its accents, without its ending. */
type Stem = (word: string) => string

/** By language; English has rules of its own (`stem.ts`), and so counts as none here. */
export const STEMMERS: ReadonlyMap<string, Stem> = new Map<string, Stem>([
  ...([
    ['ar', arabic],
    ['bg', unlessItFails(bulgarian)],
    ['da', danish],
    ['de', german],
    ['el', greek],
  ] as const),
  ...([
    ['es', spanish],
    ['fi', finnish],
    ['fr', french],
    ['hu', hungarian],
  ] as const),
  ...([
    ['id', indonesian],
    ['it', italian],
    ['lt', lithuanian],
    ['nl', dutch],
  ] as const),
  ...([
    ['no', norwegian],
    ['pt', portuguese],
    ['ro', romanian],
    ['ru', russian],
  ] as const),
  ...([
    ['sv', swedish],
    ['ta', tamil],
    ['tr', turkish],
    ['uk', ukrainian],
  ] as const),
])

/** The rules for Bulgarian write into the word where a letter changes, which throws: such words keep their ending. */
function unlessItFails(stemmer: Stem): Stem {
  return (word) => {
    try {
      return stemmer(word)
    } catch {
      return word
    }
  }
}

/** Languages whose words stay as they are: nobody keeps a stemmer for them, or they have no endings. */
export const UNSTEMMED: ReadonlySet<string> = new Set(
  'ca cs et eu fa ga gl he hi hr hy ja ka km ko lo lv mr ms my pl sk sl sw th ur vi zh'.split(' '),
)

/**
 * An English word without its plural and verb endings: cats → cat, ponies → pony, running → run,
 * hoped → hope. Far milder than Porter's rules, which also cut derivations (general, generation,
 * generous) to one stump: plurals and tenses are what queries and pages differ in.
 */
export function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word
  return withoutVerbEnding(withoutPlural(word))
}

function withoutPlural(word: string): string {
  if (!word.endsWith('s') || /(ss|us|is)$/.test(word)) return word
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(ch|sh|ss|x|zz)es$/.test(word)) return word.slice(0, -2)
  return word.slice(0, -1)
}

function withoutVerbEnding(word: string): string {
  const ending = word.endsWith('ing') ? 'ing' : word.endsWith('ed') ? 'ed' : ''
  if (ending === '') return word
  const rest = word.slice(0, -ending.length)
  if (rest.length < 3 || !/[aeiouy]/.test(rest)) return word
  const last = rest[rest.length - 1]
  const isDoubled = last === rest[rest.length - 2]
  if (isDoubled) return /[lsz]/.test(last) ? rest : rest.slice(0, -1)
  if (ending === 'ed' && last === 'i') return `${rest.slice(0, -1)}y`
  // hoping, hoped → hope, but walking, walked → walk; a short word with one vowel lost an e.
  return /[^aeiou][aeiouy][^aeiouywx]$/.test(rest) && rest.length <= 3 ? `${rest}e` : rest
}
