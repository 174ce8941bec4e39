import type { Csr } from '#numeric/csr.ts'
import type { Judgment } from '#workload/workload.ts'

/** The grade from which on a page is good: 2 of 4. */
const GOOD_GRADE = 2

/** The numbers of pages that somebody judged good or better for any query, ascending, each once. */
export function goodPages(
  judgments: readonly Judgment[],
  numberOf: (url: string) => number | undefined,
): Uint32Array {
  const good = new Set<number>()
  for (const { url, grade } of judgments) {
    const number = grade >= GOOD_GRADE ? numberOf(url) : undefined
    if (number !== undefined) good.add(number)
  }
  return Uint32Array.from(good).sort()
}

/**
 * The pages of a corpus that link to a good page, in the order given: a crawl that holds them can find
 * good pages by their links. The good page need not be held, and a page does not help itself.
 *
 * @paper FetterlyCraswellVinay2009 §3.4
 */
export function helpfulPages(links: Csr, corpus: Uint32Array, good: Uint32Array): Uint32Array {
  const { offsets, targets } = links
  const isGood = new Uint8Array(good.reduce((urls, url) => Math.max(urls, url + 1), 0))
  for (const url of good) isGood[url] = 1
  return corpus.filter((page) => {
    for (let edge = offsets[page]; edge < offsets[page + 1]; edge++)
      if (isGood[targets[edge]] === 1 && targets[edge] !== page) return true
    return false
  })
}
