import type { SearchEngine } from '#search/engine/search-engine.ts'
import type { Result } from '#search/full-text/best-results.ts'
import { idOf, type OpenSearchClient } from './opensearch-client.ts'

/** So many searches go into one request, and so many pages into one filter. */
const SEARCHES_AT_ONCE = 200
const PAGES_AT_ONCE = 1_000
/** Where queries look if the address does not say. */
const USUAL_FIELDS = ['title^3', 'text']

/** How pages are called in a crawl, and by the engine. */
interface PageNames {
  readonly urlOf: (page: number) => string
  readonly numberOf: (url: string) => number | undefined
}

/** An index of OpenSearch as the engine whose scores count. */
export function openSearchEngine(client: OpenSearchClient, names: PageNames): SearchEngine {
  const { fields = USUAL_FIELDS } = client.address
  const asked = (query: string) => ({ multi_match: { query, fields } })
  const searchAll = async (bodies: readonly object[]) => {
    const hits = []
    for (let first = 0; first < bodies.length; first += SEARCHES_AT_ONCE)
      hits.push(...(await client.searchAll(bodies.slice(first, first + SEARCHES_AT_ONCE))))
    return hits
  }
  const scoresOf = async (queries: readonly string[], pages: readonly number[]) => {
    const ids = pages.map((page) => idOf(names.urlOf(page)))
    const hits = await searchAll(
      queries.map((query) => ({
        ...{ size: ids.length, _source: false, track_total_hits: false },
        query: { bool: { must: [asked(query)], filter: [{ ids: { values: ids } }] } },
      })),
    )
    return hits.map((found) => {
      const scoreOf = new Map(found.map(({ _id, _score }) => [_id, _score]))
      return Float64Array.from(ids, (id) => scoreOf.get(id) ?? 0)
    })
  }
  return {
    keep: async (pages) => {
      const writes = pages.map(({ url, at, title, text }) => ({
        ...{ url, version: versionOf(at) },
        document: { url, host: new URL(url).host, title, text, fetched_at: dateOf(at) },
      }))
      if (writes.length > 0) await client.write(writes)
      await client.refresh()
    },
    forget: async (pages) => {
      if (pages.length === 0) return
      await client.write(pages.map(({ url, at }) => ({ url, version: versionOf(at) })))
      await client.refresh()
    },
    scoresOf: async (queries, pages) => {
      const parts: (readonly Float64Array[])[] = []
      for (let first = 0; first < pages.length; first += PAGES_AT_ONCE)
        parts.push(await scoresOf(queries, pages.slice(first, first + PAGES_AT_ONCE)))
      return queries.map((_, query) => Float64Array.from(parts.flatMap((part) => [...part[query]])))
    },
    curvesOf: async (queries, depth) => {
      const hits = await searchAll(
        queries.map((query) => ({
          ...{ size: depth, _source: false, docvalue_fields: ['url'], track_total_hits: false },
          query: asked(query),
        })),
      )
      return hits.map((found) =>
        found.flatMap(({ _score, fields }): Result[] => {
          const url = names.numberOf(fields?.url?.[0] ?? '')
          return url === undefined ? [] : [{ url, score: _score }]
        }),
      )
    },
  }
}

/** Whole milliseconds, as exported pages have them too. */
function versionOf(seconds: number): number {
  return Math.floor(seconds * 1000)
}

function dateOf(seconds: number): string {
  return new Date(versionOf(seconds)).toISOString()
}
