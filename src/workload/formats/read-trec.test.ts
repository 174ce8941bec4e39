import { expect, test } from 'vitest'
import { malformedIn, recordsIn } from '../log-reader.test-kit.ts'
import { trecReader } from './read-trec.ts'

test('topics and judgments, told apart by their looks', () => {
  const text =
    '301\tinternational organized crime\nq-2\t3 red shoes\n301 0 https://a.org/x 2\n301\t0\thttps://a.org/y\t-2'
  expect(recordsIn(trecReader, text)).toEqual([
    { kind: 'asked', text: 'international organized crime', count: 1, name: '301' },
    { kind: 'asked', text: '3 red shoes', count: 1, name: 'q-2' },
    { kind: 'judged', name: '301', url: 'https://a.org/x', grade: 2 },
    { kind: 'judged', name: '301', url: 'https://a.org/y', grade: 0 },
  ])
})

test('topics as elements, old and new', () => {
  const text = `<top>
<num> Number: 302
<title> Poliomyelitis and
Post-Polio

<desc> Description:
Is it under control?
</top>
<?xml version="1.0"?>
<topics>
<topic number="51" type="faceted">
  <query>horse &amp; hooves</query>
  <description>Find them.</description>
</topic>
</topics>`
  expect(recordsIn(trecReader, text)).toEqual([
    { kind: 'asked', text: 'Poliomyelitis and Post-Polio', count: 1, name: '302' },
    { kind: 'asked', text: 'horse & hooves', count: 1, name: '51' },
  ])
  expect(malformedIn(trecReader, text)).toEqual([])
})

test('malformed ones are told, and the rest is read', () => {
  const text = `just words here
1\t
\tx
2 0 DOC-17 1
<top>
<num> 3
<top>
<num> 4 <title> boots </top>`
  expect(malformedIn(trecReader, text)).toEqual([
    '1: neither "qid<TAB>query" nor "qid 0 url grade"',
    '2: no query text',
    '3: a topic without a number',
    '4: the document is no URL',
    '5: a <top> that is not closed',
  ])
  expect(recordsIn(trecReader, text)).toEqual([
    { kind: 'asked', text: 'boots', count: 1, name: '4' },
  ])
})
