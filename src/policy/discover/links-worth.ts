import type { Frontier } from '#frontier/frontier.ts'
import { NOBODY } from '#frontier/urls/url-states.ts'
import type { Lessons } from '#learn/lessons.ts'
import { listKindOf } from '#learn/yields/first-yields.ts'
import { boundOf } from '#numeric/bound-of.ts'
import { ExactSum, type SumLimbs } from '#numeric/exact-sum.ts'
import type { Bids } from '../bids.ts'
import { beyondPrice } from '../budget/one-currency.ts'

/** All known URLs, in the order they were found. */
export interface FoundLinks {
  /** By URL: the class of the page that led to it, as `finderClassOf` numbers them, or NOBODY. */
  readonly finderClasses: Int32Array
  /** By URL: its value in quality, as it was predicted before its first fetch, or is now. */
  readonly values: Float64Array
  /** By URL: how much it counts; by its place among all if left out. */
  readonly weights?: Float64Array
}

/** What a link that is found is worth, a day; in quality. */
export interface LinksWorth {
  /** Through any page. */
  readonly ofAll: number
  /** Through pages of a class. */
  of(classNumber: number): number
}

/** Weights of links, and what they are worth times that. */
interface LinkSum {
  readonly worth: number
  readonly links: number
}

/** What is summed over all hosts: the same numbers, whoever adds up what (`ExactSum`). */
export interface SharedLinkSums {
  /** Links through any page. */
  readonly all: LinkSum
  /** Links through sitemaps and feeds. */
  readonly lists: LinkSum
}

/** The same as exact parts, which can be added up. */
export type SharedLinkParts = {
  readonly [sum in keyof SharedLinkSums]: { readonly [of in keyof LinkSum]: SumLimbs }
}

/** Links through any page count as so many through those of a class. */
const TRUST_IN_ALL = 10
/**
 * A link counts half as much as one that was found when a quarter more of all URLs was known: first gains
 * were large while little was held, and new links are more like the latest.
 */
const HALF_LIFE_SHARE = 0.25
/** Sitemaps and feeds of all hosts are one class: what they name is mostly known by its address alone. */
const LISTS = 0

/** By place among so many URLs, in the order they were found: how much a link counts. */
export function linkWeights(size: number): Float64Array {
  const weights = new Float64Array(size)
  const growth = 2 ** (1 / (size * HALF_LIFE_SHARE))
  let weight = 2 ** (-1 / HALF_LIFE_SHARE)
  for (let url = 0; url < size; url++, weight *= growth) weights[url] = weight
  return weights
}

/** What links come to at a price: by class of the page that led to them, and over all of them. */
export class LinkSums {
  readonly #worths: Float64Array
  readonly #links: Float64Array
  readonly #all = { worth: new ExactSum(), links: new ExactSum() }
  readonly #lists = { worth: new ExactSum(), links: new ExactSum() }

  constructor({ finderClasses, values, weights }: FoundLinks, price: number) {
    const size = finderClasses.length
    const classes = boundOf(finderClasses)
    const [worths, links] = [new Float64Array(classes), new Float64Array(classes)]
    const growth = 2 ** (1 / (size * HALF_LIFE_SHARE))
    let placed = 2 ** (-1 / HALF_LIFE_SHARE)
    for (let url = 0; url < size; url++, placed *= growth) {
      const classNumber = finderClasses[url]
      if (classNumber === NOBODY) continue
      const weight = weights === undefined ? placed : weights[url]
      const worth = weight * beyondPrice(values[url], price)
      worths[classNumber] += worth
      links[classNumber] += weight
      add(this.#all, worth, weight)
      if (classNumber === LISTS) add(this.#lists, worth, weight)
    }
    this.#worths = worths
    this.#links = links
  }

  /** What others need to add it to theirs. */
  get parts(): SharedLinkParts {
    const partsOf = ({ worth, links }: GrowingSum) => ({ worth: worth.limbs, links: links.limbs })
    return { all: partsOf(this.#all), lists: partsOf(this.#lists) }
  }

  /**
   * What new links are worth, by the class of the page they are found through: the mean over links found so far
   * of what their pages are worth beyond the price of a fetch. A fetch has to be paid with the price, quality ×
   * days, and a page once held serves until the horizon: only what is beyond is won by knowing of it.
   */
  worth({ all, lists }: SharedLinkSums = sharedSums([this.parts])): LinksWorth {
    const ofAll = all.links > 0 ? all.worth / all.links : 0
    const mean = (worth: number, links: number) =>
      links > 0 ? (worth + TRUST_IN_ALL * ofAll) / (links + TRUST_IN_ALL) : ofAll
    // A class without links may be one that others have: it is worth the same to the last bit.
    const means = this.#worths.map((worth, number) => mean(worth, this.#links[number]))
    const ofLists = mean(lists.worth, lists.links)
    return {
      ofAll,
      of: (number) => {
        if (number === LISTS) return ofLists
        return number < means.length ? means[number] : ofAll
      },
    }
  }
}

interface GrowingSum {
  readonly worth: ExactSum
  readonly links: ExactSum
}

function add(to: GrowingSum, worth: number, links: number): void {
  to.worth.add(worth)
  to.links.add(links)
}

/** What all buckets' links come to together. */
export function sharedSums(all: readonly SharedLinkParts[]): SharedLinkSums {
  const sumOf = (partOf: (one: SharedLinkParts) => SumLimbs) => {
    const sum = new ExactSum()
    for (const one of all) sum.addLimbs(partOf(one))
    return sum.value
  }
  return {
    all: { worth: sumOf((one) => one.all.worth), links: sumOf((one) => one.all.links) },
    lists: { worth: sumOf((one) => one.lists.worth), links: sumOf((one) => one.lists.links) },
  }
}

/** What links are worth at a price, by those of one crawl alone. */
export function linksWorth(found: FoundLinks, price: number): LinksWorth {
  return new LinkSums(found, price).worth()
}

/**
 * Every known URL with who found it, and what it is predicted to gain by bids for new pages, or was before it was
 * fetched. What it did gain is no guide, since nobody can choose links by that. So URLs that were fetched before
 * anything was predicted are left out: their gains were large because little was held.
 */
export function foundLinks(
  { frontier, histories, corrections }: Pick<Lessons, 'frontier' | 'histories' | 'corrections'>,
  { urls, gains, expected = gains }: Pick<Bids, 'urls' | 'gains' | 'expected'>,
): FoundLinks {
  const corrected = (url: number, prediction: number) =>
    corrections.corrected('acquire', url, prediction)
  const finders = frontier.discoveries.finders()
  const classes = frontier.classes.all()
  const finderClasses = new Int32Array(finders.length).fill(NOBODY)
  const values = new Float64Array(finders.length)
  for (let i = 0; i < urls.length; i++) values[urls[i]] = corrected(urls[i], expected[i])
  for (let url = 0; url < values.length; url++) {
    if (finders[url] === NOBODY) continue
    finderClasses[url] = finderClassOf(finders[url], classes, frontier)
    const prediction = histories.firstPredictionOf(url)
    if (!Number.isNaN(prediction)) values[url] = corrected(url, prediction)
    else if (!Number.isNaN(histories.firstGainOf(url))) finderClasses[url] = NOBODY
  }
  return { finderClasses, values }
}

/** What a link is worth, by the class of the page that shows it; worked out once for each price. */
export function worthOfLinks(
  lessons: Pick<Lessons, 'frontier' | 'histories' | 'corrections'>,
  acquire: Bids,
): (url: number, price: number) => number {
  const classes = lessons.frontier.classes.all()
  let latest: { readonly price: number; readonly worth: LinksWorth } | undefined
  return (url, price) => {
    // All that links are judged by is too large to be kept for another price, which seldom comes.
    if (latest?.price !== price)
      latest = { price, worth: linksWorth(foundLinks(lessons, acquire), price) }
    return latest.worth.of(finderClassOf(url, classes, lessons.frontier))
  }
}

/** The class of a page as one that leads to others. */
export function finderClassOf(url: number, classes: Uint32Array, frontier: Frontier): number {
  return listKindOf(url, frontier) ? LISTS : classes[url] + 1
}
