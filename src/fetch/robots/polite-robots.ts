import { setTimeout as sleep } from 'node:timers/promises'
import { hostOf } from '#parse/url/canonical-url.ts'
import type { WebClient } from '../client/web-client.ts'
import type { HostLocator } from '../hosts/host-locator.ts'
import type { HttpAnswer, HttpFailure } from '../http/http-get.ts'
import { reactionToRobots } from '../http/reaction.ts'
import type { HostManners, Visit } from '../manners/host-manners.ts'

interface PoliteRobotsOptions {
  readonly client: WebClient
  readonly manners: HostManners
  readonly places: {
    enter(host: string): Visit | undefined
    leave(visit: Visit, reaction: ReturnType<typeof reactionToRobots>): void
  }
  readonly locator: HostLocator
  readonly now: () => number
  /** A host that rests for longer is not waited for. */
  readonly patienceSeconds: number
  readonly closing: AbortSignal
  /** Whether a host may be asked, where that is not so for all. */
  readonly isOwn?: (host: string) => boolean
}

/** How often a place is tried for that others have taken. */
const RETRY_MS = 20

/**
 * One GET of a robots.txt under the manners of its host. Redirects may lead to any host, so each is a
 * visit of its own: no place is held while another is waited for, and nobody waits in a circle.
 */
export async function getRobotsPolitely(
  url: URL,
  options: PoliteRobotsOptions,
): Promise<HttpAnswer | HttpFailure | undefined> {
  const { client, places, now } = options
  const place = await placeWith(hostOf(url.href), options)
  if (!place || place.kind === 'failure') return place
  const startedAt = performance.now()
  const answer = await client.getRobots(url)
  const ms = performance.now() - startedAt - (answer?.restedMs ?? 0)
  const reaction = answer
    ? reactionToRobots(answer, ms, now())
    : ({ kind: 'brokenOff', ms } as const)
  places.leave(place.visit, reaction)
  return answer
}

async function placeWith(
  host: string,
  { closing, locator, manners, now, patienceSeconds, places, isOwn }: PoliteRobotsOptions,
): Promise<{ kind: 'place'; visit: Visit } | HttpFailure | undefined> {
  if (!locator.isLocated(host)) await locator.locate(host)
  while (!closing.aborted) {
    // Asked each time: while its turn is waited for, its lease may end, and somebody else be at it.
    if (isOwn && !isOwn(host))
      return { kind: 'failure', reason: `${host} is another worker's`, sent: false }
    const gate = manners.gate(host, now())
    const visit = gate.kind === 'open' ? places.enter(host) : undefined
    if (visit) return { kind: 'place', visit }
    const waitSeconds = gate.kind === 'rests' ? gate.until - now() : 0
    if (waitSeconds > patienceSeconds)
      return { kind: 'failure', reason: `${host} is left alone`, sent: false }
    const ms = Math.max(Math.ceil(waitSeconds * 1000), RETRY_MS)
    await sleep(ms, undefined, { signal: closing }).catch(() => {})
  }
  return undefined
}
