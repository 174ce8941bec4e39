import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readQuery } from './asked-query.ts'

const NOTHING = {
  ...{ words: '', phrases: [], excludedWords: [], excludedPhrases: [] },
  ...{ sites: [], excludedSites: [], languages: [], excludedLanguages: [] },
}

test.each([
  ['vacuum full', { words: 'vacuum full' }],
  ['"create index" fast', { words: 'create index fast', phrases: ['create index'] }],
  ['apt -pinning', { words: 'apt', excludedWords: ['pinning'] }],
  ['apt -"pin priority"', { words: 'apt', excludedPhrases: ['pin priority'] }],
  ['a site:www.Example.org b', { words: 'a b', sites: ['www.example.org'] }],
  ['x site:https://bücher.example/path', { words: 'x', sites: ['xn--bcher-kva.example'] }],
  ['x -site:old.org', { words: 'x', excludedSites: ['old.org'] }],
  ['x lang:DE,nb lang:pt_BR', { words: 'x', languages: ['de', 'no', 'pt-br'] }],
  ['x -lang:en', { words: 'x', excludedLanguages: ['en'] }],
  ['apt -apt-get', { words: 'apt', excludedPhrases: ['apt-get'] }],
  ['安装 -网络', { words: '安装', excludedPhrases: ['网络'] }],
  ['설치 -네트워크', { words: '설치', excludedPhrases: ['네트워크'] }],
  [
    '“create index” -„drop index“',
    { words: 'create index', phrases: ['create index'], excludedPhrases: ['drop index'] },
  ],
  ['an "open phrase', { words: 'an open phrase', phrases: ['open phrase'] }],
])('%s', (text, expected) => {
  expect(readQuery(text)).toEqual({ ...NOTHING, ...expected })
})

test.each(['state-of-the-art', 'a - b', 'http://a.org/x', 'c++ --', 'site: here', '"" ""x'])(
  'nothing in %s is an operator',
  (text) => {
    const { words, ...others } = readQuery(text)
    expect(words.replaceAll(' ', '')).toBe(text.replaceAll('"', '').replaceAll(' ', ''))
    expect(others).toEqual(Object.fromEntries(Object.entries(NOTHING).slice(1)))
  },
)

test('any text is a query', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('"', '-', ' ', 'a', 'site:', 'lang:', ',') }),
      (text) => {
        expect(typeof readQuery(text).words).toBe('string')
      },
    ),
  )
})
