/**
 * Where a URL stands. `known` and `failed` may be fetched (a failed one when its time comes, a few
 * times); `page` is held and refreshed. What we were kept from, `disallowed` by robots.txt or `forbidden` by our
 * own rules, is asked about again when its time comes, as either may change. The others get a second look after
 * months, if the budget has room for it: most stay as they are.
 */
export const URL_STATES = [
  'known',
  'page',
  'redirect',
  'gone',
  'unreadable',
  'denied',
  'disallowed',
  'failed',
  'forbidden',
] as const

export type UrlState = (typeof URL_STATES)[number]

/** What one fetch told about its URL. */
export interface Visit {
  readonly state: UrlState
  readonly at: number
  /** When a URL that failed, or that we were kept from, may be tried again; of others only what was stored. */
  readonly retryAt?: number
  /** Of new content; see `contentKey`. */
  readonly contentKey?: number
}

/** Whether robots.txt or our own rules kept us from asking. */
export function isKeptOut(state: string): state is 'disallowed' | 'forbidden' {
  return state === 'disallowed' || state === 'forbidden'
}

/** Whether the server answered, and with no page. */
export function isNoPage(state: string): state is 'redirect' | 'gone' | 'unreadable' | 'denied' {
  return state === 'redirect' || state === 'gone' || state === 'unreadable' || state === 'denied'
}

/** How a URL came to be known. */
export const URL_SOURCES = [
  'seed',
  'link',
  'redirect',
  'sitemap',
  'feed',
  'header',
  'robots',
  'sitemap-index',
  'usual-place',
  'operator',
  'told',
] as const

export type UrlSource = (typeof URL_SOURCES)[number]

/** In place of the page that found a URL: a seed, or a URL that came beside pages. */
export const NOBODY = -1
