import { boundOf } from '#numeric/bound-of.ts'
import { hash32 } from '#numeric/hash.ts'
import { seededRandom } from '#numeric/random.ts'
import { urlPattern } from '#parse/url/url-pattern.ts'
import { planRevisits } from '../covers/revisit-plan.ts'
import { YieldBook } from '../yields/yield-book.ts'
import { stepsOf, yieldGroups } from '../yields/yield-groups.ts'
import type { DiscoverySite } from './discovery-site.ts'
import { DAYS_A_SNAPSHOT, type RevisitingWay } from './revisiting.ts'

/** By expected yield, learnt from these very revisits; `seed` makes it sample its rates. */
export function byYield({ seed }: { seed?: number } = {}): RevisitingWay {
  return (crawler) => {
    const { site, depths, foundAt } = crawler
    const book = new YieldBook(seed === undefined ? {} : { random: seededRandom(seed) })
    const linked = crawler.inLinks.slice()
    const sitePages = pagesAtStart(site)
    const add = (page: number) => {
      const url = site.urlOf(page)
      const groups = yieldGroups({
        form: 'page',
        site: site.siteOf[page],
        depth: depths[page],
        links: linked[page],
        steps: stepsOf(url),
        pattern: hash32(urlPattern(url)),
        sitePages: sitePages[site.siteOf[page]],
      })
      book.add(page, foundAt[page] * DAYS_A_SNAPSHOT, groups)
    }
    crawler.known().forEach(add)
    return {
      choose: (snapshot, budget) => {
        const expectations = book.expectations(snapshot * DAYS_A_SNAPSHOT, book.pages())
        return planRevisits(expectations, budget).pages
      },
      learn: (snapshot, page, seen) => {
        if (seen === undefined) {
          book.remove(page)
          return
        }
        seen.found.forEach(add)
        const novel = seen.found.length
        book.record({ ...seen, novel, time: snapshot * DAYS_A_SNAPSHOT })
      },
    }
  }
}

/** By site: pages of the first snapshot. */
function pagesAtStart({ siteOf, versionsAt }: DiscoverySite): Uint32Array {
  const counts = new Uint32Array(boundOf(siteOf))
  for (const [page, version] of versionsAt[0].entries()) if (version >= 0) counts[siteOf[page]]++
  return counts
}
