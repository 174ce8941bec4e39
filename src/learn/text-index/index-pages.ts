import type { Frontier } from '#frontier/frontier.ts'
import { isNoPage } from '#frontier/urls/url-states.ts'
import { mainText } from '#parse/page/main-text.ts'
import type { TextIndex } from '#search/full-text/text-index.ts'
import type { LearntFetch } from '../entries/learnt-fetch.ts'
import type { PageOutcome } from '../entries/outcome.ts'
import { onlyLeadsOn } from '../pages/originals.ts'
import type { GainMeter } from './gain-meter.ts'
import { namingsOf, renamePages, tellingNamings } from './rename-pages.ts'

/** So many wordings say all there is to say of a page; menus repeat theirs endlessly. */
const MOST_ANCHORS = 30
/** So many of them may come from any one other site, so that none decides what a page is found by. */
const MOST_OF_ANOTHER_SITE = 5

/** A page as the index took it in, with what links call it. */
interface IndexedPage {
  readonly outcome: PageOutcome
  readonly anchors: readonly string[]
}

/** What a cycle did to the index: removals first, then pages that came, then new anchor texts. */
export interface IndexChanges {
  readonly removed: readonly number[]
  readonly taken: readonly IndexedPage[]
  readonly renewed: readonly (readonly [url: number, anchors: readonly string[]])[]
}

/**
 * Keeps the index in step with what a cycle learnt: pages that may be shown come in with what links
 * call them, others go; duplicates are not indexed twice. Held pages are called at once what links call them now.
 */
export class PageIndexer {
  readonly index: TextIndex
  /** In this cycle. */
  #removed: number[] = []
  /** Since the last one. */
  #forgotten: number[] = []

  constructor(index: TextIndex) {
    this.index = index
  }

  /** Calls held pages what links call them now, where others have told of links to these. */
  rename(urls: Iterable<number>, frontier: Frontier): void {
    const held = [...new Set(urls)].filter((url) => this.index.has(url))
    if (held.length === 0) return
    this.index.replaceAnchors(anchorTexts(held, frontier))
    while (this.index.compact());
  }

  /** Takes a page out that the operator had forgotten. */
  forget(id: number): void {
    if (!this.index.has(id)) return
    this.index.remove(id)
    this.#forgotten.push(id)
  }

  /** The pages that were forgotten and nobody has heard of yet. */
  takeForgotten(): readonly number[] {
    const forgotten = this.#forgotten
    this.#forgotten = []
    return forgotten
  }

  /**
   * Takes in what was learnt; gives what changed, for whoever keeps that. A meter measures meanwhile
   * what each was worth.
   */
  take(fetches: readonly LearntFetch[], frontier: Frontier, meter?: GainMeter): IndexChanges {
    meter?.begin()
    this.#removed = [...this.takeForgotten()]
    const taken: PageOutcome[] = []
    const represented = new Set<number>()
    const now = fetches.reduce((latest, { outcome }) => Math.max(latest, outcome.at), 0)
    this.#removeOutdated(frontier, now)
    for (const learnt of fetches) {
      const { outcome, changed } = learnt
      if (isNewContent(learnt) && this.#isShown(learnt, frontier, represented))
        taken.push(learnt.outcome)
      else if (mayNotBeShown(learnt) || frontier.isLost(outcome.id)) this.#remove(outcome.id, meter)
      if (outcome.kind === 'page' && changed) this.#removeStandIns(outcome.id, frontier)
    }
    const allNamings = namingsOf(fetches, this.index)
    const takenIds = taken.map(({ id }) => id)
    const chosen = chosenAnchors([...takenIds, ...allNamings.keys()], frontier)
    const namings = tellingNamings(allNamings, chosen)
    const anchors = new Map(
      [...takenIds, ...namings.keys()].map((url) => [url, textsOf(chosen.get(url)!, frontier)]),
    )
    const textOf = (anchor: number) => frontier.links.anchors.at(anchor)
    const renamed = renamePages(namings, anchors, this.index, textOf, meter)
    for (const { id, url, page } of taken) {
      const named = anchors.get(id)!
      meter?.before(id)
      const { title, language } = page
      this.index.replace(id, { url, title, text: mainText(page), anchors: named, language })
      meter?.after(id)
      renamed.delete(id)
    }
    meter?.end()
    while (this.index.compact());
    const indexed = taken.map((outcome) => ({ outcome, anchors: anchors.get(outcome.id)! }))
    const renewed = Array.from(renamed, (url) => [url, anchors.get(url)!] as const)
    return { removed: this.#removed, taken: indexed, renewed }
  }

  /**
   * Whether no other page shows what this one says. One that calls another its better address stands in for it
   * until that is held, if it is the first, and says more than that: `represented` are those that others of this cycle
   * stand in for.
   */
  #isShown(
    { outcome, duplicateOf, marks }: NewContent,
    frontier: Frontier,
    represented: Set<number>,
  ): boolean {
    if (frontier.instructed.isForgotten(outcome.id)) return false
    if (duplicateOf === undefined) return true
    const isHeld = frontier.stateOf(duplicateOf) === 'page' || this.index.has(duplicateOf)
    if (outcome.page.canonical === undefined || isHeld) return false
    if (marks && onlyLeadsOn(outcome.page, marks)) return false
    if (represented.has(duplicateOf)) return false
    const others = frontier.duplicates.duplicatesOf(duplicateOf)
    if (others.some((url) => url !== outcome.id && this.index.has(url))) return false
    represented.add(duplicateOf)
    return true
  }

  /** Whoever stood in for a page goes when it has come. */
  #removeStandIns(id: number, { duplicates }: Frontier): void {
    for (const other of duplicates.duplicatesOf(id)) this.#remove(other, undefined)
  }

  #remove(id: number, meter: GainMeter | undefined): void {
    if (!this.index.has(id)) return
    meter?.before(id)
    this.index.remove(id)
    this.#removed.push(id)
    meter?.after(id)
  }

  /** Pages that were not to be shown any longer than until now. */
  #removeOutdated({ unavailableAfter }: Frontier, now: number): void {
    for (const [url, until] of unavailableAfter) if (until <= now) this.#remove(url, undefined)
  }
}

/** What links call these pages, as far as the index takes notice of it. */
export function anchorTexts(wanted: readonly number[], frontier: Frontier): Map<number, string[]> {
  const chosen = chosenAnchors(wanted, frontier)
  return new Map(Array.from(chosen, ([url, anchors]) => [url, textsOf(anchors, frontier)]))
}

/** The same as numbers of texts. */
function chosenAnchors(
  wanted: readonly number[],
  { links, urls, foreign }: Frontier,
): Map<number, number[]> {
  const siteOf = urls.domains()
  // Buckets number pages each in its own way.
  const keys = foreign.areThere ? urls.hashes().low : undefined
  const limits = { each: MOST_ANCHORS, eachSite: MOST_OF_ANOTHER_SITE, siteOf, keys }
  return links.anchorsTo(wanted, limits)
}

function textsOf(anchors: readonly number[], { links }: Frontier): string[] {
  return anchors.map((anchor) => links.anchors.at(anchor))
}

type NewContent = LearntFetch & { readonly outcome: PageOutcome }

/** Whether a page has new content that may be shown. */
export function isNewContent(learnt: LearntFetch): learnt is NewContent {
  const { outcome, changed, softError } = learnt
  if (outcome.kind !== 'page' || !changed) return false
  const { form, noindex } = outcome.page
  return form === 'page' && !noindex && !softError
}

/** Changed into something that is not shown, or not there any more. */
export function mayNotBeShown({ outcome, changed, lost = false }: LearntFetch): boolean {
  if (outcome.kind === 'page') return changed
  return lost || isNoPage(outcome.kind)
}
