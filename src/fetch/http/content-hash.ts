import { hash } from 'node:crypto'

/** Asked of us by usage preferences. */
export const NO_SEARCH = 'search=n'

/**
 * The SHA-256 of a decoded body in hex: equal for equal content, however it was packed. What headers ask of
 * those who show the page is part of its content, if they ask anything.
 */
export function contentHash(body: Uint8Array, askedByHeaders = ''): string {
  return withAsked(hash('sha256', body, 'hex'), askedByHeaders)
}

/** A content hash that also tells what is asked of those who show the page. */
export function withAsked(contentHash: string, asked: string): string {
  return asked === '' ? contentHash : hash('sha256', `${contentHash} ${asked}`, 'hex')
}
