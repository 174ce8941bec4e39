import { definePlainTable, type RowOf, type Table } from '../database/define-table.ts'
import { CYCLE, FETCH_LOG } from '../tables/fetch-tables.ts'
import { CHANGE_CLAIM, PAGE } from '../tables/page-tables.ts'
import { QUERY_PROGRESS } from '../tables/query-tables.ts'
import { ANCHOR, HOST, LINK, URL_TABLE } from '../tables/url-tables.ts'

/** Links from pages of other buckets, list by list; the latest list of a page counts. One without a target is empty. */
export const FOREIGN_LINK = definePlainTable('foreign_link', {
  told_at: 'double',
  src: 'integer',
  dst: 'integer',
  anchor_id: 'integer',
  rel: 'integer',
})

/** What a bucket knows: the tables of any crawl, and links from elsewhere. They grow by appending. */
export const STATE_TABLES: readonly Table[] = [
  ...[URL_TABLE, HOST, FETCH_LOG, PAGE, LINK, ANCHOR, CYCLE, CHANGE_CLAIM, QUERY_PROGRESS],
  FOREIGN_LINK,
]

/**
 * What a bucket tells others, sorted by whom it tells: the links of pages that changed, and URLs found beside pages, which
 * have no page. A list without a URL is empty.
 */
export const EXCHANGE = definePlainTable('exchange', {
  dest: 'integer',
  page: 'text',
  page_depth: 'integer',
  fetched_at: 'double',
  share: 'double',
  share_before: 'double',
  url: 'text',
  source: 'text',
  depth: 'integer',
  anchor: 'text',
  rel: 'integer',
})
export type ExchangeRow = RowOf<typeof EXCHANGE>

/** Pages that link into other buckets, as a plan is made: how many links they have, and which buckets those lead to. */
export const LINKED = definePlainTable('linked', {
  url_id: 'integer',
  links: 'integer',
  dests: 'text',
})

/** What our copies came with, to ask whether they are still good; of URLs that have something. */
export const VALIDATOR = definePlainTable('validator', {
  url_id: 'integer',
  etag: 'text',
  last_modified: 'text',
})
