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
  const byUrl = new Float64Array(frontier.size)
  for (let i = 0; i < held.length; i++) byUrl[held[i]] = guesses[i]
  return shares.expectations(
    time,
    pages,
    Float64Array.from(pages, (page) => byUrl[page]),
  )
}
