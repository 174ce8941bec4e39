import type { LearntFetch } from '#learn/entries/learnt-fetch.ts'
import type { PageOutcome } from '#learn/entries/outcome.ts'
import type { ParsedPage } from '#parse/page/page.ts'
import { wellFormedJson } from '#parse/text/json-value.ts'
import { columnsFrom, definePlainTable, defineTable, type RowOf } from '../database/define-table.ts'

/** A page with new content, and the fetch that brought it. */
export interface NewPage extends Pick<LearntFetch, 'marks' | 'duplicateOf' | 'softError'> {
  readonly fetchId: number
  readonly outcome: PageOutcome
}

const FORMS: readonly ParsedPage['form'][] = ['page', 'sitemap', 'feed']

const { integer, double, boolean, text, word, hash, computed } = columnsFrom<NewPage>()

/** Each new content of a page; the latest one is what it says now. */
export const PAGE = defineTable('page', {
  url_id: integer(({ outcome }) => outcome.id),
  fetch_id: integer(({ fetchId }) => fetchId),
  fetched_at: double(({ outcome }) => outcome.at),
  content_hash: text(({ outcome }) => outcome.contentHash),
  /** The first 52 bits of its hash. */
  content_key: computed("('0x' || substr(content_hash, 1, 13))::BIGINT::DOUBLE"),
  etag: text(({ outcome }) => outcome.etag),
  last_modified: text(({ outcome }) => outcome.lastModified),
  title: text(({ outcome }) => outcome.page.title),
  language: text(({ outcome }) => outcome.page.language),
  // The kept log has no texts, but tells how long they were.
  text_length: integer(({ outcome }) => outcome.textFacts?.length ?? outcome.page.text.length),
  canonical: text(({ outcome }) => outcome.page.canonical),
  noindex: boolean(({ outcome }) => outcome.page.noindex),
  nofollow: boolean(({ outcome }) => outcome.page.nofollow),
  form: word(FORMS, ({ outcome }) => outcome.page.form),
  fingerprint: hash(({ marks }) => marks?.fingerprint),
  simhash: hash(({ marks }) => marks?.simhash),
  words: integer(({ marks }) => marks?.words ?? 0),
  duplicate_of: integer(({ duplicateOf }) => duplicateOf),
  soft_error: boolean(({ softError }) => softError ?? false),
  content_usage: text(({ outcome }) => outcome.page.contentUsage),
  noarchive: boolean(({ outcome }) => outcome.page.noarchive ?? false),
  nosnippet: boolean(({ outcome }) => outcome.page.nosnippet ?? false),
  unavailable_after: double(({ outcome }) => outcome.page.unavailableAfter),
  declared_language: text(({ outcome }) => outcome.page.declaredLanguage, { since: 9 }),
  cut: boolean(({ outcome }) => outcome.page.cut ?? false, { since: 9 }),
  format: text(({ outcome }) => outcome.page.format, { since: 10 }),
  data_type: text(({ outcome }) => outcome.page.data?.type, { since: 10 }),
  data_title: text(({ outcome }) => outcome.page.data?.title, { since: 10 }),
  description: text(({ outcome }) => outcome.page.data?.description, { since: 10 }),
  author: text(({ outcome }) => outcome.page.data?.author, { since: 10 }),
  published_at: double(({ outcome }) => outcome.page.data?.published, { since: 10 }),
  modified_at: double(({ outcome }) => outcome.page.data?.modified, { since: 10 }),
  image: text(({ outcome }) => outcome.page.data?.image, { since: 10 }),
  data: text(({ outcome }) => outcome.page.data?.json, { since: 10 }),
  fields: text(({ outcome }) => jsonOf(outcome.page.fields), { since: 10 }),
})

function jsonOf(value: object | undefined): string | undefined {
  return value && wellFormedJson(value)
}

/** What sitemaps and feeds say of pages: that they changed then. */
export const CHANGE_CLAIM = definePlainTable('change_claim', {
  url_id: 'integer',
  hub_id: 'integer',
  changed_at: 'double',
  seen_at: 'double',
})

export type ChangeClaim = RowOf<typeof CHANGE_CLAIM>
