import type { Frontier } from '#frontier/frontier.ts'
import { NOBODY } from '#frontier/urls/url-states.ts'
import type { AddressSigns } from './address-signs.ts'
import { firstShares } from './hub-signs.ts'
import type { ExpectedNews, ShareBook } from './share-book.ts'

/** What fetches of pages taught of where new links appear. */
interface NewsHistory {
  readonly shares: ShareBook
  readonly addresses: AddressSigns
}

/** What revisits of some of the pages held would show now; `time` is in days. */
export function expectedNews(
  { shares, addresses }: NewsHistory,
  frontier: Frontier,
  time: number,
  pages: Uint32Array,
): ExpectedNews {
  const held = shares.pages()
  const domains = frontier.urls.domains()
  const finders = frontier.discoveries.finders()
  const children = new Uint32Array(frontier.size)
  for (let i = 0; i < held.length; i++) {
    const finder = finders[held[i]]
    if (finder !== NOBODY) children[finder]++
  }
  const guesses = firstShares({
    sites: Uint32Array.from(held, (page) => domains[page]),
    inLinks: Uint32Array.from(held, (page) => frontier.inLinksOf(page)),
    children: Uint32Array.from(held, (page) => children[page]),
    ...addresses.of(held),
  })
  const news = shares.expectations(time, held, guesses)
  const placeOf = new Uint32Array(frontier.size)
  for (let i = 0; i < held.length; i++) placeOf[held[i]] = i + 1
  const [links, days] = [new Float64Array(pages.length), new Float32Array(pages.length)]
  for (let i = 0; i < pages.length; i++) {
    const place = placeOf[pages[i]] - 1
    if (place < 0) continue
    links[i] = news.links[place]
    days[i] = news.days[place]
  }
  return { pages, links, days }
}
