import type { PageClicks } from '#workload/workload.ts'

/** Clicks with URLs as numbers, to be asked about many sets of pages. */
interface ClickedPages {
  /** All clicks, also those on URLs that nobody knows. */
  readonly total: number
  /** How many of them went to the pages held. */
  utilityOf(isHeld: (url: number) => boolean): number
}

/**
 * Resolves the URLs of clicks once; `numberOf` gives undefined for a URL that nobody knows.
 *
 * @paper FetterlyCraswellVinay2009 §2.3 and §3.1
 */
export function prepareClicks(
  clicks: readonly PageClicks[],
  numberOf: (url: string) => number | undefined,
): ClickedPages {
  const known = clicks.flatMap((page) => {
    const url = numberOf(page.url)
    return url === undefined ? [] : [{ url, clicks: page.clicks }]
  })
  const urls = Uint32Array.from(known, ({ url }) => url)
  const counts = Float64Array.from(known, (page) => page.clicks)
  return {
    total: clicks.reduce((sum, page) => sum + page.clicks, 0),
    utilityOf(isHeld) {
      let sum = 0
      for (let i = 0; i < urls.length; i++) if (isHeld(urls[i])) sum += counts[i]
      return sum
    },
  }
}
