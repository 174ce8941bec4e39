import { registrableDomain } from '#parse/url/registrable-domain.ts'
import type { Backoff } from './backoff.ts'
import { groupsOf } from './shared-places.ts'

/** A request under way, and the groups whose places it takes. */
export interface Visit {
  readonly host: string
  /** Changes when the request goes to another address than expected. */
  groups: readonly string[]
}

/** What manners know of a host. */
export interface Host extends Backoff {
  readonly domain: string
  /** Where it is reached: known from the look-up before its first request on. */
  address?: string
  /** Whose places its requests take; by domain and address. */
  groups: readonly string[]
  /** Its requests under way, the latest last. */
  readonly visits: Visit[]
  /** Its answers that are still to be read, as far as they take places. */
  unread: number
  readyAt: number
  /** Its latest rest, if it had one. */
  restSeconds?: number
  /** How long its answers take; the latest count most. */
  answerSeconds?: number
  /** It asks for a pace of its own, which one connection keeps best; 0 when it does not. */
  crawlDelaySeconds: number
}

export function newHost(name: string): Host {
  const domain = registrableDomain(name)
  return {
    name,
    domain,
    groups: groupsOf(domain, undefined),
    visits: [],
    unread: 0,
    readyAt: 0,
    backoffUntil: 0,
    backoffSeconds: 0,
    failures: 0,
    reason: '',
    crawlDelaySeconds: 0,
  }
}

/** Nothing need be remembered of it. */
export function isClean(
  { readyAt, backoffUntil, backoffSeconds, failures }: Host,
  now: number,
): boolean {
  return readyAt <= now && backoffUntil <= now && backoffSeconds === 0 && failures === 0
}
