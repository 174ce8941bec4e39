import { GrowingColumn } from '#numeric/grow.ts'
import type { Random } from '#numeric/random.ts'
import { EDITED } from '../skeleton/changes.ts'
import type { ModelWeb } from '../skeleton/model-web.ts'
import { NEVER, PageKind } from '../skeleton/pages.ts'
import { drawWording, FIXED_ANCHORS, Wording } from './anchors.ts'
import { LinkChoice } from './link-choice.ts'

/**
 * Links that authors placed: page p has links offsets[p] .. offsets[p + 1), each shown from week
 * `from` to the week before `until`. Menus, listings and the like are not here; they are derived.
 */
export interface EditorialLinks {
  readonly offsets: Uint32Array
  readonly target: Uint32Array
  readonly wording: Uint8Array
  readonly from: Uint16Array
  readonly until: Uint16Array
}

/** Lets all authors place their links, week by week; a link added later marks its page as edited. */
export function placeLinks(random: Random, web: ModelWeb): EditorialLinks {
  const { pages, weeks, changes } = web
  const desk = new LinkDesk(random, web)
  const choice = new LinkChoice(web, random.fork('choice'))
  const bornIn: number[][] = Array.from({ length: weeks }, () => [])
  for (let page = 0; page < pages.count; page++)
    if (pages.kind[page] !== PageKind.stub) bornIn[pages.birth[page]].push(page)
  desk.placeFixedLinks()
  for (let week = 0; week < weeks; week++) {
    // Week 0 has a long past: its pages come in random order, and later ones know the earlier.
    for (const page of random.shuffle(bornIn[week])) {
      if (pages.textOf[page] === page) desk.writeFirst(choice, page, week)
      const copy = pages.textOf[page] !== page
      if (!copy && pages.kind[page] !== PageKind.calendar) choice.announce(page)
    }
    for (let page = 0; page < pages.count; page++)
      if (changes[page * weeks + week] & EDITED && pages.hasContent(page, week))
        desk.revise(choice, page, week)
  }
  return desk.finish()
}

class LinkDesk {
  readonly #random: Random
  readonly #web: ModelWeb
  readonly #source = new GrowingColumn(Uint32Array)
  readonly #target = new GrowingColumn(Uint32Array)
  readonly #wording = new GrowingColumn(Uint8Array)
  readonly #from = new GrowingColumn(Uint16Array)
  readonly #until = new GrowingColumn(Uint16Array)
  readonly #newest: Int32Array // latest link of each page, -1: none

  constructor(random: Random, web: ModelWeb) {
    this.#random = random
    this.#web = web
    this.#newest = new Int32Array(web.pages.count).fill(-1)
  }

  /** Directory entries, one link to each old address, and mirrored home pages' links to mirrors. */
  placeFixedLinks(): void {
    const { domains, topics, copies, weeks, sections, pages } = this.#web
    const random = this.#random
    for (const mirror of copies.mirrors)
      this.#place(mirror.mirrorOf!.home, mirror.home, Wording.site, 0)
    for (const [target, stub] of copies.stubOf) {
      const source = random.pick(sections[pages.section[target]].articles)
      if (source !== target) this.#place(source, stub, Wording.title, pages.birth[source])
    }
    const directory = domains[domains.length - 1]
    const categories = directory.hosts[0].sections.flatMap((section) => section.articles)
    const ofField = Map.groupBy(
      categories,
      (page) => topics.field[sections[pages.section[page]].topic],
    )
    for (const domain of domains) {
      if (domain.archetype.name === 'spam' || random.chance(0.12)) continue
      for (let entry = random.below(3); entry >= 0; entry--) {
        const category = random.pick(ofField.get(topics.field[domain.topic]) ?? categories)
        const week = Math.max(
          pages.birth[category],
          domain.birth + (domain.birth > 0 ? random.below(4) : 0),
        )
        if (week < weeks) this.#place(category, random.pick(domain.hosts).home, Wording.site, week)
      }
    }
  }

  /** The links a page is born with. */
  writeFirst(choice: LinkChoice, page: number, week: number): void {
    const { pages, hosts, knobs } = this.#web
    const random = this.#random
    const { archetype } = hosts[pages.host[page]]
    const kind = pages.kind[page]
    if (kind === PageKind.home) {
      for (let left = 3 + random.below(4); left > 0; left--)
        this.#add(page, choice.onSite(page, week), week)
      return
    }
    if (!pages.isArticle(page)) return
    const onSite = Math.floor(random.exponential(knobs.onSiteLinks * archetype.onSite) + 0.5)
    for (let left = onSite; left > 0; left--) this.#add(page, choice.onSite(page, week), week)
    const offSite = knobs.offSiteLinks * archetype.offSite * Math.exp(0.9 * random.normal() - 0.4)
    for (let left = Math.min(60, Math.round(offSite)); left > 0; left--)
      this.#add(page, choice.offSite(page, week), week)
  }

  /** An edit may add links, often to something new on the same site, and may drop one. */
  revise(choice: LinkChoice, page: number, week: number): void {
    const random = this.#random
    const { pages } = this.#web
    if (!pages.isArticle(page) && pages.kind[page] !== PageKind.home) return
    if (random.chance(0.4))
      for (let left = 1 + random.below(2); left > 0; left--) {
        const target = random.chance(0.6) ? choice.onSite(page, week) : choice.offSite(page, week)
        this.#add(page, target, week)
      }
    const last = this.#newest[page]
    if (last >= 0 && this.#from.at(last) < week && random.chance(0.15)) this.#until.set(last, week)
  }

  finish(): EditorialLinks {
    const source = this.#source.view()
    const offsets = new Uint32Array(this.#web.pages.count + 1)
    for (const page of source) offsets[page + 1]++
    for (let page = 1; page < offsets.length; page++) offsets[page] += offsets[page - 1]
    const place = offsets.slice()
    const order = new Uint32Array(source.length)
    source.forEach((page, link) => {
      order[place[page]++] = link
    })
    const [target, wording] = [this.#target.view(), this.#wording.view()]
    const [from, until] = [this.#from.view(), this.#until.view()]
    return {
      offsets,
      target: order.map((link) => target[link]),
      wording: Uint8Array.from(order, (link) => wording[link]),
      from: Uint16Array.from(order, (link) => from[link]),
      until: Uint16Array.from(order, (link) => until[link]),
    }
  }

  /** Old addresses and variants of a page get some of the links that are meant for it. */
  #add(page: number, wanted: number | undefined, week: number): void {
    if (wanted === undefined) return
    const { copies, knobs, pages } = this.#web
    const random = this.#random
    const stub = copies.stubOf.get(wanted)
    const variant = copies.variantOf.get(wanted)
    let target = wanted
    if (stub !== undefined && random.chance(0.4)) target = stub
    else if (variant !== undefined && pages.isLive(variant, week) && random.chance(0.2))
      target = variant
    const wording = drawWording(random, knobs.anchors)
    // What is no page has no title or topic, only a name.
    const nameable = target < pages.count || wording in FIXED_ANCHORS || wording === Wording.url
    this.#place(page, target, nameable ? wording : Wording.label, week)
  }

  #place(page: number, target: number, wording: number, week: number): void {
    const { pages, changes, weeks } = this.#web
    this.#source.push(page)
    this.#target.push(target)
    this.#wording.push(wording)
    this.#from.push(week)
    this.#newest[page] = this.#until.push(NEVER)
    if (week > pages.birth[page]) changes[page * weeks + week] |= EDITED
  }
}
