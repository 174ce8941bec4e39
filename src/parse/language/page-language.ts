import type { ParsedPage } from '../page/page.ts'
import { letterOf } from '../text/word-letters.ts'
import { functionWordVotes, VOTED_LANGUAGES, type Votes } from './function-words.ts'
import { mainScript, SCRIPT_LANGUAGES } from './letter-scripts.ts'

/** So much of a text is looked at. */
const SAMPLE_CHARS = 1_500
/** Longer lines are sentences; menus may be in another language. */
const PROSE_CHARS = 80
const LEAST_PROSE_CHARS = 300
/** With fewer words nobody can tell. */
const LEAST_WORDS = 12
/** So much a word of a text must speak for its language: of running text a third are function words. */
const LEAST_VOTE = 0.045
/** So many different function words at least: one may mean something else here. */
const LEAST_DIFFERENT = 4
/** A declared language that has this share of the votes of the best one is believed: some differ in few words. */
const BELIEVED_SHARE = 0.75
const SHARED_SCRIPTS = new Set(['latin', 'cyrillic', 'arabic', 'devanagari'])
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
  const sample = sampleOf(text)
  const script = mainScript(sample)
  if (script === undefined) return declared
  const said = declared === undefined ? undefined : primaryLanguage(declared)
  if (!SHARED_SCRIPTS.has(script)) {
    const isLong = sample.length >= LEAST_WORDS
    return said === script || !isLong ? (declared ?? script) : script
  }
  const votes = countVotes(sample)
  if (!votes) return declared
  const best = votes.indexOf(Math.max(...votes))
  if (said === undefined) return VOTED_LANGUAGES[best]
  const place = VOTED_LANGUAGES.indexOf(said)
  const isBelieved = place < 0 || votes[place] >= BELIEVED_SHARE * votes[best]
  return isBelieved ? declared : VOTED_LANGUAGES[best]
}

/** What a page declares is often what its template does: its words decide. */
export function withLanguage(page: ParsedPage): ParsedPage {
  const { language: declared, ...others } = page
  const language = pageLanguage(page.text, declared)
  return {
    ...others,
    ...(language !== undefined && { language }),
    ...(declared !== undefined && declared !== language && { declaredLanguage: declared }),
  }
}

/** Sentences, if there are enough of them. */
function sampleOf(text: string): string {
  let prose = ''
  for (let start = 0; start < text.length && prose.length < SAMPLE_CHARS; ) {
    const next = text.indexOf('\n', start)
    const end = next < 0 ? text.length : next
    if (end - start >= PROSE_CHARS)
      prose += `${text.slice(start, Math.min(end, start + SAMPLE_CHARS))}\n`
    start = end + 1
  }
  return (prose.length >= LEAST_PROSE_CHARS ? prose : text).slice(0, SAMPLE_CHARS)
}

/** How much a text's words speak for each language; undefined if they are too few or too strange. */
function countVotes(sample: string): Float64Array | undefined {
  const votesOf = functionWordVotes()
  const votes = new Float64Array(VOTED_LANGUAGES.length)
  const text = sample.toLowerCase()
  const different = VOTED_LANGUAGES.map(() => new Set<Votes>())
  let words = 0
  for (let at = 0; at < text.length; at++) {
    const start = at
    while (at < text.length && isLetter(text.charCodeAt(at))) at++
    if (at === start) continue
    words++
    const vote = votesOf.get(text.slice(start, at))
    if (!vote) continue
    const { languages, weights } = vote
    for (let i = 0; i < languages.length; i++) {
      votes[languages[i]] += weights[i]
      different[languages[i]].add(vote)
    }
  }
  const best = votes.indexOf(Math.max(...votes))
  const isMany = words >= LEAST_WORDS && different[best].size >= LEAST_DIFFERENT
  return isMany && votes[best] >= LEAST_VOTE * words ? votes : undefined
}

function isLetter(code: number): boolean {
  if (code < 128) return code >= 0x61 && code <= 0x7a // in lower case
  return letterOf(code) !== 0
}
