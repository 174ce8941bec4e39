import { expect, test } from 'vitest'
import { newSigningKey, privateKeySet, publicKeySet, rotated } from './key-set.ts'
import { keyInForce, readSigningKeys, type SigningKey } from './signing-key.ts'

const HOUR = 3600
const idsOf = (keys: readonly SigningKey[]) => keys.map(({ keyId }) => keyId)

test('a new key takes over in time, and the old one is published until its last signature has expired', () => {
  const first = [newSigningKey(0)]
  const both = rotated(first, 10 * HOUR, HOUR)
  const [old, next] = both
  expect(keyInForce(both, 10 * HOUR - 1)).toBe(old)
  expect(keyInForce(both, 10 * HOUR)).toBe(next)
  // Signed in the last second before, valid for four minutes, seen by a clock that is two minutes late.
  expect(old.expires).toBeGreaterThanOrEqual(10 * HOUR + 240 + 120)
  expect(idsOf(rotated(both, 12 * HOUR, 11 * HOUR))).not.toContain(old.keyId)
  expect(idsOf(rotated(both, 12 * HOUR, 10 * HOUR + 60))).toContain(old.keyId)
})

test('a key that was to take over later never does when another is made', () => {
  const pending = rotated([newSigningKey(0)], 24 * HOUR, HOUR)
  const keys = rotated(pending, 48 * HOUR, 2 * HOUR)
  expect(idsOf(keys)).not.toContain(pending[1].keyId)
  expect(keys[0]).toMatchObject({ keyId: pending[0].keyId, expires: expect.any(Number) })
  expect(keys[0].expires).toBeGreaterThan(48 * HOUR)
  for (const hours of [3, 25, 47]) expect(keyInForce(keys, hours * HOUR)).toBe(keys[0])
  expect(keyInForce(keys, 48 * HOUR)).toBe(keys[1])
})

test('keys made in the same second take over in order', () => {
  const keys = rotated(rotated([newSigningKey(5)], 5, 5), 5, 5)
  expect(keyInForce(keys, 5)).toBe(keys.at(-1))
})

test('private keys are read as they were written, and the directory has nothing of them', () => {
  const keys = rotated([newSigningKey(7)], 100, 10)
  const kept = privateKeySet(keys)
  expect(privateKeySet(readSigningKeys(kept, 'the test'))).toBe(kept)
  const published = JSON.parse(publicKeySet(keys)).keys
  expect(published.map((key: object) => Object.keys(key).sort())).toEqual([
    ['crv', 'exp', 'kid', 'kty', 'nbf', 'use', 'x'],
    ['crv', 'kid', 'kty', 'nbf', 'use', 'x'],
  ])
  expect(published.map(({ kid }: { kid: string }) => kid)).toEqual(idsOf(keys))
})
