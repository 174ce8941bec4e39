import type { Frontier } from '#frontier/frontier.ts'
import { anchorTexts, type IndexChanges } from '#learn/text-index/index-pages.ts'
import { defaultAnalyser } from '#search/full-text/default-search.ts'
import { TextIndex } from '#search/full-text/text-index.ts'

/**
 * The index as it would be if words of links came in when their target is fetched, or when the index has doubled:
 * as it was before they came at once.
 */
export class LateWords {
  readonly index = new TextIndex(defaultAnalyser)
  readonly #held = new Set<number>()
  #sizeAtRenewal = 1

  take({ removed, taken }: IndexChanges, frontier: Frontier): void {
    for (const url of removed) {
      this.index.remove(url)
      this.#held.delete(url)
    }
    for (const { outcome, anchors } of taken) {
      const { id, url, page } = outcome
      this.index.replace(id, { url, title: page.title, text: page.text, anchors })
      this.#held.add(id)
    }
    if (this.index.size >= 2 * this.#sizeAtRenewal) this.#renew(frontier)
    while (this.index.compact());
  }

  /** Of the pages held, how many are found by other words than links call them; they stay so. */
  countLate(frontier: Frontier): { readonly held: number; readonly late: number } {
    const anew = new TextIndex(defaultAnalyser, this.index.terms)
    for (const { segment, alive } of this.index.segments) anew.adopt(segment, alive.slice())
    const late = anew.replaceAnchors(anchorTexts([...this.#held], frontier)).size
    return { held: this.#held.size, late }
  }

  #renew(frontier: Frontier): void {
    this.index.replaceAnchors(anchorTexts([...this.#held], frontier))
    this.#sizeAtRenewal = this.index.size
  }
}
