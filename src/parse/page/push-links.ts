import { detached } from '../text/detached.ts'
import type { PushLinks } from './page.ts'

/** Feeds name one or two. */
const MAX_HUBS = 3
const MAX_CHARS = 2_000

/** Gathers what a feed or its headers say of who tells of its news: links with rel=hub and rel=self. */
export class PushLinkReader {
  readonly #base: string
  readonly #hubs: string[] = []
  #topic: string | undefined

  constructor(base: string) {
    this.#base = base
  }

  /** Takes a link; those of other relations say nothing here. */
  take(relations: string, href: string): void {
    const words = relations.split(/\s+/)
    const isHub = words.includes('hub') && this.#hubs.length < MAX_HUBS
    const isTopic = words.includes('self') && this.#topic === undefined
    if (!(isHub || isTopic) || href.length > MAX_CHARS) return
    const url = URL.parse(href.trim(), this.#base)
    if (!url || !/^https?:$/.test(url.protocol)) return
    if (isHub) this.#hubs.push(detached(url.href))
    if (isTopic) this.#topic = detached(url.href)
  }

  /** Undefined if there is no hub. */
  found(): PushLinks | undefined {
    if (this.#hubs.length === 0) return undefined
    return { hubs: [...new Set(this.#hubs)], ...(this.#topic && { topic: this.#topic }) }
  }
}
