import { createHash } from 'node:crypto'

/** The public half of an Ed25519 key, as a JSON Web Key (RFC 8037). */
export interface PublicJwk {
  readonly kty: 'OKP'
  readonly crv: 'Ed25519'
  readonly x: string
}

/** A key's name, made of the key itself: SHA-256 over its members in order of the alphabet (RFC 7638 §3, RFC 8037 A.3). */
export function keyThumbprint({ crv, kty, x }: PublicJwk): string {
  return createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url')
}
