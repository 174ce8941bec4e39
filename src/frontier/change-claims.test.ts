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

test('before a test what a site says counts for nothing, then as much as it tells changed pages from others', () => {
  const claims = new ChangeClaims()
  expect(claims.oddsFactor(0, true)).toBe(1)
  expect(claims.oddsFactor(0, false)).toBe(1)
  // Host 1 is right in all it says, host 2 says of every page that it changed.
  for (let i = 0; i < 18; i++) {
    claims.count(1, true)
    claims.countSilence(1, false)
    claims.count(2, i % 2 === 0)
  }
  expect(claims.oddsFactor(1, true)).toBeCloseTo(19, 9)
  expect(claims.oddsFactor(1, false)).toBeCloseTo(1 / 19, 9)
  expect(claims.oddsFactor(2, true)).toBe(1)
})

test('silence counts only where a hub dates the page, and was read since we last saw it', () => {
  const claims = new ChangeClaims()
  const [url, hub, host] = [3, 9, 0]
  expect(claims.saysUnchanged(url, host, 100)).toBe(false)
  claims.claim(url, 50)
  claims.noteHub(hub, host)
  claims.read(hub, 90)
  expect(claims.saysUnchanged(url, host, 100)).toBe(false) // the hub was read before the page was
  claims.read(hub, 200)
  expect(claims.saysUnchanged(url, host, 100)).toBe(true)
  expect(claims.saysUnchanged(url + 1, host, 100)).toBe(false) // not dated
  claims.claim(url, 150)
  expect(claims.saysUnchanged(url, host, 100)).toBe(false)
  claims.read(url, 300) // no hub
  expect(claims.saysUnchanged(url, host, 250)).toBe(false)
})

test('what is said of a page weighs as its host has earned, and nothing if nothing is said', () => {
  const claims = new ChangeClaims()
  claims.noteHub(9, 1)
  claims.claim(0, 150)
  claims.claim(1, 50)
  claims.read(9, 200)
  for (let i = 0; i < 18; i++) {
    claims.count(1, true)
    claims.countSilence(1, false)
  }
  const factors = [0, 1, 2].map((url) => claims.oddsFactorOf(url, 1, 100))
  expect(factors[0]).toBeCloseTo(19, 9)
  expect(factors[1]).toBeCloseTo(1 / 19, 9)
  expect(factors[2]).toBe(1)
})
