import { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto'
import { SettingError } from '#errors/setting-error.ts'
import { keyThumbprint, type PublicJwk } from './key-thumbprint.ts'

export interface SigningKey {
  readonly keyId: string
  readonly publicJwk: PublicJwk
  /** Node shows nothing of it when it is printed or logged. */
  readonly privateKey: KeyObject
  /** Nothing is signed with it before, in seconds since 1970. */
  readonly notBefore: number
  /** When nothing that was signed with it is valid any more. */
  readonly expires?: number
}

/**
 * The keys in a text: PEM (PKCS #8), a JSON Web Key, or a set of them. Complaints name `where` it is from and never
 * quote it, which is why the errors below are not passed on.
 */
export function readSigningKeys(text: string, where: string): readonly SigningKey[] {
  const keys = keysIn(text)
  if (keys.length > 0) return keys
  throw new SettingError(
    'identityKey',
    `${where} holds no Ed25519 private key: forager identity init makes one`,
  )
}

/** The key to sign with: of those that may be used, the newest. */
export function keyInForce(keys: readonly SigningKey[], now: number): SigningKey {
  const usable = keys.filter(({ notBefore }) => notBefore <= now)
  const newest = (best: SigningKey, key: SigningKey) =>
    key.notBefore >= best.notBefore ? key : best
  const earliest = (best: SigningKey, key: SigningKey) =>
    key.notBefore < best.notBefore ? key : best
  return usable.length > 0 ? usable.reduce(newest) : keys.reduce(earliest)
}

function keysIn(text: string): SigningKey[] {
  try {
    if (text.includes('-----BEGIN')) return [signingKey(createPrivateKey(text))]
    const json = JSON.parse(text)
    return (Array.isArray(json.keys) ? json.keys : [json]).map(keyOfJwk)
  } catch {
    return []
  }
}

function keyOfJwk({ nbf, exp, ...jwk }: Record<string, unknown>): SigningKey {
  const key = createPrivateKey({ key: jwk as JsonWebKey, format: 'jwk' })
  return signingKey(key, {
    ...(typeof nbf === 'number' && { notBefore: nbf }),
    ...(typeof exp === 'number' && { expires: exp }),
  })
}

/** A key as it is used here, from now on if nothing else is said. */
export function signingKey(
  privateKey: KeyObject,
  times: { readonly notBefore?: number; readonly expires?: number } = {},
): SigningKey {
  if (privateKey.asymmetricKeyType !== 'ed25519') throw new TypeError('not an Ed25519 key')
  const { x } = createPublicKey(privateKey).export({ format: 'jwk' })
  const publicJwk = { kty: 'OKP', crv: 'Ed25519', x: x! } as const
  return { keyId: keyThumbprint(publicJwk), publicJwk, privateKey, notBefore: 0, ...times }
}
