import type { Random } from '#numeric/random.ts'
import type { Host, Section } from './hosts.ts'
import type { ModelWebKnobs } from './knobs.ts'
import type { WebPlan } from './model-web.ts'
import { ASPECTS_PER_TOPIC, drawAspect, relatedTopic } from './topics.ts'
import { drawWord } from './vocabulary.ts'

export const PageKind = {
  home: 0,
  hub: 1, // first page of a section's listing
  listing: 2, // its further pages
  article: 3,
  reference: 4,
  category: 5, // of the directory: lists home pages
  calendar: 6,
  print: 7, // print version of an article
  variant: 8, // the same article under an address with a parameter
  stub: 9, // a redirect from the first snapshot on
} as const

/** No week: the event never happens. */
export const NEVER = 0xffff

/**
 * The skeleton of every page, by page number. A page is live from week `birth` to the week before
 * `end`, except in week `outage`; from week `redirectAt` on it only redirects to `redirectTo`.
 * Its text is that of page `textOf`: its own unless it is a copy.
 */
export class PageTable {
  readonly kind: Uint8Array
  readonly host: Uint32Array
  readonly section: Int32Array // -1: none
  readonly aspect: Uint32Array
  readonly second: Uint32Array // aspect of its second topic
  readonly quality: Float32Array // latent, 0 to 1
  readonly birth: Uint16Array
  readonly listedFrom: Uint16Array // first week in which a listing shows it
  readonly end: Uint16Array
  readonly outage: Uint16Array
  readonly textOf: Uint32Array
  readonly redirectTo: Uint32Array
  readonly redirectAt: Uint16Array
  readonly ordinal: Uint32Array // place in its section, listing or calendar
  count = 0

  constructor(capacity: number, weeks: number) {
    this.kind = new Uint8Array(capacity)
    this.host = new Uint32Array(capacity)
    this.section = new Int32Array(capacity).fill(-1)
    this.aspect = new Uint32Array(capacity)
    this.second = new Uint32Array(capacity)
    this.quality = new Float32Array(capacity)
    this.birth = new Uint16Array(capacity)
    this.listedFrom = new Uint16Array(capacity)
    this.end = new Uint16Array(capacity).fill(weeks)
    this.outage = new Uint16Array(capacity).fill(NEVER)
    this.textOf = new Uint32Array(capacity).map((_, page) => page)
    this.redirectTo = new Uint32Array(capacity)
    this.redirectAt = new Uint16Array(capacity).fill(NEVER)
    this.ordinal = new Uint32Array(capacity)
  }

  add(kind: number, host: Host, section: Section | undefined, ordinal: number): number {
    const page = this.count++
    this.kind[page] = kind
    this.host[page] = host.id
    this.section[page] = section ? section.id : -1
    this.ordinal[page] = ordinal
    return page
  }

  /** A page with the text and topic of another, as long-lived as it is. */
  addCopy(kind: number, host: Host, section: Section | undefined, original: number): number {
    const page = this.add(kind, host, section, this.ordinal[original])
    this.textOf[page] = this.textOf[original]
    const { aspect, second, quality, birth, listedFrom, end } = this
    for (const column of [aspect, second, quality, birth, listedFrom, end])
      column[page] = column[original]
    return page
  }

  isLive(page: number, week: number): boolean {
    return this.birth[page] <= week && week < this.end[page] && this.outage[page] !== week
  }

  /** Live, and more than a redirect. */
  hasContent(page: number, week: number): boolean {
    return this.isLive(page, week) && week < this.redirectAt[page]
  }

  isArticle(page: number): boolean {
    const kind = this.kind[page]
    return kind === PageKind.article || kind === PageKind.reference || kind === PageKind.category
  }
}

/** Gives every host its home page, sections, articles and listing pages. */
export function layOutPages(random: Random, web: WebPlan): void {
  const { knobs, domains, sections, pages } = web
  for (const host of random.shuffle([...domains]).flatMap((domain) => domain.hosts)) {
    const first = pages.count
    host.home = pages.add(PageKind.home, host, undefined, 0)
    for (const size of sectionSizes(random, knobs, host.size - 1)) {
      const section = openSection(random, web, host)
      sections.push(section)
      host.sections.push(section)
      fillSection(web, section, size)
    }
    for (let page = first; page < pages.count; page++) drawLatents(random, web, page, host)
  }
}

/** On hosts of a few pages the home page is the only hub: one section without a hub of its own. */
function sectionSizes(random: Random, knobs: ModelWebKnobs, pages: number): number[] {
  if (pages < 8) return [pages]
  const count = Math.min(80, Math.max(1, Math.round(pages / knobs.pagesPerSection)))
  const weights = Array.from({ length: count }, () => Math.exp(0.7 * random.normal()))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const spare = pages - 3 * count
  const sizes = weights.map((weight) => 3 + Math.floor((weight / total) * spare))
  sizes[0] += pages - sizes.reduce((sum, size) => sum + size, 0)
  return sizes
}

function openSection(random: Random, web: WebPlan, host: Host): Section {
  const { topics, vocabulary, sections } = web
  const general = ['news', 'shop', 'forum', 'directory', 'spam'].includes(host.archetype.name)
  const topic =
    general && random.chance(0.6)
      ? topics.byPopularity.sample(random)
      : relatedTopic(random, topics, host.topic)
  const word = vocabulary.words[drawWord(topics.topicWords[topic], random.next)]
  const taken = host.sections.some(({ slug }) => slug === word)
  const slug = taken ? `${word}-${host.sections.length}` : word
  const life = { birth: 0, end: 0 }
  const empty = { hub: -1, articles: [], listings: [], disallowed: false }
  return { id: sections.length, host, topic, slug, ...life, ...empty }
}

function fillSection({ knobs, pages }: WebPlan, section: Section, size: number): void {
  const { host } = section
  let left = size
  if (size < 8 && host.sections.length === 1 && host.size <= 8) section.hub = host.home
  else {
    section.hub = pages.add(PageKind.hub, host, section, 0)
    left--
  }
  const { name } = host.archetype
  const other = name === 'directory' ? PageKind.category : PageKind.article
  const kind = name === 'reference' ? PageKind.reference : other
  for (; left > 0; left--) {
    const { articles, listings } = section
    if (host.archetype.paginated && articles.length >= (listings.length + 1) * knobs.listingSize)
      listings.push(pages.add(PageKind.listing, host, section, listings.length + 1))
    else articles.push(pages.add(kind, host, section, articles.length))
  }
}

function drawLatents(random: Random, web: WebPlan, page: number, host: Host): void {
  const { topics, pages, sections } = web
  const topic = pages.section[page] < 0 ? host.topic : sections[pages.section[page]].topic
  const strays = pages.isArticle(page) && random.chance(0.15)
  pages.aspect[page] = pages.isArticle(page)
    ? drawAspect(random, strays ? relatedTopic(random, topics, topic) : topic)
    : topic * ASPECTS_PER_TOPIC
  pages.second[page] = drawAspect(random, relatedTopic(random, topics, topic))
  pages.quality[page] = 1 / (1 + Math.exp(-(host.quality + 0.9 * random.normal())))
}
