import { NOBODY } from '#frontier/urls/url-states.ts'
import type { Lessons } from '#learn/lessons.ts'
import type { Bids } from '../bids.ts'
import { type FoundLinks, type LinksWorth, linksWorth } from './links-worth.ts'

/**
 * Every known URL with who found it, and what it is predicted to gain by bids for new pages, or was before it was
 * fetched. What it did gain is no guide, since nobody can choose links by that; it counts only where nothing was
 * predicted.
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
    finderClasses[url] = classes[finders[url]]
    const gained = histories.firstGainOf(url)
    const prediction = histories.firstPredictionOf(url)
    if (!Number.isNaN(prediction)) values[url] = corrected(url, prediction)
    else if (!Number.isNaN(gained)) values[url] = gained
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
    return latest.worth.of(classes[url])
  }
}
