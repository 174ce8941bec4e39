import { expect, test } from 'vitest'
import { malformedIn, recordsIn, unusedIn } from '../log-reader.test-kit.ts'
import { ubiReader } from './read-ubi.ts'
import type { SearchEvent } from './ubi.ts'

const query: SearchEvent = {
  application: 'primary-search',
  query_id: 'q-1',
  client_id: 'c-9',
  user_query: 'Red Shoes',
  timestamp: '2026-01-31T12:00:00.000Z',
  object_id_field: 'url',
  query_response_hit_ids: ['https://a.org/1', 'https://a.org/2'],
}
const click: SearchEvent = {
  action_name: 'click_through',
  query_id: 'q-1',
  timestamp: '2026-01-31T12:00:05+01:00',
  event_attributes: { object: { object_id: 'https://a.org/2' }, position: { ordinal: 2 } },
}
const noon = Date.UTC(2026, 0, 31, 12) / 1000
const lines = (...records: unknown[]) => records.map((record) => JSON.stringify(record)).join('\n')

test('queries and events in any order, bare or dumped from an engine', () => {
  expect(recordsIn(ubiReader, lines(click, { _index: 'ubi_queries', _source: query }))).toEqual([
    {
      kind: 'click',
      name: 'q-1',
      url: 'https://a.org/2',
      count: 1,
      rank: 2,
      at: noon + 5 - 3600,
    },
    {
      kind: 'asked',
      text: 'Red Shoes',
      name: 'q-1',
      client: 'c-9',
      count: 1,
      at: noon,
      results: ['https://a.org/1', 'https://a.org/2'],
    },
  ])
})

test('a list in one document, as an engine answers, is read too', () => {
  const answer = { took: 3, hits: { total: 2, hits: [{ _source: query }, { _source: click }] } }
  const layouts = [
    JSON.stringify(answer),
    JSON.stringify(answer, null, 2),
    JSON.stringify([query, click]),
    JSON.stringify([query, click], null, 2),
  ]
  for (const text of layouts)
    expect(recordsIn(ubiReader, text).map(({ kind }) => kind)).toEqual(['asked', 'click'])
  expect(malformedIn(ubiReader, `[\n${JSON.stringify(query)},\n{"user_query": 5}`)).toEqual([
    '3: user_query is no text',
    '3: the list is cut off here',
  ])
  expect(malformedIn(ubiReader, '{"hits": {"hits": [5]}}')).toHaveLength(1)
  // A first line that is broken costs itself.
  for (const broken of ['[', '[]', '{"user_query'])
    expect(recordsIn(ubiReader, `${broken}\n${JSON.stringify(query)}`)).toHaveLength(1)
})

test.each([
  [{ ordinal: 3 }, 3],
  [{ ordinal: { index: 3 } }, 3],
  [{ ordinal: '3' }, 3],
  [{ ordinal: 0 }, undefined],
  [{ ordinal: {} }, undefined],
  [{ ordinal: null }, undefined],
  [{ xy: { x: 10, y: 200 } }, undefined],
  [undefined, undefined],
])('a click at position %j has rank %s', (position, rank) => {
  const at = { ...click, event_attributes: { object: { object_id: 'https://a.org/2' }, position } }
  const [record] = recordsIn(ubiReader, lines(at))
  expect(record).toMatchObject({ kind: 'click' })
  expect('rank' in record ? record.rank : undefined).toBe(rank)
})

test('a time may be in milliseconds, as engines store it', () => {
  const asked = { user_query: 'x', timestamp: noon * 1000 }
  expect(recordsIn(ubiReader, lines(asked))).toMatchObject([{ at: noon }])
  expect(malformedIn(ubiReader, lines({ ...asked, timestamp: noon }))).toHaveLength(1)
})

test('a time without a zone is UTC', () => {
  expect(
    recordsIn(ubiReader, lines({ user_query: 'x', timestamp: '2026-01-31T12:00:00' })),
  ).toEqual([{ kind: 'asked', text: 'x', count: 1, at: noon }])
})

test('each malformed line is told, and the rest is read', () => {
  const text = [
    '{"user_query": "cut off',
    '[5]',
    lines(
      { query_id: 'x' },
      { user_query: 5 },
      { user_query: 'x', timestamp: 'yesterday' },
      { user_query: 'x', query_response_hit_ids: 'y' },
      { ...click, query_id: undefined },
      { ...click, event_attributes: {} },
      query,
    ),
  ].join('\n')
  expect(malformedIn(ubiReader, text)).toEqual([
    '1: not a JSON object',
    '2: neither a UBI query (user_query) nor an event (action_name)',
    '3: neither a UBI query (user_query) nor an event (action_name)',
    '4: user_query is no text',
    '5: timestamp is no ISO 8601 time',
    '6: query_response_hit_ids is no list',
    '7: a click without query_id',
    '8: a click without event_attributes.object.object_id',
  ])
  expect(recordsIn(ubiReader, text)).toHaveLength(1)
})

test('events that are no clicks and objects that are no pages are left out', () => {
  const product = { ...click, event_attributes: { object: { object_id: 'SKU-5' } } }
  expect(unusedIn(ubiReader, lines({ ...click, action_name: 'view' }, product))).toEqual([
    'an event that is no click',
    'a click whose object_id is no URL',
  ])
})
