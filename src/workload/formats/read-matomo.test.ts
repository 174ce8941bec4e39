import { expect, test } from 'vitest'
import { malformedIn, recordsIn, unusedIn } from '../log-reader.test-kit.ts'
import { matomoReader } from './read-matomo.ts'

const asked = [
  { kind: 'asked', text: 'red shoes', count: 7 },
  { kind: 'asked', text: 'boots', count: 2 },
]

test('keywords as CSV, whatever the order of columns', () => {
  const text =
    'label,nb_visits,nb_hits,bounce_rate\nred shoes,5,7,20%\nboots,1,2,0%\nOthers,9,30,1%'
  expect(recordsIn(matomoReader, text)).toEqual(asked)
  expect(unusedIn(matomoReader, text)).toEqual(['a summary of rare keywords'])
})

test('visits count where hits are missing, in a row or in all', () => {
  const text = 'label\tnb_visits\tnb_hits\nred shoes\t5\t7\nboots\t2\t'
  expect(recordsIn(matomoReader, text)).toEqual(asked)
  expect(recordsIn(matomoReader, 'Keyword,Visits\nred shoes,7\nboots,2')).toEqual(asked)
})

test('keywords as JSON', () => {
  const rows = [
    { label: 'red shoes', nb_hits: 7 },
    { label: 'boots', nb_visits: 2 },
  ]
  expect(recordsIn(matomoReader, JSON.stringify(rows))).toEqual(asked)
})

test('malformed ones are told', () => {
  expect(malformedIn(matomoReader, 'label,nb_hits\na,many\n,3\nb,1')).toEqual([
    '2: the count is no number',
    '3: no query text',
  ])
  expect(malformedIn(matomoReader, '[{"nb_hits": 3},\n{"label": "x"}]')).toEqual([
    '1: no query text',
    '2: the count is no number',
  ])
  expect(malformedIn(matomoReader, 'foo,bar\na,1')).toEqual([expect.stringMatching(/no header/)])
})
