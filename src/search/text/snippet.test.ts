import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { defaultAnalyser } from '../full-text/default-search.ts'
import { highlighter, type Snippet } from './snippet.ts'

const marked = (text: string, marks: Snippet['marks']) => marks.map(([a, b]) => text.slice(a, b))
const snippet = (query: string, text: string, length?: number) =>
  highlighter(query, defaultAnalyser).snippet(text, undefined, length)
const marksOf = (query: string, text: string) =>
  marked(text, highlighter(query, defaultAnalyser).marks(text))

describe('what is marked', () => {
  test('words are found by the analysis of the index: endings, case and accents do not matter', () => {
    expect(marksOf('hiking cafe', 'Hiked to the CAFÉS of Ängelholm; a hill.')).toEqual([
      'Hiked',
      'CAFÉS',
    ])
    expect(marksOf('ponies', 'A pony.')).toEqual(['pony'])
    expect(marksOf('find', 'How to ﬁnd it')).toEqual(['ﬁnd'])
  })

  test('function words are marked only when the query has nothing else', () => {
    expect(marksOf('the cat', 'the cat and the dog')).toEqual(['cat'])
    expect(marksOf('the who', 'Who is the who')).toEqual(['Who', 'the', 'who'])
  })

  test('scripts without spaces are marked where their characters stand together', () => {
    expect(marksOf('東京', '東京都は日本の首都')).toEqual(['東京'])
    expect(marksOf('น้ำ', 'โรงงานผลิตน้ำประปา')).toEqual(['น้ำ'])
  })

  test('a part of a word is no word', () => {
    expect(marksOf('cat', 'concatenate category cat')).toEqual(['cat'])
  })
})

describe('the excerpt', () => {
  const filler = (words: number) => Array.from({ length: words }, (_, i) => `w${i}`).join(' ')

  test('shows the place where most different words of the query stand', () => {
    const text = `apple apple apple ${filler(100)} an apple and a pear ${filler(100)}`
    const { text: shown, marks, moreBefore, moreAfter } = snippet('apple pear', text)
    expect(shown).toContain('an apple and a pear')
    expect(marked(shown, marks)).toEqual(['apple', 'pear'])
    expect([moreBefore, moreAfter]).toEqual([true, true])
    expect(shown.length).toBeLessThanOrEqual(200)
    expect(shown.length).toBeGreaterThan(150)
  })

  test('prefers a sentence to a list that repeats its subject', () => {
    const list = Array.from({ length: 30 }, (_, i) => `Pear ${i}`).join('\n')
    const sentence =
      'A pear is a fruit that grows on trees, mostly in orchards, and is picked before it is ripe.'
    expect(snippet('pear', `${list}\n${sentence}\n${list}`).text).toContain('A pear is a fruit')
  })

  test('begins with the sentence of the first word if that is near', () => {
    const text = `${filler(100)}. The story of one pear is short. ${filler(100)}`
    expect(snippet('pear', text).text).toMatch(/^The story of one pear is short\. w0/)
  })

  test('is on one line', () => {
    const { text, marks } = snippet('pear', 'An\n\n  apple \t and\na  pear\n')
    expect(text).toBe('An apple and a pear')
    expect(marked(text, marks)).toEqual(['pear'])
  })

  test('is the beginning of the page when no word of the query stands in it', () => {
    const shown = snippet('banana', filler(100))
    expect(shown.text).toMatch(/^w0 w1 .* w\d+$/)
    expect(shown).toMatchObject({ marks: [], moreBefore: false, moreAfter: true })
  })

  test('of an empty page is empty', () => {
    expect(snippet('cat', '')).toEqual({ text: '', marks: [], moreBefore: false, moreAfter: false })
    expect(snippet('', 'cat').text).toBe('cat')
  })

  test('cuts no character in two, even in a text without spaces', () => {
    const text = '😀e\u0301'.repeat(200)
    for (let length = 20; length < 30; length++)
      expect(snippet('x', text, length).text).toMatch(/^(😀e\u0301)*(😀)?$/u)
  })

  test('marks are in order, apart, inside the text, and are words of the query, whatever the text', () => {
    const word = fc.constantFrom(
      'cat',
      'Cats',
      'dog',
      'the',
      'x'.repeat(90),
      '犬',
      '  ',
      '\n',
      '. ',
    )
    const texts = fc.array(fc.oneof(word, fc.string({ unit: 'grapheme', maxLength: 8 })), {
      maxLength: 80,
    })
    const wanted = new Set(['cat', 'dog', '犬'])
    fc.assert(
      fc.property(texts, fc.integer({ min: 5, max: 120 }), (words, length) => {
        const { text, marks } = snippet('cat dog 犬', words.join(' '), length)
        expect(text).not.toMatch(/\s\s|^\s|\s$|\n/)
        expect(text.length).toBeLessThanOrEqual(length + 20)
        let last = 0
        for (const [start, end] of marks) {
          expect(start).toBeGreaterThanOrEqual(last)
          expect(end).toBeGreaterThan(start)
          last = end
        }
        expect(last).toBeLessThanOrEqual(text.length)
        for (const shown of marked(text, marks))
          expect(wanted.isDisjointFrom(new Set(defaultAnalyser.queryTerms(shown))), shown).toBe(
            false,
          )
      }),
      { numRuns: 500 },
    )
  })

  test('shows as many different words as the best window a naive search finds', () => {
    const word = fc.constantFrom('cat', 'dog', 'cow', 'a1', 'b2', 'c3')
    fc.assert(
      fc.property(fc.array(word, { maxLength: 60 }), (words) => {
        const text = words.join(' ')
        const { text: shown, marks } = snippet('cat dog cow', text, 24)
        const distinct = new Set(marked(shown, marks)).size
        let most = 0
        for (let from = 0; from < words.length; from++)
          for (let to = from + 1; words.slice(from, to).join(' ').length <= 24; to++) {
            const inside = words.slice(from, to).filter((w) => /^[a-z]+$/.test(w))
            most = Math.max(most, new Set(inside).size)
            if (to >= words.length) break
          }
        expect(distinct).toBe(most)
      }),
      { numRuns: 500 },
    )
  })
})
