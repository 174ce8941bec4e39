import { expect, test } from 'vitest'
import type { TextMarks } from './duplicates.ts'
import { textMarks } from './text-marks.ts'
import { TextStates } from './text-states.ts'

const words = Array.from({ length: 400 }, (_, i) => `word${(i * 7919) % 263}x${i % 17}`)

function marksOf(text: string) {
  const rest = { form: 'page', links: [], noindex: false, nofollow: false } as const
  return textMarks({ ...rest, title: 'Title', text })
}

/** Whether the text was news; it is known from now on. */
function replaced(texts: TextStates, url: number, marks: TextMarks): boolean {
  const isChange = texts.isChange(url, marks)
  texts.take(url, marks)
  return isChange
}

test('the first copy is new, the same again is not', () => {
  const texts = new TextStates()
  expect(replaced(texts, 3, marksOf('some words'))).toBe(true)
  expect(replaced(texts, 3, marksOf('some words'))).toBe(false)
  expect(replaced(texts, 2, marksOf('some words'))).toBe(true)
})

test('one word among hundreds is no change that matters, half of them are', () => {
  const texts = new TextStates()
  replaced(texts, 0, marksOf(words.join(' ')))
  expect(replaced(texts, 0, marksOf(words.with(200, '2026-11-15').join(' ')))).toBe(false)
  expect(replaced(texts, 0, marksOf(words.slice(200).join(' ')))).toBe(true)
})

test('in a short text every word matters', () => {
  const texts = new TextStates()
  replaced(texts, 0, marksOf('open from nine to five'))
  expect(replaced(texts, 0, marksOf('open from nine to six'))).toBe(true)
})

test('a stored copy is known again', () => {
  const texts = new TextStates()
  const { simhash, ...rest } = marksOf('some words')
  texts.take(4, { simhash })
  expect(texts.isChange(4, { simhash, ...rest })).toBe(false)
})
