/** When the texts of a URL match a query. */
export interface MatchRule {
  /** What is counted: the query's n-grams alike, or its content words by how rare they are. */
  readonly counts: 'ngrams' | 'words'
  /** The share of them that must be found, 0 to 1; at 0 still one. */
  readonly share: number
}

/**
 * The paper's rule: a share ρ of the query's word n-grams must be found, in whichever of the URL's texts.
 *
 * @paper PandeyOlston2008 §5.3 — ρ = 1 as in its experiments; a match has at least one n-gram.
 */
export function matchesByNgrams(share = 1): MatchRule {
  return { counts: 'ngrams', share }
}

/**
 * Our rule: words found must carry this share of the idf weight of those query words that any
 * text has. Questions contain words that no anchor has.
 */
export function matchesByCoverage(share = 0.5): MatchRule {
  return { counts: 'words', share }
}

/** One of the things a rule counts. */
export interface CountedGram {
  readonly gram: number
  readonly weight: number
  /** Texts that hold it: what it costs to look at them all. */
  readonly texts: number
}

/** What must be found at least; just below the share, so that sums in another order do not fail it. */
export function neededWeight(counted: readonly CountedGram[], share: number): number {
  const total = counted.reduce((sum, { weight }) => sum + weight, 0)
  return Math.max((share - 1e-9) * total, Number.MIN_VALUE)
}

/**
 * Essential n-grams: every match has at least one of them. They are the rarest that suffice, so
 * that the others together do not reach the needed weight. A URL that holds only "home" is never
 * looked at for "home brewing".
 */
export function essentialGrams(counted: readonly CountedGram[], needed: number): number[] {
  const commonFirst = counted.toSorted((a, b) => b.texts - a.texts || a.gram - b.gram)
  let left = 0
  let skipped = 0
  for (const { weight } of commonFirst) {
    if (left + weight >= needed) break
    left += weight
    skipped++
  }
  return commonFirst.slice(skipped).map(({ gram }) => gram)
}
