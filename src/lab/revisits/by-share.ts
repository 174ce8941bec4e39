import { AddressSigns } from '#learn/yields/address-signs.ts'
import { firstShares, type SignWeights } from '#learn/yields/hub-signs.ts'
import { type ExpectedNews, ShareBook } from '#learn/yields/share-book.ts'
import { pageSigns } from './page-signs.ts'
import { best, DAYS_A_SNAPSHOT, type RevisitingWay } from './revisiting.ts'

interface ShareOptions {
  /** How far signs are believed; as fitted on all recorded sites if left out. */
  readonly weights?: SignWeights
  readonly optimism?: number
  /** Told of every revisit: the links expected, and those found. */
  readonly watch?: (expected: number, found: number) => void
}

/** By the links that revisits are expected to show: shares of what is new on a site, learnt from these very revisits. */
export function byShare({ weights, optimism, watch }: ShareOptions = {}): RevisitingWay {
  return (crawler) => {
    const { site, foundAt, inLinks, children } = crawler
    const book = new ShareBook({ optimism })
    const addresses = new AddressSigns()
    const add = (page: number) => {
      book.add(page, foundAt[page] * DAYS_A_SNAPSHOT, site.siteOf[page])
      addresses.add(page, site.urlOf(page))
    }
    const expected = new Float64Array(site.pages)
    const expectedAt = (snapshot: number, pages: Uint32Array): ExpectedNews => {
      const signs = pageSigns(site, pages, { inLinks, children, addresses })
      return book.expectations(snapshot * DAYS_A_SNAPSHOT, pages, firstShares(signs, weights))
    }
    crawler.known().forEach(add)
    return {
      choose: (snapshot, budget) => {
        const { pages, links } = expectedAt(snapshot, crawler.known())
        for (let i = 0; i < pages.length; i++) expected[pages[i]] = links[i]
        return best(pages, budget, (page) => expected[page])
      },
      learn: (snapshot, page, seen) => {
        watch?.(expected[page], seen?.found.length ?? 0)
        if (seen === undefined) {
          book.remove(page)
          addresses.remove(page, site.urlOf(page))
          return
        }
        seen.found.forEach(add)
        book.record({ page, time: snapshot * DAYS_A_SNAPSHOT, novel: seen.found.length })
      },
    }
  }
}
