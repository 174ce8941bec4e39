import type { LinkWords } from '#frontier/link-words/link-words.ts'
import type { WordMatches } from '#frontier/link-words/match.ts'

/** URLs that something else finds for a query. */
type Finder = (query: number) => readonly number[]

/** What addresses and anchors say, and further URLs beside those that match by them. */
export function widerWords(words: LinkWords, find: Finder): LinkWords {
  const wider: Pick<LinkWords, 'matches' | 'measure'> = {
    matches: (query, rule, limits) => {
      const matching = words.matches(query, rule, limits)
      const known = new Set(matching.urls)
      const more = find(query).filter((url) => limits?.only?.[url] !== 0 && !known.has(url))
      return joined(matching, words.measure(query, Uint32Array.from(more).sort()))
    },
    measure: (query, urls) => words.measure(query, urls),
  }
  return wider as LinkWords // those who look for pairs ask for no more
}

function joined(one: WordMatches, other: WordMatches): WordMatches {
  const counts = (name: 'urls' | 'anchorHits') => Uint32Array.from([...one[name], ...other[name]])
  const shares = (name: Exclude<keyof WordMatches, 'urls' | 'anchorHits'>) =>
    Float32Array.from([...one[name], ...other[name]])
  return {
    urls: counts('urls'),
    coverage: shares('coverage'),
    ngramShare: shares('ngramShare'),
    urlCoverage: shares('urlCoverage'),
    bestAnchor: shares('bestAnchor'),
    meanAnchor: shares('meanAnchor'),
    closeness: shares('closeness'),
    anchorHits: counts('anchorHits'),
  }
}
