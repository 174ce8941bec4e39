import type { DuckDBConnection } from '@duckdb/node-api'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type FetchOutcome, OUTCOME_KINDS, type PageOutcome } from '#learn/entries/outcome.ts'
import { type ObservedFetch, observedFetch } from '#learn/histories.ts'
import { cases } from '#numeric/cases.test-kit.ts'
import { PURPOSES } from '#policy/bids.ts'
import { appendRows } from '../database/append-columns.ts'
import { openDatabase } from '../database/open-database.ts'
import { replayFetches } from '../state/replay-fetches.ts'
import { sharedFolder } from '../temporary-folder.test-kit.ts'
import { FETCH_LOG, type NumberedFetch } from './fetch-tables.ts'
import { PAGE } from './page-tables.ts'
import { migrate } from './schema.ts'

const dir = sharedFolder()
let connection: DuckDBConnection
let close: () => void
beforeAll(async () => {
  ;({ connection, close } = await openDatabase(dir))
  await migrate(connection, dir)
})
beforeEach(() => connection.run('DELETE FROM fetch_log; DELETE FROM page'))
afterAll(() => {
  close()
})

const page: PageOutcome['page'] = {
  ...{ form: 'page', title: 'the title', text: 'the text', links: [], noindex: true },
  ...{ nofollow: false, language: 'en', canonical: 'https://a.org/c', contentUsage: 'ai=n' },
  ...{
    noarchive: true,
    nosnippet: false,
    unavailableAfter: 99.5,
    cut: true as const,
    declaredLanguage: 'fr',
  },
  format: 'pdf',
  data: {
    ...{ type: 'Article', title: 'T', description: 'D', author: 'A', image: 'https://a.org/i' },
    ...{ published: 1.5, modified: 2.5, json: '{"openGraph":{}}' },
  },
  fields: { price: '5', tags: ['a', 'b'] },
}
const outcome: PageOutcome = {
  ...{ kind: 'page', id: 11, url: 'https://a.org/', at: 12.5, ms: 13.5, status: 200 },
  ...{ bytes: 5e9, page, contentHash: 'f0f0', etag: '"tag"', lastModified: 'Sun' },
  rendering: { state: 'done', cost: 34 },
}
const fetch: NumberedFetch = {
  ...{ fetchId: 14, cycle: 15, retryAt: 16.5, outcome, purpose: 'refresh', predictedGain: 17.5 },
  ...{ changed: true, contentChanged: false, fresh: true, newUrls: 18, newLinks: 19 },
  ...{ inLinks: 22, postponed: false, claimRight: false },
  ...{
    unclaimed: true,
    warc: { file: 'f.warc.gz', offset: 6e9 },
    realisedGain: 23.5,
    anchorGain: 33.5,
  },
  ...{ views: 24.5, bid: 25.5, parts: { acquire: 26.5, refresh: 27.5, discover: 28.5 } },
  ...{ probability: 29.5, prediction: { acquire: 30.5, refresh: 31.5, links: 32.5, render: 35.5 } },
}

// Every number is another one, so no two columns can be swapped unnoticed.
test('each column of the fetch log has the value of its own field', async () => {
  await appendRows(connection, FETCH_LOG, [fetch])
  const [row] = (await connection.runAndReadAll('SELECT * FROM fetch_log')).getRowObjectsJS()
  expect(row).toEqual({
    ...{ id: 14n, cycle: 15n, url_id: 11n, fetched_at: 12.5, purpose: 'refresh' },
    ...{ outcome: 'page', status: 200n, reason: null, cost: 34n, bytes: 5_000_000_000n, ms: 13.5 },
    ...{ retry_at: 16.5, postponed: false, warc_file: 'f.warc.gz', warc_offset: 6_000_000_000n },
    ...{ changed: true, fresh: true, content_changed: false, new_urls: 18n, new_links: 19n },
    ...{ found_before: null, rival_id: null, in_links: 22n, claim_right: false, unclaimed: true },
    headers: null,
    ...{ predicted_gain: 17.5, realised_gain: 23.5, anchor_gain: 33.5, clicks: 24.5 },
    ...{ probability: 29.5, bid: 25.5 },
    ...{ bid_acquire: 26.5, bid_refresh: 27.5, bid_discover: 28.5 },
    ...{ thought_acquire: 30.5, thought_refresh: 31.5, thought_links: 32.5 },
    ...{ rendering: 'done', thought_render: 35.5 },
  })
})

test('what a fetch has not is none in the log', async () => {
  const failed: FetchOutcome = {
    ...{ kind: 'failed', id: 1, url: 'https://a.org/', at: 2, ms: 3, sent: false },
    reason: 'timeout',
  }
  const bare: NumberedFetch = {
    ...{ fetchId: 0, cycle: 1, retryAt: 0, outcome: failed, purpose: 'acquire', predictedGain: 0 },
    ...{ changed: false, contentChanged: false, fresh: false, newUrls: 0, newLinks: 0 },
    ...{ inLinks: 0 },
  }
  await appendRows(connection, FETCH_LOG, [bare])
  const [row] = (await connection.runAndReadAll('SELECT * FROM fetch_log')).getRowObjectsJS()
  const none = Object.keys(row).filter((name) => row[name] === null)
  expect(none.sort()).toEqual(
    [
      ...['status', 'warc_file', 'warc_offset', 'claim_right', 'realised_gain'],
      'anchor_gain',
      ...['clicks', 'probability', 'bid', 'bid_acquire', 'bid_refresh', 'bid_discover'],
      ...['thought_acquire', 'thought_refresh', 'thought_links', 'headers'],
      ...['rendering', 'thought_render', 'found_before', 'rival_id'],
    ].sort(),
  )
  expect(row).toMatchObject({ reason: 'timeout', cost: 0n, bytes: 0n, postponed: false })
})

test('of content that is not new the log has what it came with', async () => {
  await appendRows(connection, FETCH_LOG, [{ ...fetch, changed: false }])
  const [row] = (await connection.runAndReadAll('SELECT headers FROM fetch_log')).getRowObjectsJS()
  const headers = { etag: '"tag"', lastModified: 'Sun', unavailableAfter: 99.5 }
  expect(JSON.parse(String(row.headers))).toEqual(headers)
})

test('each column of a page has the value of its own field', async () => {
  const marks = { fingerprint: [1, 2], simhash: [3, 4], words: 5, title: 6 } as const
  await appendRows(connection, PAGE, [
    { fetchId: 7, outcome, marks, duplicateOf: 8, softError: true },
  ])
  const [row] = (await connection.runAndReadAll('SELECT * FROM page')).getRowObjectsJS()
  expect(row).toEqual({
    ...{ url_id: 11n, fetch_id: 7n, fetched_at: 12.5, content_hash: 'f0f0', etag: '"tag"' },
    ...{ last_modified: 'Sun', title: 'the title', language: 'en', text_length: 8n },
    ...{ canonical: 'https://a.org/c', noindex: true, nofollow: false, form: 'page' },
    ...{ fingerprint: (2n << 32n) + 1n, simhash: (4n << 32n) + 3n, words: 5n, duplicate_of: 8n },
    ...{ soft_error: true, content_usage: 'ai=n', noarchive: true, nosnippet: false },
    unavailable_after: 99.5,
    declared_language: 'fr',
    cut: true,
    ...{ format: 'pdf', data_type: 'Article', data_title: 'T', description: 'D', author: 'A' },
    ...{ published_at: 1.5, modified_at: 2.5, image: 'https://a.org/i', data: '{"openGraph":{}}' },
    fields: '{"price":"5","tags":["a","b"]}',
  })
})

test('a fetch of the log tells what it told when it was made', { timeout: 600_000 }, async () => {
  const number = fc.double({ noNaN: true })
  const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
  const fetches = fc.array(
    fc.record({
      purpose: fc.constantFrom(...PURPOSES),
      kind: fc.constantFrom(...OUTCOME_KINDS),
      ...{ at: number, contentChanged: fc.boolean(), newUrls: fc.nat(), inLinks: fc.nat() },
      ...{
        realisedGain: maybe(number),
        anchorGain: maybe(fc.double({ min: 1e-9, noNaN: true })),
        views: maybe(number),
      },
      prediction: maybe(
        fc.record({ acquire: number, refresh: number, links: number }, { requiredKeys: ['links'] }),
      ),
    }),
    { minLength: 1, maxLength: 20 },
  )
  const property = fc.asyncProperty(fetches, async (some) => {
    await connection.run('DELETE FROM fetch_log')
    const rows = some.map(({ kind, at, ...told }, fetchId): NumberedFetch => {
      const answered = { ...outcome, kind, at, rule: '', reason: '', target: '', sent: true }
      return { ...fetch, ...told, fetchId, outcome: answered as FetchOutcome }
    })
    await appendRows(connection, FETCH_LOG, rows)
    const replayed: ObservedFetch[] = []
    await replayFetches(connection, (observed) => replayed.push(observed))
    expect(replayed).toEqual(rows.map(observedFetch))
  })
  await fc.assert(property, { numRuns: cases(20) })
})
