/**
 * A policy of your own that looks at addresses: copies of pages in news sections are fetched again first.
 *
 *   forager crawl https://example.org/ --policy-file examples/news-sections-first.ts
 *   forager plan --policy-file examples/news-sections-first.ts
 *   forager lab run refresh --archive modelweb --protocols online --policy-file examples/news-sections-first.ts
 *
 * It bids for copies (`task: 'refresh'`), so half of the budget goes to new pages by `impact`. Other shares, and other
 * bidders beside it, are told by a split:
 *
 *   forager crawl … --policy-file examples/news-sections-first.ts --policy split:30/70/0:bfs,news-sections-first,none
 *
 * A bidder reads facts and makes bids. It holds no state, does no I/O and asks no clock. `needs` names the facts that it
 * reads; docs/how-to/write-your-own-policy.md lists them all.
 */
import { defineBidder } from 'forager'

/** What addresses of news sections look like; change it to what your sites do. */
const NEWS = /\/(news|blog|press|aktuell|noticias|articles?)(\/|$)|\/20\d\d\/[01]?\d\//
/** A copy in a news section counts as if it were so many times as old. */
const NEWS_AGE = 10

export default defineBidder({
  name: 'news-sections-first',
  summary: 'copies in news sections first, the oldest of them before all',
  task: 'refresh',
  needs: ['pages', 'ages', 'addresses'],
  bids: ({ pages, ages, addresses }) => {
    const isNews = (i: number) => NEWS.test(addresses.of(pages[i]))
    return {
      urls: pages,
      gains: ages.map((age, i) => Math.max(0, age) * (isNews(i) ? NEWS_AGE : 1)),
      why: (i) =>
        `${isNews(i) ? 'in a news section' : 'elsewhere'}, ${(ages[i] / 86_400).toFixed(1)} days old`,
    }
  },
})
