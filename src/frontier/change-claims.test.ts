import { expect, test } from 'vitest'
import { ChangeClaims } from './change-claims.ts'

test('the latest claim counts, and speaks of pages seen before it', () => {
  const claims = new ChangeClaims()
  claims.claim(3, 500)
  claims.claim(3, 400)
  expect(claims.saysChanged(3, 499)).toBe(true)
  expect(claims.saysChanged(3, 500)).toBe(false)
  expect(claims.saysChanged(2, 0)).toBe(false)
  expect(claims.saysChanged(99, 0)).toBe(false)
})

test('a site is believed as far as its claims came true', () => {
  const claims = new ChangeClaims()
  expect(claims.trustOf(4)).toBe(0.5)
  for (let i = 0; i < 8; i++) claims.count(4, true)
  for (let i = 0; i < 8; i++) claims.count(5, false)
  expect(claims.trustOf(4)).toBe(0.9)
  expect(claims.trustOf(5)).toBe(0.1)
})
