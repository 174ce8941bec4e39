import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { keyInForce, readSigningKeys } from './signing-key.ts'
import { RFC_KEY_ID, RFC_KEY_JWK, RFC_KEY_PEM } from './vectors.test-kit.ts'

test.each([
  ['PEM', RFC_KEY_PEM],
  ['a JSON Web Key', JSON.stringify(RFC_KEY_JWK)],
  ['a set of them', JSON.stringify({ keys: [RFC_KEY_JWK] })],
])('a key is read from %s', (_, text) => {
  expect(readSigningKeys(text, 'the test').map(({ keyId }) => keyId)).toEqual([RFC_KEY_ID])
})

const { d, ...publicHalf } = RFC_KEY_JWK
const { privateKey: rsa } = generateKeyPairSync('rsa', { modulusLength: 2048 })
test.each([
  ['nothing', ''],
  ['text that is almost JSON', `{"keys":[{"d":"${d}"`],
  ['a PEM file that is cut', RFC_KEY_PEM.slice(0, 80)],
  ['a public key', JSON.stringify(publicHalf)],
  ['a key of another kind', rsa.export({ type: 'pkcs8', format: 'pem' }).toString()],
  ['an empty set', '{"keys":[]}'],
  [
    'a set with one that is broken',
    JSON.stringify({ keys: [RFC_KEY_JWK, { ...RFC_KEY_JWK, d: 7 }] }),
  ],
  ['JSON that is no object', 'null'],
])('%s is a mistake, and the complaint quotes nothing of it', (_, text) => {
  const caught = (() => {
    try {
      return readSigningKeys(text, 'key.json')
    } catch (error) {
      return error as Error
    }
  })()
  expect(caught).toMatchObject({
    message: 'key.json holds no Ed25519 private key: forager identity init makes one',
  })
  expect((caught as Error).cause).toBeUndefined()
})

test('of the keys that may be used the newest is in force', () => {
  const [base] = readSigningKeys(RFC_KEY_PEM, 'the test')
  const [old, next, later] = [10, 20, 30].map((notBefore) => ({ ...base, notBefore }))
  expect(keyInForce([next, old, later], 25)).toBe(next)
  expect(keyInForce([next, old, later], 20)).toBe(next)
  expect(keyInForce([next, old, later], 19.9)).toBe(old)
  expect(keyInForce([later, next], 5), 'rather the first of them than none').toBe(next)
})
