import { expect, test } from 'vitest'
import { textMarks } from './text-marks.ts'
import { TextStates } from './text-states.ts'

const words = Array.from({ length: 400 }, (_, i) => `word${(i * 7919) % 263}x${i % 17}`)

function marksOf(text: string) {
  const rest = { form: 'page', links: [], noindex: false, nofollow: false } as const
  return textMarks({ ...rest, title: 'Title', text })
}

test('the first copy is new, the same again is not', () => {
  const texts = new TextStates()
  expect(texts.replace(3, marksOf('some words'))).toBe(true)
  expect(texts.replace(3, marksOf('some words'))).toBe(false)
  expect(texts.replace(2, marksOf('some words'))).toBe(true)
})

test('one word among hundreds is no change that matters, half of them are', () => {
  const texts = new TextStates()
  texts.replace(0, marksOf(words.join(' ')))
  expect(texts.replace(0, marksOf(words.with(200, '2026-11-15').join(' ')))).toBe(false)
  expect(texts.replace(0, marksOf(words.slice(200).join(' ')))).toBe(true)
})

test('in a short text every word matters', () => {
  const texts = new TextStates()
  texts.replace(0, marksOf('open from nine to five'))
  expect(texts.replace(0, marksOf('open from nine to six'))).toBe(true)
})

test('a stored copy is known again', () => {
  const texts = new TextStates()
  const { simhash, ...rest } = marksOf('some words')
  texts.restore(4, ...simhash)
  expect(texts.replace(4, { simhash, ...rest })).toBe(false)
})
