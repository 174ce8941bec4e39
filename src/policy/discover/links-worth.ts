import type { Frontier } from '#frontier/frontier.ts'
import { NOBODY } from '#frontier/urls/url-states.ts'
import type { Lessons } from '#learn/lessons.ts'
import { listKindOf } from '#learn/yields/first-yields.ts'
import { boundOf } from '#numeric/bound-of.ts'
import type { Bids } from '../bids.ts'
import { beyondPrice } from '../budget/one-currency.ts'

/** All known URLs, in the order they were found. */
interface FoundLinks {
  /** By URL: the class of the page that led to it, as `finderClassOf` numbers them, or NOBODY. */
  readonly finderClasses: Int32Array
  /** By URL: its value in quality, as it was predicted before its first fetch, or is now. */
  readonly values: Float64Array
}

/** What a link that is found is worth, a day; in quality. */
export interface LinksWorth {
  /** Through any page. */
  readonly ofAll: number
  /** Through pages of a class. */
  of(classNumber: number): number
}

/** Links through any page count as so many through those of a class. */
const TRUST_IN_ALL = 10
/**
 * A link counts half as much as one that was found when a quarter more of all URLs was known: first gains
 * were large while little was held, and new links are more like the latest.
 */
const HALF_LIFE_SHARE = 0.25

/**
 * What new links are worth, by the class of the page they are found through: the mean over links found so far
 * of what their pages are worth beyond the price of a fetch. A fetch has to be paid with the price, quality ×
 * days, and a page once held serves until the horizon: only what is beyond is won by knowing of it.
 */
export function linksWorth({ finderClasses, values }: FoundLinks, price: number): LinksWorth {
  const size = finderClasses.length
  const classes = boundOf(finderClasses)
  const [worths, links] = [new Float64Array(classes), new Float64Array(classes)]
  let [allWorth, allLinks] = [0, 0]
  const growth = 2 ** (1 / (size * HALF_LIFE_SHARE))
  let weight = 2 ** (-1 / HALF_LIFE_SHARE)
  for (let url = 0; url < size; url++, weight *= growth) {
    const classNumber = finderClasses[url]
    if (classNumber === NOBODY) continue
    const worth = weight * beyondPrice(values[url], price)
    worths[classNumber] += worth
    links[classNumber] += weight
    allWorth += worth
    allLinks += weight
  }
  const ofAll = allLinks > 0 ? allWorth / allLinks : 0
  return {
    ofAll,
    of: (classNumber) =>
      classNumber < classes
        ? (worths[classNumber] + TRUST_IN_ALL * ofAll) / (links[classNumber] + TRUST_IN_ALL)
        : ofAll,
  }
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

/** Sitemaps and feeds of all hosts are one class: what they name is mostly known by its address alone. */
const LISTS = 0

export function finderClassOf(url: number, classes: Uint32Array, frontier: Frontier): number {
  return listKindOf(url, frontier) ? LISTS : classes[url] + 1
}
