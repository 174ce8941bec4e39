import { conjunctive, type Scoring } from './scoring.ts'

/**
 * The number of pages that link to a page, if it has every word.
 *
 * @paper PandeyOlston2005 §6.1.3
 */
export function inLinkCount(inLinks: Uint32Array): Scoring {
  let most = 0
  for (const count of inLinks) most = Math.max(most, count)
  return {
    // Every term earns the same share, so that all of them together earn 1.
    weight: (_pagesWithTerm, _statistics, termCount) => 1 / termCount,
    part: (weight) => weight,
    bound: (weight) => weight,
    coverage: conjunctive,
    prior: { of: (url) => inLinks[url] ?? 0, most },
  }
}
