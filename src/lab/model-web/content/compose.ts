import { mixHash } from '#numeric/hash.ts'
import type { Host, Section } from '../skeleton/hosts.ts'
import type { ModelWeb } from '../skeleton/model-web.ts'
import { PageKind } from '../skeleton/pages.ts'
import { WORDINGS, Wording } from './anchors.ts'
import { ADVERTS, BlockKind, blockKey } from './blocks.ts'
import type { EditorialLinks } from './links.ts'
import type { Listings } from './listings.ts'
import { menuOf } from './templates.ts'

/** A hub that is not paginated lists everything, but nobody lists more than this. */
const LONGEST_LIST = 150
const TEASERS_PER_SECTION = 3
const RELATED = 3

/** What a page shows in one week: keys of text blocks, and link codes. */
export interface Composition {
  readonly blocks: readonly number[]
  readonly links: readonly number[]
}

/** A page being put together. A link is its target and wording in one number. */
class Sheet implements Composition {
  readonly blocks: number[] = []
  readonly links: number[] = []

  block(kind: number, first: number, second = 0): void {
    this.blocks.push(blockKey(kind, first, second))
  }

  link(target: number, wording: number): void {
    this.links.push(target * WORDINGS + wording)
  }
}

/** What a page's content depends on beside the week. */
interface PageState {
  /** Keys of the paragraphs of its text as it is now. */
  readonly paragraphs: readonly number[]
  /** When its boilerplate last changed, and how often it has. */
  readonly noiseWeek: number
  readonly noiseCount: number
}

/** Puts a page together from its host's template, its text, its listings and its links. */
export class Composer {
  readonly #web: ModelWeb
  readonly #editorial: EditorialLinks
  readonly #templates: Uint16Array
  readonly #listings: Listings

  constructor(
    web: ModelWeb,
    editorial: EditorialLinks,
    templates: Uint16Array,
    listings: Listings,
  ) {
    this.#web = web
    this.#editorial = editorial
    this.#templates = templates
    this.#listings = listings
  }

  /** `page` is the original when a mirror is composed; its links are put on the mirror afterwards. */
  compose(page: number, week: number, state: PageState): Composition {
    const { pages, hosts, weeks } = this.#web
    const host = hosts[pages.host[page]]
    const kind = pages.kind[page]
    const sheet = new Sheet()
    const template = this.#templates[host.id * weeks + week]
    const framed = kind !== PageKind.print
    if (framed) this.#frame(host, week, template, sheet)
    const { noise } = host
    if (noise.kind === 'date' && framed) sheet.block(BlockKind.date, state.noiseWeek)
    this.#body(page, host, week, state, sheet)
    if (framed) {
      this.#noise(page, host, week, state, sheet)
      sheet.block(BlockKind.footer, host.id, template)
    }
    return sheet
  }

  #frame(host: Host, week: number, template: number, sheet: Sheet): void {
    const { loginOf } = this.#web
    sheet.block(BlockKind.menu, host.id, template)
    sheet.link(host.home, Wording.label)
    for (const { hub } of menuOf(host, week)) sheet.link(hub, Wording.label)
    for (const other of host.domain.hosts) if (other !== host) sheet.link(other.home, Wording.site)
    if (host.calendar.length > 0)
      sheet.link(host.calendar[Math.floor(host.calendar.length / 3)], Wording.label)
    if (host.archetype.noise > 1) sheet.link(loginOf[host.id], Wording.label)
  }

  #body(page: number, host: Host, week: number, state: PageState, sheet: Sheet): void {
    const { pages, sections } = this.#web
    const kind = pages.kind[page]
    const section = sections[pages.section[page]]
    sheet.block(BlockKind.heading, pages.textOf[page])
    if (kind === PageKind.calendar) {
      this.#month(page, host, sheet)
      return
    }
    const text = pages.textOf[page]
    for (const key of state.paragraphs) sheet.block(BlockKind.paragraph, text, key)
    if (kind === PageKind.hub || kind === PageKind.listing)
      this.#listing(section, kind === PageKind.hub ? 0 : pages.ordinal[page], week, sheet)
    if (kind === PageKind.home) this.#frontPage(host, week, sheet)
    if (pages.isArticle(page) && section.hub !== host.home) sheet.link(section.hub, Wording.label)
    this.#placed(text, week, sheet)
    const variant = this.#web.copies.variantOf.get(text)
    if (variant !== undefined && variant !== page && pages.isLive(variant, week))
      sheet.link(variant, Wording.print)
    if (kind === PageKind.print || kind === PageKind.variant) sheet.link(text, Wording.title)
  }

  /** One page of a section's listing: teasers, and the way to its neighbours. */
  #listing(section: Section, place: number, week: number, sheet: Sheet): void {
    const { knobs, pages } = this.#web
    const size = section.host.archetype.paginated ? knobs.listingSize : LONGEST_LIST
    const all = this.#listings.inSection(section, week)
    this.#teasers(all.slice(place * size, (place + 1) * size), sheet)
    const previous = place === 1 ? section.hub : section.listings[place - 2]
    if (place > 0) sheet.link(previous, Wording.previous)
    const next = section.listings[place]
    if (next !== undefined && pages.isLive(next, week)) sheet.link(next, Wording.next)
    if (place > 0) return
    for (const page of section.listings.slice(1, 6))
      if (pages.isLive(page, week)) sheet.link(page, Wording.number)
  }

  #frontPage(host: Host, week: number, sheet: Sheet): void {
    for (const section of host.sections) {
      if (section.birth > week || week >= section.end) continue
      if (section.hub === host.home) this.#listing(section, 0, week, sheet)
      else {
        // The menu is short; on large hosts the front page is where the other sections are found.
        sheet.link(section.hub, Wording.label)
        const newest = this.#listings.inSection(section, week).slice(0, TEASERS_PER_SECTION)
        this.#teasers(newest, sheet)
      }
    }
    if (host !== host.domain.hosts[0]) return
    for (const { domain, since } of host.domain.friends)
      if (since <= week) sheet.link(domain.hosts[0].home, Wording.site)
  }

  #teasers(listed: readonly number[], sheet: Sheet): void {
    for (const page of listed) {
      sheet.block(BlockKind.teaser, page)
      sheet.link(page, Wording.title)
    }
  }

  #month(page: number, host: Host, sheet: Sheet): void {
    const place = this.#web.pages.ordinal[page]
    sheet.block(BlockKind.month, page)
    if (place > 0) sheet.link(host.calendar[place - 1], Wording.previous)
    const next = host.calendar[place + 1] ?? this.#web.afterCalendar.get(host)!
    sheet.link(next, Wording.next)
  }

  #placed(page: number, week: number, sheet: Sheet): void {
    const { offsets, target, wording, from, until } = this.#editorial
    for (let link = offsets[page]; link < offsets[page + 1]; link++)
      if (from[link] <= week && week < until[link]) sheet.link(target[link], wording[link])
  }

  #noise(page: number, host: Host, week: number, state: PageState, sheet: Sheet): void {
    const { noiseWeek, noiseCount } = state
    const { pages, sections } = this.#web
    const lot = mixHash(page, noiseWeek)
    if (host.noise.kind === 'adverts') sheet.block(BlockKind.advert, lot % ADVERTS)
    if (host.noise.kind === 'counter') {
      const kind = host.id % 3 === 0 ? BlockKind.replies : BlockKind.visitors
      sheet.block(kind, page, 10 + (page % 500) + noiseCount * (1 + (page % 7)))
    }
    if (host.noise.kind !== 'related' || !pages.isArticle(page)) return
    const listed = this.#listings.inSection(sections[pages.section[page]], noiseWeek)
    sheet.block(BlockKind.related, page, noiseWeek)
    for (let entry = 0; entry < RELATED && listed.length > 0; entry++) {
      const other = listed[mixHash(lot, entry) % listed.length]
      if (other !== page && pages.birth[other] <= week) sheet.link(other, Wording.title)
    }
  }
}
