import { hash } from 'node:crypto'

/** The SHA-256 of a decoded body in hex: equal for equal content, however it was packed. */
export function contentHash(body: Uint8Array): string {
  return hash('sha256', body, 'hex')
}
