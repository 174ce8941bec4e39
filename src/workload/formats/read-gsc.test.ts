import { expect, test } from 'vitest'
import { malformedIn, recordsIn } from '../log-reader.test-kit.ts'
import { gscReader } from './read-gsc.ts'

test.each([
  ['English', 'Top queries,Clicks,Impressions,CTR,Position', '12.5%,3.4'],
  ['German', 'Häufigste Suchanfragen,Klicks,Impressionen,CTR,Position', '"12,5 %","3,4"'],
  ['a language we do not know', 'Legnépszerűbb,Kattintás,Megjelenés,Arány,Hely', '12%,3'],
])('an export in %s', (_, header, rest) => {
  expect(recordsIn(gscReader, `${header}\nred shoes,5,"1,240",${rest}`)).toEqual([
    { kind: 'asked', text: 'red shoes', count: 1240 },
  ])
})

test('columns are found by their names, and pages bring clicks', () => {
  const text = 'Page,Query,Impressions,Clicks,Position\nhttps://a.org/x,shoes,40,4,2.5'
  expect(recordsIn(gscReader, text)).toEqual([
    { kind: 'asked', text: 'shoes', count: 40 },
    { kind: 'click', text: 'shoes', url: 'https://a.org/x', count: 4, rank: 2.5 },
  ])
})

test('rows of the API, whatever their dimensions', () => {
  const rows = [
    { keys: ['red shoes'], clicks: 1, impressions: 10, ctr: 0.1, position: 3 },
    { keys: ['2026-01-31', 'boots', 'https://a.org/b'], clicks: 2, impressions: 5, position: 1.5 },
    { clicks: 1, impressions: 2 },
    { keys: ['x'], impressions: 'many' },
  ]
  const text = JSON.stringify({ rows, responseAggregationType: 'byPage' }, null, 1)
  const at = Date.UTC(2026, 0, 31) / 1000
  expect(recordsIn(gscReader, text)).toEqual([
    { kind: 'asked', text: 'red shoes', count: 10 },
    { kind: 'asked', text: 'boots', count: 5, at },
    { kind: 'click', text: 'boots', url: 'https://a.org/b', count: 2, rank: 1.5, at },
  ])
  expect(malformedIn(gscReader, text)).toEqual([
    expect.stringMatching(/no "keys"/),
    expect.stringMatching(/impressions are no number/),
  ])
})

test('malformed rows of an export are told', () => {
  const text = 'Top queries,Clicks,Impressions,CTR,Position\na,1\nb,x,5,1%,2\n,1,2,1%,2\nc,1,2,1%,2'
  expect(malformedIn(gscReader, text)).toEqual([
    '2: fewer than 3 columns',
    '3: the number of clicks is no number',
    '4: no query text',
  ])
  expect(recordsIn(gscReader, text)).toHaveLength(1)
})
