import type { Frontier } from '#frontier/frontier.ts'
import type { CrawlStore } from '#repository/state/crawl-store.ts'

/** One try to fetch a URL. */
export interface PastFetch {
  readonly at: number
  readonly purpose: string
  readonly outcome: string
  readonly status?: number
  readonly reason?: string
  readonly changed?: boolean
  readonly newUrls: number
  /** What the plan expected of it, and what it was worth to the queries then tracked. */
  readonly predictedGain: number
  readonly realisedGain?: number
}

/** The copy of a page that is held. */
export interface HeldCopy {
  readonly title: string
  readonly fetchedAt: number
  readonly textLength: number
  readonly contentHash: string
  readonly versions: number
  readonly etag?: string
  readonly lastModified?: string
  readonly language?: string
  readonly canonical?: string
  readonly noindex: boolean
  readonly softError: boolean
  /** The page that said the same before. */
  readonly duplicateOf?: string
  /** Pages that say the same and came later. */
  readonly duplicates: readonly string[]
}

/** All fetches of a URL that were finished, the first one first. */
export async function pastFetches(store: CrawlStore, url: number): Promise<PastFetch[]> {
  const rows = await store.query(
    `SELECT fetched_at, purpose, outcome, status::DOUBLE AS status, reason, changed,
            new_urls::DOUBLE AS new_urls, predicted_gain, realised_gain
     FROM fetch_log WHERE url_id = ${url} ORDER BY id`,
  )
  return rows.map((row) => ({
    at: Number(row.fetched_at),
    purpose: String(row.purpose),
    outcome: String(row.outcome),
    ...(row.status !== null && { status: Number(row.status) }),
    ...(row.reason !== null && row.reason !== '' && { reason: String(row.reason) }),
    ...(row.changed !== null && { changed: row.changed === true }),
    newUrls: Number(row.new_urls ?? 0),
    predictedGain: Number(row.predicted_gain),
    ...(row.realised_gain !== null && { realisedGain: Number(row.realised_gain) }),
  }))
}

/** The copy held of a URL, if there is one. */
export async function heldCopy(
  store: CrawlStore,
  frontier: Frontier,
  url: number,
): Promise<HeldCopy | undefined> {
  const [row] = await store.query(
    `SELECT * EXCLUDE (text_length, duplicate_of), text_length::DOUBLE AS text_length,
            duplicate_of::DOUBLE AS duplicate_of
     FROM page WHERE url_id = ${url} ORDER BY fetch_id DESC LIMIT 1`,
  )
  if (row === undefined) return undefined
  const [{ versions }] = await store.query(
    `SELECT count(DISTINCT content_hash)::DOUBLE AS versions FROM page WHERE url_id = ${url}`,
  )
  const copies = await store.query(
    `SELECT DISTINCT url_id::DOUBLE AS id FROM page WHERE duplicate_of = ${url} ORDER BY id`,
  )
  const given = (name: string, value: unknown) =>
    value === null || value === '' ? {} : { [name]: String(value) }
  return {
    title: String(row.title ?? ''),
    fetchedAt: Number(row.fetched_at),
    textLength: Number(row.text_length),
    contentHash: String(row.content_hash),
    versions: Number(versions),
    ...given('etag', row.etag),
    ...given('lastModified', row.last_modified),
    ...given('language', row.language),
    ...given('canonical', row.canonical),
    noindex: row.noindex === true,
    softError: row.soft_error === true,
    ...(row.duplicate_of !== null && {
      duplicateOf: frontier.urls.urlOf(Number(row.duplicate_of)),
    }),
    duplicates: copies.map(({ id }) => frontier.urls.urlOf(Number(id))),
  }
}
