/** What became of a URL: kept throughout, come to stay, gone for good, or come and gone. */
export type Presence = 'stable' | 'new' | 'lost' | 'churn'

interface PresenceCounts {
  /** URLs by code, as in '011': absent from the first corpus, held by the next two. All codes are there. */
  readonly codes: Readonly<Record<string, number>>
  readonly groups: Readonly<Record<Presence, number>>
}

const MOST_CORPORA = 16

/**
 * In which of successive corpora URLs were held, counted by code and by what that means. Each corpus
 * names a URL at most once; with `counts` only some URLs are looked at, say those judged good.
 *
 * @paper FetterlyCraswellVinay2009 §3.4 — for any number of corpora, not only three.
 */
export function presenceCodes(
  corpora: readonly Uint32Array[],
  counts: (url: number) => boolean = () => true,
): PresenceCounts {
  const size = corpora.length
  if (size > MOST_CORPORA) throw new Error(`codes of ${size} bits would be too many to count`)
  const urlCounts = countsByBits(corpora, counts)
  const codes: Record<string, number> = {}
  const groups = { stable: 0, new: 0, lost: 0, churn: 0 }
  for (let bits = urlCounts.length - 1; bits >= 1; bits--) {
    const code = bits.toString(2).padStart(size, '0')
    codes[code] = urlCounts[bits]
    groups[presenceOf(code)] += urlCounts[bits]
  }
  return { codes, groups }
}

/** What a code with at least one 1 says of a URL. */
export function presenceOf(code: string): Presence {
  if (/^1+$/.test(code)) return 'stable'
  if (/^0+1+$/.test(code)) return 'new'
  if (/^1+0+$/.test(code)) return 'lost'
  return 'churn'
}

/** How many URLs have each pattern of bits, the first corpus being the highest bit. */
function countsByBits(
  corpora: readonly Uint32Array[],
  counts: (url: number) => boolean,
): Uint32Array {
  let urls = 0
  for (const corpus of corpora) for (const url of corpus) urls = Math.max(urls, url + 1)
  const bitsOfUrl = new Uint16Array(urls)
  for (const [place, corpus] of corpora.entries()) {
    const bit = 1 << (corpora.length - 1 - place)
    for (const url of corpus) bitsOfUrl[url] |= bit
  }
  const urlCounts = new Uint32Array(2 ** corpora.length)
  for (let url = 0; url < urls; url++)
    if (bitsOfUrl[url] > 0 && counts(url)) urlCounts[bitsOfUrl[url]]++
  return urlCounts
}
