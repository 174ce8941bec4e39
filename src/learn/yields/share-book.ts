import type { Frontier } from '#frontier/frontier.ts'
import { NOBODY } from '#frontier/urls/url-states.ts'
import { GrowingColumn } from '#numeric/grow.ts'
import type { AddressSigns } from './address-signs.ts'
import { firstShares } from './hub-signs.ts'
import { HALF_LIFE_DAYS, SiteNews } from './site-news.ts'

/** What a fetch of a known page brought. */
interface Revisit {
  readonly page: number
  /** In days. */
  readonly time: number
  /** Links nobody had shown before this fetch did. */
  readonly novel: number
}

/** What revisits are expected to lead to; columns by place in `pages`. */
export interface ExpectedNews {
  readonly pages: Uint32Array
  /** New links that the page would be the first to show. */
  readonly links: Float64Array
  /** Days since the last visit: these links have waited half of it on average. */
  readonly days: Float32Array
}

/** What is expected at first sight counts as much as so many batches of the site. */
const TRUST = 4
/** What is expected at first sight is so many times what comes on average, so that pages are tried before they are judged. */
const OPTIMISM = 2
/** While nothing new is found anywhere, a day of silence counts against a page as so many batches that others found. */
const SILENT_BATCHES_PER_DAY = 0.1 / 7

/** What is kept of a page, one number after another: a visit touches one place of memory, not five. */
const [SITE, LAST_VISIT, SITE_BATCHES, FOUND, WATCHED, FIELDS] = [0, 1, 2, 3, 4, 5]

/**
 * The share of what is new on its site that each page was the first to show, and what a revisit is expected to show
 * now. It is a share and no rate: a silent visit says little about a page while its whole site is silent.
 *
 * FOUND are batches that revisits of the page were the first to show, of WATCHED that were found anywhere on its site
 * between its visits; both fade. SITE is 1 + the number of its site, 0 for a page that is not held.
 */
export class ShareBook {
  readonly #news = new SiteNews()
  readonly #optimism: number
  /** By page: its row. Row 0 is all zeros: it stands for pages never fetched. */
  readonly #rowOf = new GrowingColumn(Uint32Array)
  readonly #rows = new GrowingColumn(Float64Array)

  constructor({ optimism = OPTIMISM } = {}) {
    this.#optimism = optimism
    this.#rows.lengthen(FIELDS)
  }

  /** A page of a site was fetched for the first time, on this day. */
  add(page: number, time: number, site: number): void {
    this.#news.begin(site, time)
    this.#rowOf.lengthen(page + 1)
    if (this.#rowOf.at(page) === 0) {
      this.#rowOf.set(page, this.#rows.length / FIELDS)
      this.#rows.lengthen(this.#rows.length + FIELDS)
    }
    const [rows, row] = [this.#rows.view(), this.#at(page)]
    rows.fill(0, row, row + FIELDS)
    rows[row + SITE] = site + 1
    rows[row + LAST_VISIT] = time
    rows[row + SITE_BATCHES] = this.#news.batches(site)
  }

  /** A page is gone and will lead nowhere. */
  remove(page: number): void {
    if (this.holds(page)) this.#rows.set(this.#at(page) + SITE, 0)
  }

  /** Whether the page was fetched and is not gone. */
  holds(page: number): boolean {
    return this.#rows.at(this.#at(page) + SITE) > 0
  }

  /** The day of the last visit to a page. */
  lastVisitOf(page: number): number {
    return this.#rows.at(this.#at(page) + LAST_VISIT)
  }

  /** A page was fetched again. */
  record({ page, time, novel }: Revisit): void {
    if (!this.holds(page)) throw new Error(`page ${page} was never fetched before`)
    const [rows, row] = [this.#rows.view(), this.#at(page)]
    const site = rows[row + SITE] - 1
    this.#news.record(site, time, novel)
    const days = Math.max(0, time - rows[row + LAST_VISIT])
    const kept = 0.5 ** (days / HALF_LIFE_DAYS)
    const batches = this.#news.batches(site)
    const meanwhile = batches - rows[row + SITE_BATCHES] + SILENT_BATCHES_PER_DAY * days
    rows[row + FOUND] = rows[row + FOUND] * kept + (novel > 0 ? 1 : 0)
    rows[row + WATCHED] = rows[row + WATCHED] * kept + meanwhile
    rows[row + SITE_BATCHES] = batches
    rows[row + LAST_VISIT] = time
  }

  /** The pages held, ascending. */
  pages(): Uint32Array {
    const [rows, rowOf] = [this.#rows.view(), this.#rowOf.view()]
    const pages = new Uint32Array(rows.length / FIELDS)
    let count = 0
    for (let page = 0; page < rowOf.length; page++)
      if (rows[rowOf[page] * FIELDS + SITE] > 0) pages[count++] = page
    return pages.slice(0, count)
  }

  /** What revisits of these pages would show now, each by itself, given their shares at first sight; nothing of those not held. */
  expectations(time: number, pages: Uint32Array, firstShares: Float64Array): ExpectedNews {
    const links = new Float64Array(pages.length)
    const days = new Float32Array(pages.length)
    const rows = this.#rows.view()
    for (let i = 0; i < pages.length; i++) {
      const row = this.#at(pages[i])
      const site = rows[row + SITE] - 1
      if (site < 0) continue
      days[i] = Math.max(0, time - rows[row + LAST_VISIT])
      const guess = Math.min(1, this.#optimism * firstShares[i])
      const share = (TRUST * guess + rows[row + FOUND]) / (TRUST + rows[row + WATCHED])
      links[i] = share * this.#news.batchesPerDay(site) * this.#news.batchSize(site) * days[i]
    }
    return { pages, links, days }
  }

  /** Where the row of a page begins. */
  #at(page: number): number {
    return page < this.#rowOf.length ? this.#rowOf.view()[page] * FIELDS : 0
  }
}

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
