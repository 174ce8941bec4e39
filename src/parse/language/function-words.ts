import stopword from 'stopword'

/**
 * Letters beyond a to z that words of a language have, where several languages share an alphabet. Of Cyrillic and Arabic
 * only those that not all of their languages have.
 */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ ca: 'àçèéíïòóúü', cs: 'áčďéěíňóřšťúůýž', da: 'åæø', de: 'äöüß', es: 'áéíñóúü' },
  ...{ et: 'äõöüšž', eu: 'ñ', fi: 'äö', fr: 'àâæçèéêëîïôœùûü', ga: 'áéíóú', gl: 'áéíñóúü' },
  ...{ hr: 'ćčđšž', hu: 'áéíóöőúüű', it: 'àèéìòù', lt: 'ąčėęįšųūž', lv: 'āčēģīķļņšūž' },
  ...{ nl: 'ëïé', no: 'åæø', pl: 'ąćęłńóśźż', pt: 'àáâãçéêíóôõú', ro: 'ăâîșțşţ' },
  ...{ sk: 'áäčďéíĺľňóôŕšťúýž', sl: 'čšž', sv: 'åäö', tr: 'çğıöşü' },
  vi: 'àáâãèéêìíòóôõùúýăđĩũơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ',
  ...{ bg: 'ъщ', ru: 'ыэёщъ', sr: 'јљњџћђ', mk: 'јљњџѓќѕ', uk: 'іїєґщ' },
  ...{ ar: 'ةىيكأإؤ', fa: 'پچژگکی', ur: 'ٹڈڑںےہھگچپ', mr: 'ळ' },
}

/** Languages that letters speak for. */
const LETTERED_LANGUAGES: readonly string[] = Object.keys(LETTERS)

/** By letter, the languages that have it. */
const LANGUAGES_BY_LETTER: ReadonlyMap<string, readonly string[]> = byLetter()

function byLetter(): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [language, letters] of Object.entries(LETTERS))
    for (const letter of letters) found.set(letter, [...(found.get(letter) ?? []), language])
  return found
}

/** English words that hold sentences together and say nothing of their subject. */
const ENGLISH = `
  a about above after again against all also am an and any are as at be because been before being below
  between both but by can could did do does doing down during each few for from further had has have having
  he her here hers him his how i if in into is it its itself just me more most my no nor not now of off on
  once only or other our out over own s same she should so some such t than that the their theirs them then
  there these they this those through to too under until up us very was we were what when where which while
  who whom whose why will with would you your yours`

/** Languages of alphabets that several languages share, under the names of the lists of function words. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  ...{ ar: stopword.ara, bg: stopword.bul, ca: stopword.cat, cs: stopword.ces, da: stopword.dan },
  ...{ de: stopword.deu, en: ENGLISH.trim().split(/\s+/), es: stopword.spa, et: stopword.est },
  ...{ eu: stopword.eus, fa: stopword.fas, fi: stopword.fin, fr: stopword.fra, ga: stopword.gle },
  ...{ gl: stopword.glg, hi: stopword.hin, hr: stopword.hrv, hu: stopword.hun, id: stopword.ind },
  ...{ it: stopword.ita, lt: stopword.lit, lv: stopword.lav, mr: stopword.mar, ms: stopword.msa },
  ...{ nl: stopword.nld, no: stopword.nob, pl: stopword.pol, pt: stopword.por, ro: stopword.ron },
  ...{ ru: stopword.rus, sk: stopword.slk, sl: stopword.slv, sv: stopword.swe, sw: stopword.swa },
  ...{ tr: stopword.tur, uk: stopword.ukr, ur: stopword.urd, vi: stopword.vie },
}

/** Languages that are told apart by their function words and letters. */
export const VOTED_LANGUAGES: readonly string[] = [
  ...new Set([...Object.keys(LISTS), ...LETTERED_LANGUAGES]),
]

/** Of languages that their script tells, and so have no vote. */
const VOTELESS = { ja: stopword.jpn, th: stopword.tha, zh: stopword.zho }

const SETS = new Map(
  Object.entries({ ...LISTS, ...VOTELESS }).map(([language, words]) => [language, new Set(words)]),
)

/** Whether a word in lower case, with its accents, says nothing of a text's subject in a language. */
export function isFunctionWord(word: string, language = 'en'): boolean {
  return SETS.get(language)?.has(word) ?? false
}

/** What a function word or a letter says of the language of a text. */
interface Votes {
  /** Places in `VOTED_LANGUAGES`, and how much it speaks for each. */
  readonly languages: readonly number[]
  readonly weights: readonly number[]
}

/** Function words and telling letters, by number, with what each says: in few arrays, as every page asks for a hundred words. */
interface VotingWords {
  /** How many there are. */
  readonly count: number
  /** Votes of number n are those at starts[n] .. starts[n + 1]: places in `VOTED_LANGUAGES`, and how much it speaks for each. */
  readonly starts: Uint16Array
  readonly languages: Uint8Array
  readonly weights: Float64Array
  /** By code of a letter that not all languages have, its number. */
  readonly letters: ReadonlyMap<number, number>
  /** The number of the word with such a hash; -1 if it is none. */
  find(hash: number): number
}

export function hashedWith(hash: number, letter: number): number {
  return Math.imul(hash ^ letter, 0x5bd1e995) ^ (hash >>> 13)
}

/** Many texts look a little like some languages, and few are; of English it is the other way round. */
const PRIORS: Readonly<Record<string, number>> = { en: 1.15, ga: 0.6, gl: 0.85, ms: 0.85 }
/** Longer lists have words that are found in any text, so that each counts a little less. */
const LENGTH_EXPONENT = 0.15
/** A letter that one language alone has speaks for it nearly as much as a function word does. */
const LETTER_WEIGHT = 0.4

let known: VotingWords | undefined

/** The function words of all languages, in lower case. Words of many languages speak less for each of them. */
export function votingWords(): VotingWords {
  known ??= tableOf(countVotes())
  return known
}

function tableOf(byWord: ReadonlyMap<string, Votes>): VotingWords {
  const words = [...byWord.keys()]
  const letters = [...LANGUAGES_BY_LETTER.keys()]
  const votes = [...byWord.values(), ...letters.map(votesOfLetter)]
  const starts = new Uint16Array(votes.length + 1)
  for (const [i, { languages }] of votes.entries()) starts[i + 1] = starts[i] + languages.length
  const mask = (1 << Math.ceil(Math.log2(4 * words.length))) - 1
  const numbers = new Int16Array(mask + 1).fill(-1)
  // Words are told apart by their hashes alone: that another one has the hash of a function word is rare, and says little.
  const hashes = new Int32Array(mask + 1)
  const slotOf = (hash: number) => (hash ^ (hash >>> 15)) & mask
  for (const [number, word] of words.entries()) {
    let hash = 0
    for (let i = 0; i < word.length; i++) hash = hashedWith(hash, word.charCodeAt(i))
    let slot = slotOf(hash)
    while (numbers[slot] >= 0) slot = (slot + 1) & mask
    numbers[slot] = number
    hashes[slot] = hash
  }
  return {
    count: votes.length,
    starts,
    languages: Uint8Array.from(votes.flatMap(({ languages }) => [...languages])),
    weights: Float64Array.from(votes.flatMap(({ weights }) => [...weights])),
    letters: new Map(letters.map((letter, i) => [letter.charCodeAt(0), words.length + i])),
    find: (hash) => {
      for (let slot = slotOf(hash); numbers[slot] >= 0; slot = (slot + 1) & mask)
        if (hashes[slot] === hash) return numbers[slot]
      return -1
    },
  }
}

function votesOfLetter(letter: string): Votes {
  const languages = LANGUAGES_BY_LETTER.get(letter)!
  return {
    languages: languages.map((language) => VOTED_LANGUAGES.indexOf(language)),
    weights: languages.map(() => LETTER_WEIGHT / Math.sqrt(languages.length)),
  }
}

function countVotes(): Map<string, Votes> {
  const languagesOf = new Map<string, number[]>()
  VOTED_LANGUAGES.forEach((language, number) => {
    for (const word of SETS.get(language) ?? []) {
      if (/^[a-z]$/.test(word)) continue // names of variables and versions as often
      const known = languagesOf.get(word.toLowerCase())
      if (known) known.push(number)
      else languagesOf.set(word.toLowerCase(), [number])
    }
  })
  const weightOf = (number: number, count: number) => {
    const language = VOTED_LANGUAGES[number]
    const { size } = SETS.get(language)!
    return (PRIORS[language] ?? 1) / (Math.sqrt(count) * size ** LENGTH_EXPONENT)
  }
  return new Map(
    Array.from(languagesOf, ([word, languages]) => {
      const weights = languages.map((language) => weightOf(language, languages.length))
      return [word, { languages, weights }]
    }),
  )
}
