import { expect, test } from 'vitest'
import { Validators } from './validators.ts'

test('a copy is asked about with what it came with last', () => {
  const validators = new Validators()
  validators.set(5, { etag: '"one"', lastModified: 'Sun, 15 Nov 2026 00:00:00 GMT' })
  validators.set(5, { etag: 'W/"two"' })
  validators.set(7, { lastModified: 'Sun, 15 Nov 2026 00:00:00 GMT' })
  expect(validators.of(5)).toEqual({ etag: 'W/"two"' })
  expect(validators.of(7)).toEqual({ lastModified: 'Sun, 15 Nov 2026 00:00:00 GMT' })
  expect(validators.of(6)).toBeUndefined()
  expect(validators.of(99)).toBeUndefined()
})

test('a validator beyond reason is none', () => {
  const validators = new Validators()
  validators.set(0, { etag: 'x'.repeat(10_000) })
  expect(validators.of(0)).toBeUndefined()
})
