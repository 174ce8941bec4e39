import type { RefreshFacts } from './graph-facts.ts'
import { isKeptOut, isNoPage, URL_STATES } from './urls/url-states.ts'

const KNOWN = URL_STATES.indexOf('known')
const FAILED = URL_STATES.indexOf('failed')
const PAGE = URL_STATES.indexOf('page')
const IS_NO_PAGE: readonly boolean[] = URL_STATES.map(isNoPage)

/** A failed URL is tried this often; after that only as a second look. */
export const MAX_FAILURES = 3

/** By URL: its state, when it may be tried again (0 if nothing was said), and how often in a row it failed. */
export interface Waits {
  readonly states: Uint8Array
  readonly retryAt: Float64Array
  readonly failures: Uint8Array
  /** Whether the operator has it left alone. */
  readonly isLeftAlone: (url: number) => boolean
}

/** URLs that may be fetched for the first time now, ascending. */
export function unfetchedUrls(waits: Waits, now: number): Uint32Array {
  const urlCount = waits.states.length
  const found = new Uint32Array(urlCount)
  let count = 0
  for (let url = 0; url < urlCount; url++)
    if (mayBeFetchedFirst(waits, url, now)) found[count++] = url
  return found.slice(0, count)
}

/** Whether a URL may be fetched for the first time now. */
export function mayBeFetchedFirst(
  { states, retryAt, failures, isLeftAlone }: Waits,
  url: number,
  now: number,
): boolean {
  const isOpen =
    states[url] === KNOWN ||
    (states[url] === FAILED && failures[url] < MAX_FAILURES) ||
    (retryAt[url] > 0 && isKeptOut(URL_STATES[states[url]]))
  return isOpen && retryAt[url] <= now && !isLeftAlone(url)
}

/** URLs that had no page, or failed time and again, and may be looked at once more now, ascending. */
export function secondLooks(
  { states, retryAt, failures, isLeftAlone }: Waits,
  now: number,
): Uint32Array {
  const found = new Uint32Array(states.length)
  let count = 0
  for (let url = 0; url < states.length; url++) {
    if (retryAt[url] === 0 || retryAt[url] > now || isLeftAlone(url)) continue
    const isGivenUp = states[url] === FAILED && failures[url] >= MAX_FAILURES
    if (isGivenUp || IS_NO_PAGE[states[url]]) found[count++] = url
  }
  return found.slice(0, count)
}

/** The pages held that may be fetched again now, ascending, and how old each copy is; only those that are wanted. */
export function heldPages(
  { states, retryAt, isLeftAlone }: Waits,
  lastVisit: Float64Array,
  now: number,
  isWanted: (url: number, ageSeconds: number) => boolean,
): RefreshFacts {
  const pages = new Uint32Array(states.length)
  const ages = new Float64Array(states.length)
  let count = 0
  for (let url = 0; url < states.length; url++) {
    const age = now - lastVisit[url]
    if (states[url] !== PAGE || retryAt[url] > now) continue
    if (isLeftAlone(url) || !isWanted(url, age)) continue
    pages[count] = url
    ages[count++] = age
  }
  return { pages: pages.subarray(0, count), ages: ages.subarray(0, count) }
}

/** Where no page was, one may be after so long; each time there is none again, twice as long, up to a year. */
const SECOND_LOOK_SECONDS = 30 * 86_400
/** What was a page before may be one again soon: sites have bad days. */
const LOOK_BACK_SECONDS = 7 * 86_400
const LAST_LOOK_SECONDS = 365 * 86_400

/** When to look again at a URL that was just found to have no page; it was in another state before. */
export function nextLookAt(
  { states, retryAt }: Waits,
  url: number,
  lastVisit: number,
  at: number,
): number {
  if (states[url] === PAGE) return at + LOOK_BACK_SECONDS
  const pause = IS_NO_PAGE[states[url]] ? 2 * (retryAt[url] - lastVisit) : 0
  return at + Math.min(Math.max(pause, SECOND_LOOK_SECONDS), LAST_LOOK_SECONDS)
}
