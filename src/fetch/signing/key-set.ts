import { generateKeyPairSync } from 'node:crypto'
import { CLOCK_SKEW_SECONDS, VALID_SECONDS } from './profile.ts'
import { keyInForce, type SigningKey, signingKey } from './signing-key.ts'

/** After the last signature with a key has expired, on the slowest of clocks. */
const RETIRED_SECONDS = VALID_SECONDS + 2 * CLOCK_SKEW_SECONDS

/** A key of which nobody knows yet. */
export function newSigningKey(notBefore: number): SigningKey {
  return signingKey(generateKeyPairSync('ed25519').privateKey, { notBefore })
}

/**
 * Adds a key that takes over at `from`. The one that signs until then stays published until nothing that it signed is
 * valid any more. Those for which that holds now are left out, and so is one that was to take over later.
 */
export function rotated(
  keys: readonly SigningKey[],
  from: number,
  now: number,
): readonly SigningKey[] {
  const inForce = keyInForce(keys, now)
  const old = keys.flatMap((key) => {
    if (key === inForce) return { ...key, expires: from + RETIRED_SECONDS }
    return key.expires !== undefined && key.expires > now ? key : []
  })
  return [...old, newSigningKey(from)]
}

/** The directory of public keys, as verifiers fetch it. */
export function publicKeySet(keys: readonly SigningKey[]): string {
  return jsonOf(keys.map((key) => ({ ...key.publicJwk, ...factsOf(key) })))
}

/** The file of private keys. */
export function privateKeySet(keys: readonly SigningKey[]): string {
  return jsonOf(
    keys.map((key) => ({ ...key.privateKey.export({ format: 'jwk' }), ...factsOf(key) })),
  )
}

function factsOf({ keyId, notBefore, expires }: SigningKey) {
  return { kid: keyId, use: 'sig', nbf: notBefore, ...(expires !== undefined && { exp: expires }) }
}

function jsonOf(keys: readonly object[]): string {
  return `${JSON.stringify({ keys }, undefined, 2)}\n`
}
