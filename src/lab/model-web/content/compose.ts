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

/** A link is its target and wording in one number. */
const linkCode = (target: number, wording: number): number => target * WORDINGS + wording

/** What a page shows in one week: keys of text blocks, and link codes. */
export interface Composition {
  readonly blocks: number[]
  readonly links: number[]
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
    const blocks: number[] = []
    const links: number[] = []
    const template = this.#templates[host.id * weeks + week]
    const framed = kind !== PageKind.print
    if (framed) this.#frame(host, week, template, blocks, links)
    const { noise } = host
    if (noise.kind === 'date' && framed) blocks.push(blockKey(BlockKind.date, state.noiseWeek, 0))
    this.#body(page, host, week, state, blocks, links)
    if (framed) {
      this.#noise(page, host, week, state, blocks, links)
      blocks.push(blockKey(BlockKind.footer, host.id, template))
    }
    return { blocks, links }
  }

  #frame(host: Host, week: number, template: number, blocks: number[], links: number[]): void {
    const { loginOf } = this.#web
    blocks.push(blockKey(BlockKind.menu, host.id, template))
    links.push(linkCode(host.home, Wording.label))
    for (const { hub } of menuOf(host, week)) links.push(linkCode(hub, Wording.label))
    for (const other of host.domain.hosts)
      if (other !== host) links.push(linkCode(other.home, Wording.site))
    if (host.calendar.length > 0)
      links.push(linkCode(host.calendar[Math.floor(host.calendar.length / 3)], Wording.label))
    if (host.archetype.noise > 1) links.push(linkCode(loginOf[host.id], Wording.label))
  }

  #body(
    page: number,
    host: Host,
    week: number,
    state: PageState,
    blocks: number[],
    links: number[],
  ): void {
    const { pages, sections } = this.#web
    const kind = pages.kind[page]
    const section = sections[pages.section[page]]
    blocks.push(blockKey(BlockKind.heading, pages.textOf[page], 0))
    if (kind === PageKind.calendar) {
      this.#month(page, host, blocks, links)
      return
    }
    const text = pages.textOf[page]
    for (const key of state.paragraphs) blocks.push(blockKey(BlockKind.paragraph, text, key))
    if (kind === PageKind.hub || kind === PageKind.listing)
      this.#listing(section, kind === PageKind.hub ? 0 : pages.ordinal[page], week, blocks, links)
    if (kind === PageKind.home) this.#frontPage(host, week, blocks, links)
    if (pages.isArticle(page) && section.hub !== host.home)
      links.push(linkCode(section.hub, Wording.label))
    this.#placed(text, week, links)
    const variant = this.#web.copies.variantOf.get(text)
    if (variant !== undefined && variant !== page && pages.isLive(variant, week))
      links.push(linkCode(variant, Wording.print))
    if (kind === PageKind.print || kind === PageKind.variant)
      links.push(linkCode(text, Wording.title))
  }

  /** One page of a section's listing: teasers, and the way to its neighbours. */
  #listing(section: Section, place: number, week: number, blocks: number[], links: number[]): void {
    const { knobs, pages } = this.#web
    const size = section.host.archetype.paginated ? knobs.listingSize : LONGEST_LIST
    const all = this.#listings.inSection(section, week)
    this.#teasers(all.slice(place * size, (place + 1) * size), blocks, links)
    const previous = place === 1 ? section.hub : section.listings[place - 2]
    if (place > 0) links.push(linkCode(previous, Wording.previous))
    const next = section.listings[place]
    if (next !== undefined && pages.isLive(next, week)) links.push(linkCode(next, Wording.next))
    if (place > 0) return
    for (const page of section.listings.slice(1, 6))
      if (pages.isLive(page, week)) links.push(linkCode(page, Wording.number))
  }

  #frontPage(host: Host, week: number, blocks: number[], links: number[]): void {
    for (const section of host.sections) {
      if (section.birth > week || week >= section.end) continue
      if (section.hub === host.home) this.#listing(section, 0, week, blocks, links)
      else {
        // The menu is short; on large hosts the front page is where the other sections are found.
        links.push(linkCode(section.hub, Wording.label))
        const newest = this.#listings.inSection(section, week).slice(0, TEASERS_PER_SECTION)
        this.#teasers(newest, blocks, links)
      }
    }
    if (host !== host.domain.hosts[0]) return
    for (const { domain, since } of host.domain.friends)
      if (since <= week) links.push(linkCode(domain.hosts[0].home, Wording.site))
  }

  #teasers(listed: readonly number[], blocks: number[], links: number[]): void {
    for (const page of listed) {
      blocks.push(blockKey(BlockKind.teaser, page, 0))
      links.push(linkCode(page, Wording.title))
    }
  }

  #month(page: number, host: Host, blocks: number[], links: number[]): void {
    const place = this.#web.pages.ordinal[page]
    blocks.push(blockKey(BlockKind.month, page, 0))
    if (place > 0) links.push(linkCode(host.calendar[place - 1], Wording.previous))
    const next = host.calendar[place + 1] ?? this.#web.afterCalendar.get(host)!
    links.push(linkCode(next, Wording.next))
  }

  #placed(page: number, week: number, links: number[]): void {
    const { offsets, target, wording, from, until } = this.#editorial
    for (let link = offsets[page]; link < offsets[page + 1]; link++)
      if (from[link] <= week && week < until[link])
        links.push(linkCode(target[link], wording[link]))
  }

  #noise(
    page: number,
    host: Host,
    week: number,
    state: PageState,
    blocks: number[],
    links: number[],
  ): void {
    const { noiseWeek, noiseCount } = state
    const { pages, sections } = this.#web
    const lot = mixHash(page, noiseWeek)
    if (host.noise.kind === 'adverts') blocks.push(blockKey(BlockKind.advert, lot % ADVERTS, 0))
    if (host.noise.kind === 'counter') {
      const kind = host.id % 3 === 0 ? BlockKind.replies : BlockKind.visitors
      blocks.push(blockKey(kind, page, 10 + (page % 500) + noiseCount * (1 + (page % 7))))
    }
    if (host.noise.kind !== 'related' || !pages.isArticle(page)) return
    const listed = this.#listings.inSection(sections[pages.section[page]], noiseWeek)
    blocks.push(blockKey(BlockKind.related, page, noiseWeek))
    for (let entry = 0; entry < RELATED && listed.length > 0; entry++) {
      const other = listed[mixHash(lot, entry) % listed.length]
      if (other !== page && pages.birth[other] <= week) links.push(linkCode(other, Wording.title))
    }
  }
}
