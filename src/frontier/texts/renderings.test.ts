import { expect, test } from 'vitest'
import { Renderings } from './renderings.ts'

test('a frame waits until it was tried; what scripts made of it stays until there is another page', () => {
  const renderings = new Renderings()
  renderings.note(5, 'shell', true)
  renderings.note(3, 'thin', true)
  expect([...renderings.awaiting()]).toEqual([3, 5])
  renderings.note(5, 'done', true)
  renderings.note(3, 'fruitless', false)
  expect([...renderings.awaiting()]).toEqual([])
  expect(renderings.isRendered(5)).toBe(true)
  expect(renderings.isRendered(3)).toBe(false)
  renderings.note(5, 'failed', false) // the copy is as it was
  expect(renderings.isRendered(5)).toBe(true)
  renderings.note(5, 'shell', false)
  expect(renderings.signOf(5)).toBeUndefined()
  renderings.note(5, undefined, true) // it needs no scripts any more
  expect(renderings.isRendered(5)).toBe(false)
})
