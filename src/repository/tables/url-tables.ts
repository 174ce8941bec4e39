import type { Frontier } from '#frontier/frontier.ts'
import { URL_SOURCES } from '#frontier/urls/url-states.ts'
import { columnsFrom, definePlainTable, defineTable } from '../database/define-table.ts'

/** A URL, host or anchor by its number in a frontier. */
interface Numbered {
  readonly id: number
  readonly frontier: Frontier
}

interface NumberedUrl extends Numbered {
  /** Of all URLs. */
  readonly hashes: ReturnType<Frontier['urls']['hashes']>
}

const { integer, double, text, word, hash } = columnsFrom<NumberedUrl>()
const numbered = columnsFrom<Numbered>()

/** Every URL that is known, in the order in which they were found. */
export const URL_TABLE = defineTable('url', {
  id: integer(({ id }) => id),
  /** Its identity across machines. */
  hash: hash(({ id, hashes }) => [hashes.low[id], hashes.high[id]]),
  url: text(({ id, frontier }) => frontier.urls.urlOf(id)),
  host_id: integer(({ id, frontier }) => frontier.urls.hostNumberOf(id)),
  depth: integer(({ id, frontier }) => frontier.discoveries.depthOf(id)),
  source: word(URL_SOURCES, ({ id, frontier }) => frontier.discoveries.sourceOf(id)),
  first_seen: double(({ id, frontier }) => frontier.discoveries.firstSeenOf(id)),
  pattern: integer(({ id, frontier }) => frontier.patterns.numberOf(id)),
  /** The page that linked to it first. */
  found_by: integer(({ id, frontier }) => frontier.discoveries.finderOf(id)),
})

/** Hosts and their registrable domains. */
export const HOST = defineTable('host', {
  id: numbered.integer(({ id }) => id),
  name: numbered.text(({ id, frontier }) => frontier.urls.hostName(id)),
  domain: numbered.text(({ id, frontier }) => frontier.urls.domainName(id)),
})

/** Texts of links, each of them once. */
export const ANCHOR = defineTable('anchor', {
  id: numbered.integer(({ id }) => id),
  text: numbered.text(({ id, frontier }) => frontier.links.anchors.at(id)),
})

/** The links of each page's contents, fetch by fetch: those of its latest fetch with news are its links now. */
export const LINK = definePlainTable('link', {
  src: 'integer',
  fetch_id: 'integer',
  dst: 'integer',
  anchor_id: 'integer',
  rel: 'integer',
})
