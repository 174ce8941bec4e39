import { expect, test } from 'vitest'
import { remembering } from './remembering.ts'

test('a text is read once while it is remembered, and of many texts only so many are', () => {
  const asked: string[] = []
  const length = remembering((text) => asked.push(text) && text.length, 2)
  expect(['a', 'bb', 'a', 'bb'].map(length)).toEqual([1, 2, 1, 2])
  expect(asked).toEqual(['a', 'bb'])
  expect(['ccc', 'a', 'ccc'].map(length)).toEqual([3, 1, 3])
  expect(asked).toEqual(['a', 'bb', 'ccc', 'a'])
})
