import { expect, test } from 'vitest'
import { malformedIn, recordsIn, unusedIn } from '../log-reader.test-kit.ts'
import { csvReader } from './read-csv.ts'

test('queries with counts, and clicks where they are known', () => {
  const text = `query,count,url,clicks
red shoes,12
"shoes, red",3,https://shop.example/red,2
"say ""hi""",1
bare`
  expect(recordsIn(csvReader, text)).toEqual([
    { kind: 'asked', text: 'red shoes', count: 12 },
    { kind: 'asked', text: 'shoes, red', count: 3 },
    { kind: 'click', text: 'shoes, red', url: 'https://shop.example/red', count: 2 },
    { kind: 'asked', text: 'say "hi"', count: 1 },
    { kind: 'asked', text: 'bare', count: 1 },
  ])
  expect(recordsIn(csvReader, 'no header,5')).toHaveLength(1)
})

test('each malformed row is told with its line, the rest is read, and so are searches whose clicks are left out', () => {
  const text = `a,1
b,many
,3
c,1,not a url,1
d,1,,4
e,1,https://a.org/,x
f,1,2,3,4,5
"g
h,2
z,0`
  expect(malformedIn(csvReader, text)).toEqual([
    '2: the count is no number',
    '3: no query text',
    '6: the number of clicks is no number',
    '7: more columns than query,count,url,clicks',
    '8: a quote is not closed',
  ])
  expect(recordsIn(csvReader, text)).toEqual([
    { kind: 'asked', text: 'a', count: 1 },
    { kind: 'asked', text: 'c', count: 1 },
    { kind: 'asked', text: 'd', count: 1 },
    { kind: 'asked', text: 'h', count: 2 },
  ])
  expect(unusedIn(csvReader, text)).toEqual([
    'clicks on no web address',
    'clicks without a URL',
    'asked 0 times',
  ])
})

test('a table between colons is something else, and no query', () => {
  expect(malformedIn(csvReader, 'root:x:0:0:root:/root:/bin/sh')).toEqual([
    '1: fields between colons: query,count needs commas, semicolons or tabs',
  ])
  expect(recordsIn(csvReader, 'mass effect: andromeda 10:30:00 patch')).toHaveLength(1)
})
