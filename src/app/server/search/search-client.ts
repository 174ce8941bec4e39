import { randomUUID } from 'node:crypto'

const COOKIE = 'forager_client'
const LIFETIME_SECONDS = 180 * 86_400
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The random id a browser was given before, if it sends one of ours. */
export function clientIdIn(cookies: string | undefined): string | undefined {
  for (const cookie of (cookies ?? '').split(';')) {
    const [name, value = ''] = cookie.trim().split('=', 2)
    if (name === COOKIE && UUID.test(value)) return value
  }
  return undefined
}

/** A new random id: it says nothing of its bearer but that two searches came from the same browser. */
export function newClientId(): string {
  return randomUUID()
}

/** The header that makes a browser keep an id. Scripts cannot read it, other sites do not get it. */
export function clientCookie(id: string): string {
  return `${COOKIE}=${id}; Path=/; Max-Age=${LIFETIME_SECONDS}; HttpOnly; SameSite=Lax`
}
