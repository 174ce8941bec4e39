/** What renderings of some pages came to. */
interface Sums {
  renderings: number
  /** Of those whose gain was measured: what the pages were predicted to be worth, and what they gained. */
  predicted: number
  gained: number
  measured: number
  /** URLs nobody had mentioned before. */
  links: number
}

/** A sign that a page needs its scripts. */
type Sign = 'thin' | 'shell'

/**
 * Before any was rendered: the share that rendering brings of what searchers are thought to get of a page. They find a frame by
 * the words of links to it, so that part of it is theirs before.
 */
const FIRST_SHARE: Readonly<Record<Sign, number>> = { shell: 0.4, thin: 0.1 }
/** And the share of the links that plain pages show. */
const FIRST_LINKS: Readonly<Record<Sign, number>> = { shell: 0.8, thin: 0.2 }
/** More than all of it is luck: a page predicted to be worth next to nothing may gain a thousand times that, and the next one does not. */
const MOST_SHARE = 1
/** What is said of more pages counts as so many renderings of those in question. */
const TRUST = 3

/** What is expected of a rendering. */
export interface RenderForecast {
  /** Of what the page is predicted to be worth to searchers. */
  readonly share: number
  readonly links: number
  /** Renderings of its class so far, and of its host. */
  readonly ofClass: number
  readonly ofHost: number
}

/**
 * What renderings have brought, by the sign that pages need their scripts: in all, by host and by class of URL, each
 * beginning with what the wider one teaches.
 */
export class RenderGains {
  readonly #sums = new Map<string, Sums>()

  observe(
    sign: Sign,
    { host, classNumber }: { readonly host: number; readonly classNumber: number },
    came: { readonly predicted: number; readonly gained: number; readonly links: number },
  ): void {
    for (const key of keysOf(sign, host, classNumber)) {
      const sums = this.#sums.get(key) ?? none()
      this.#sums.set(key, sums)
      sums.renderings++
      sums.links += came.links
      if (Number.isNaN(came.gained) || Number.isNaN(came.predicted)) continue
      sums.measured++
      sums.predicted += came.predicted
      sums.gained += came.gained
    }
  }

  /** On a host whose other pages show so many new links each. */
  of(sign: Sign, host: number, classNumber: number, linksOfOthers: number): RenderForecast {
    let share = FIRST_SHARE[sign]
    let links = FIRST_LINKS[sign] * linksOfOthers
    const sums = keysOf(sign, host, classNumber).map((key) => this.#sums.get(key) ?? none())
    // In units of the mean prediction, so that dear pages count for more than cheap ones.
    const { predicted: all, measured } = sums[0]
    const unit = measured > 0 ? all / measured : 0
    for (const { renderings, predicted, gained, links: found } of sums) {
      const trusted = TRUST * unit
      if (predicted + trusted > 0) share = (trusted * share + gained) / (trusted + predicted)
      links = (TRUST * links + found) / (TRUST + renderings)
    }
    share = Math.min(MOST_SHARE, Math.max(0, share))
    return { share, links, ofClass: sums[2].renderings, ofHost: sums[1].renderings }
  }
}

function keysOf(sign: Sign, host: number, classNumber: number): string[] {
  return [sign, `${sign} ${host}`, `${sign} ${host} ${classNumber}`]
}

function none(): Sums {
  return { renderings: 0, predicted: 0, gained: 0, measured: 0, links: 0 }
}
