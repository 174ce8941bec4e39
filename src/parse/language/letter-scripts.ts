/** Alphabets, and the language of each that only one language of the web is written in. */
const RANGES: readonly (readonly [from: number, to: number, script: string])[] = [
  [0x41, 0x24f, 'latin'],
  [0x370, 0x3ff, 'el'],
  [0x400, 0x52f, 'cyrillic'],
  [0x530, 0x58f, 'hy'],
  [0x590, 0x5ff, 'he'],
  [0x600, 0x77f, 'arabic'],
  [0x900, 0x97f, 'devanagari'],
  [0x980, 0x9ff, 'bn'],
  [0xa00, 0xa7f, 'pa'],
  [0xa80, 0xaff, 'gu'],
  [0xb80, 0xbff, 'ta'],
  [0xc00, 0xc7f, 'te'],
  [0xc80, 0xcff, 'kn'],
  [0xd00, 0xd7f, 'ml'],
  [0xd80, 0xdff, 'si'],
  [0xe00, 0xe7f, 'th'],
  [0xe80, 0xeff, 'lo'],
  [0x1000, 0x109f, 'my'],
  [0x10a0, 0x10ff, 'ka'],
  [0x1200, 0x137f, 'am'],
  [0x1780, 0x17ff, 'km'],
  [0x1e00, 0x1eff, 'latin'],
  [0x1f00, 0x1fff, 'el'],
  [0x3040, 0x30ff, 'kana'],
  [0x3400, 0x9fff, 'han'],
  [0xac00, 0xd7af, 'ko'],
]
const SCRIPTS = [...new Set(RANGES.map(([, , script]) => script))]
/** By code / 16, the number of the script there, plus 1; 0 for none. */
const SCRIPT_AT = new Uint8Array(0x1000)
for (const [from, to, script] of RANGES)
  for (let row = from >> 4; row <= to >> 4; row++) SCRIPT_AT[row] = SCRIPTS.indexOf(script) + 1

/** Languages that their script tells. */
export const SCRIPT_LANGUAGES: readonly string[] = [
  ...SCRIPTS.filter((script) => script.length === 2),
  ...['ja', 'zh'],
]

const [LATIN, HAN, KANA] = ['latin', 'han', 'kana'].map((script) => SCRIPTS.indexOf(script))
/** So many characters of a text are looked at, at most. */
const LOOKS = 400
/** A character of these says as much as so many letters. */
const LETTERS_PER_IDEOGRAPH = 3
/** Commands and names in Latin letters stand among words of every script, and seldom the other way round. */
const OTHER_SCRIPTS_WEIGHT = 2
/** Japanese mixes both; a Chinese text may quote a word of it. */
const KANA_SHARE = 0.1

// One for all texts, of which one is read at a time.
const counts = new Float64Array(SCRIPTS.length)

/**
 * The script that most of a text is written in; where that settles the language, the language. It is looked at all over,
 * as parts may be in another. Undefined where there are no letters.
 */
export function mainScript(text: string): string | undefined {
  counts.fill(0)
  const step = Math.ceil(text.length / LOOKS) || 1
  let ascii = 0
  for (let place = 0; place < text.length; place += step) {
    const code = text.charCodeAt(place)
    if (code < 128) {
      const lower = code | 32
      if (lower >= 0x61 && lower <= 0x7a) ascii++
      continue
    }
    const script = SCRIPT_AT[code >> 4]
    if (script > 0) counts[script - 1]++
  }
  counts[LATIN] = (counts[LATIN] + ascii) / OTHER_SCRIPTS_WEIGHT
  counts[HAN] *= LETTERS_PER_IDEOGRAPH
  counts[KANA] *= LETTERS_PER_IDEOGRAPH
  const ideographs = counts[HAN] + counts[KANA]
  const isJapanese = counts[KANA] > KANA_SHARE * ideographs
  counts[KANA] = isJapanese ? ideographs : 0
  counts[HAN] = isJapanese ? 0 : ideographs
  const most = counts.reduce((best, count, script) => (count > counts[best] ? script : best), LATIN)
  if (counts[most] === 0) return undefined
  if (most === KANA) return 'ja'
  return most === HAN ? 'zh' : SCRIPTS[most]
}
