import type { Host, Section } from '../skeleton/hosts.ts'
import type { ModelWeb } from '../skeleton/model-web.ts'
import { NEVER } from '../skeleton/pages.ts'

/** What listings show week by week, newest first. Keeps the lists of one host at a time. */
export class Listings {
  readonly #web: ModelWeb
  #host: Host | undefined
  #lists = new Map<Section, (readonly number[])[]>()

  constructor(web: ModelWeb) {
    this.#web = web
  }

  /** All articles of a section that are to be listed in a week. */
  inSection(section: Section, week: number): readonly number[] {
    if (section.host !== this.#host) {
      this.#host = section.host
      this.#lists = new Map()
    }
    let lists = this.#lists.get(section)
    if (!lists) {
      lists = this.#listEachWeek(section)
      this.#lists.set(section, lists)
    }
    return lists[week]
  }

  #listEachWeek(section: Section): (readonly number[])[] {
    const { pages, weeks } = this.#web
    const { articles } = section
    const dirty = new Uint8Array(weeks + 2)
    dirty[0] = 1
    for (const page of articles) {
      for (const column of [pages.listedFrom, pages.end, pages.redirectAt, pages.outage]) {
        const week = column[page]
        if (week < weeks) dirty[week] = 1
      }
      if (pages.outage[page] !== NEVER) dirty[pages.outage[page] + 1] = 1
    }
    const lists: (readonly number[])[] = []
    for (let week = 0; week < weeks; week++) {
      const isListed = (page: number) =>
        pages.listedFrom[page] <= week && pages.hasContent(page, week)
      lists.push(dirty[week] ? articles.filter(isListed).reverse() : lists[week - 1])
    }
    return lists
  }
}
