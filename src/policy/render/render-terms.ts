import type { Lessons } from '#learn/lessons.ts'
import type { RenderForecast } from '#learn/renderings/render-gains.ts'
import { listKindOf } from '#learn/yields/first-yields.ts'

/** Which pages are rendered: those whose rendering is worth its cost, or all of them. */
export type RenderMode = 'worthwhile' | 'all'

/** What a rendering of a page is expected to bring, and the chance that the page needs one. */
interface Expected extends RenderForecast {
  readonly chance: number
}

/** With fewer renderings of a host, its pages are fetched as they are before any is rendered. */
const LEAST_TRIED = 3

/** What a plan knows of renderings: who might be rendered, at what cost, and what for. */
export class RenderTerms {
  readonly #lessons: Pick<Lessons, 'frontier' | 'histories'>
  readonly #mode: RenderMode
  readonly #hosts: Uint32Array
  readonly #classes: Uint32Array
  readonly #costs = new Map<number, number>()
  /** Of pages never fetched, by class. */
  readonly #ofClass = new Map<number, Expected>()

  constructor(lessons: Pick<Lessons, 'frontier' | 'histories'>, mode: RenderMode) {
    this.#lessons = lessons
    this.#mode = mode
    this.#hosts = lessons.frontier.urls.hosts()
    this.#classes = lessons.frontier.classes.all()
  }

  /** Frames that might be rendered and may be fetched now, ascending. */
  awaiting(mayFetch: (url: number) => boolean): Uint32Array {
    const { frontier } = this.#lessons
    const isHeld = (url: number) => frontier.stateOf(url) === 'page'
    const isLeftAlone = (url: number) => frontier.instructed.keepsOut(url)
    return frontier.renderings
      .awaiting()
      .filter((url) => isHeld(url) && mayFetch(url) && !isLeftAlone(url))
  }

  isAwaiting(url: number): boolean {
    return this.#lessons.frontier.renderings.signOf(url) !== undefined
  }

  /** Whether a rendering would be the first sight of a page: it is a frame, or most likely will be one. */
  isFirst(url: number): boolean {
    return this.isAwaiting(url) || this.#isAtOnce(url)
  }

  /** What a fetch of the URL costs if it is to be rendered; undefined if it is not. */
  costOf(url: number): number | undefined {
    const { renderings } = this.#lessons.frontier
    const isRendered =
      renderings.signOf(url) !== undefined ||
      renderings.isRendered(url) ||
      (this.#mode === 'all' ? !this.#isList(url) : this.#isAtOnce(url))
    return isRendered ? this.renderingCost(url) : undefined
  }

  /** What a rendering would cost on the URL's host. */
  renderingCost(url: number): number {
    const host = this.#hosts[url]
    const known = this.#costs.get(host)
    if (known !== undefined) return known
    const cost = this.#lessons.histories.renderings.costs.of(host)
    this.#costs.set(host, cost)
    return cost
  }

  /** What a rendering of the URL is expected to bring: of a frame by its own sign, of others as pages like it needed one. */
  expectedOf(url: number): Expected {
    const { frontier, histories } = this.#lessons
    const [host, classNumber] = [this.#hosts[url], this.#classes[url]]
    const { renderings } = histories
    const sign = frontier.renderings.signOf(url)
    if (sign) return { ...renderings.forecast(sign, host, classNumber), chance: 1 }
    const known = this.#ofClass.get(classNumber)
    if (known) return known
    const { shell, thin } = renderings.chanceOf(host, classNumber)
    const likelier = shell >= thin ? 'shell' : 'thin'
    const forecast = renderings.forecast(likelier, host, classNumber)
    const expected = { ...forecast, chance: Math.max(shell, thin) }
    this.#ofClass.set(classNumber, expected)
    return expected
  }

  /**
   * What searchers are thought to get of a frame: half of it is what they got when it was fetched, by the words of its links;
   * half is what was predicted then. Undefined where nothing was measured.
   */
  seenWorthOf(url: number): number | undefined {
    const { histories } = this.#lessons
    if (!this.isAwaiting(url)) return undefined
    const worth = (histories.firstGainOf(url) + histories.firstPredictionOf(url)) / 2
    return Number.isNaN(worth) ? undefined : Math.max(0, worth)
  }

  /**
   * Whether a page never fetched is rendered at once. To look first costs 1, and then the rendering if it is needed: with
   * chance p and cost c, 1 + p·c. That is more than c if p is more than 1 − 1/c.
   */
  #isAtOnce(url: number): boolean {
    const { frontier } = this.#lessons
    if (frontier.lastVisitOf(url) > 0 || this.#isList(url)) return false
    const { chance, ofHost } = this.expectedOf(url)
    return ofHost >= LEAST_TRIED && chance > 1 - 1 / this.renderingCost(url)
  }

  #isList(url: number): boolean {
    return listKindOf(url, this.#lessons.frontier) !== undefined
  }
}
