import type { HostState } from '#crawl/ports.ts'
import { AddressPlaces } from '../bounds/address-places.ts'
import { isOnProbation, learnFromReaction, type Reaction } from './backoff.ts'
import { type Host, isClean, newHost, type Visit } from './host.ts'
import { groupOf, groupsOf, type PlaceLimits, SharedPlaces } from './shared-places.ts'

export type { Visit } from './host.ts'

export interface MannersOptions extends PlaceLimits {
  /** From the end of an answer to the next request on the same host, at least. */
  readonly delaySeconds: number
  /** A rest is at least so many times as long as the answer took: who struggles gets more time. */
  readonly responseFactor: number
  readonly connectionsPerHost: number
  /** What an operator wants for a host of his own; it may change at any time. */
  readonly siteOf?: (host: string) => SiteManners | undefined
  /** The first pause of a host that is busy, and of one that keeps failing. */
  readonly busySeconds?: number
  readonly failingSeconds?: number
  /** A run was cut off before then, perhaps amid requests: whoever it asked rests from then on. */
  readonly restFrom?: number
  /** Until when a host is not to be asked at this time of day; 0 if it may be. */
  readonly quietUntil?: (host: string, now: number) => number
}

/** For a host of one's own: what is given holds in place of what is usual, and what the host asks for holds all the same. */
interface SiteManners {
  readonly delaySeconds?: number
  /** Requests at once; they take no places that others share. */
  readonly connections?: number
}

/** Whether a host may be sent a request now, and if not, what it waits for. */
type Gate =
  | { readonly kind: 'open' }
  | { readonly kind: 'rests'; readonly until: number }
  /** All its own places are taken. */
  | { readonly kind: 'busy' }
  /** All places of a group it belongs to are taken. */
  | { readonly kind: 'full'; readonly group: string }

/** What became of a request that is about to be sent to an address. */
interface Arrival {
  /** False while the address has no place for it. */
  readonly hasPlace: boolean
  /** The group whose place it gave back, if it was meant for another address. */
  readonly left?: string
}

/** Longer Crawl-delays are cut to this: the site is still crawled, as slowly as makes sense. */
export const MAX_CRAWL_DELAY_SECONDS = 300
/** A minute's answer must not mean two minutes' rest. */
const MAX_RESPONSE_REST_SECONDS = 30
const BUSY_SECONDS = 10
const FAILING_SECONDS = 60
/** Hosts with nothing to remember are dropped beyond this many. */
const MAX_CLEAN_HOSTS = 10_000
/** Of the latest answer, in how long answers take. */
const LATEST_WEIGHT = 1 / 4
const OPEN: Gate = { kind: 'open' }

/**
 * Who may be asked when: by host, by registrable domain and by address. Times are seconds on
 * whatever clock the caller keeps, as long as it does not run backwards.
 */
export class HostManners {
  readonly #options: MannersOptions
  readonly #hosts = new Map<string, Host>()
  readonly #places: SharedPlaces

  constructor(
    options: MannersOptions,
    states: readonly HostState[] = [],
    addresses = new AddressPlaces(),
  ) {
    this.#options = options
    this.#places = new SharedPlaces(options, addresses)
    for (const { host, reason = '', ...times } of states)
      this.#hosts.set(host, { ...newHost(host), ...times, reason })
  }

  /** What somebody else knew of a host that nobody is asking now; whatever keeps it resting for longer counts. */
  remember({ host: name, reason = '', ...state }: HostState): void {
    const host = this.#host(name)
    const isLater = state.backoffUntil >= host.backoffUntil
    Object.assign(host, {
      readyAt: Math.max(host.readyAt, state.readyAt),
      ...(isLater && { ...state, reason, readyAt: Math.max(host.readyAt, state.readyAt) }),
    })
  }

  /** Whether a request may start now. */
  gate(name: string, now: number): Gate {
    const host = this.#host(name)
    const until = this.restsUntil(name, now)
    if (until > now) return { kind: 'rests', until }
    if (this.#isBusy(host)) return { kind: 'busy' }
    const group = this.#places.fullOne(this.#sharedBy(host))
    return group === undefined ? OPEN : { kind: 'full', group }
  }

  /** When the host itself allows a request, whatever those it shares places with do. */
  readyAt(name: string): number {
    const host = this.#hosts.get(name)
    return host ? Math.max(host.readyAt, host.backoffUntil) : 0
  }

  /** When the host may be asked again: it is ready then, and its quiet hours are over. */
  restsUntil(name: string, now: number): number {
    const { restFrom = Number.NEGATIVE_INFINITY } = this.#options
    const isRested = now > restFrom + MAX_CRAWL_DELAY_SECONDS
    const restedAt = isRested ? 0 : restFrom + this.restAfter(name, 0)
    return Math.max(this.readyAt(name), this.#quietUntil(name, now), restedAt)
  }

  /** True while all of the host's own places are taken. */
  isBusy(name: string): boolean {
    const host = this.#hosts.get(name)
    return host !== undefined && this.#isBusy(host)
  }

  /** Seconds from one request to the next, by the latest rest and how long answers take lately. */
  paceOf(name: string): number {
    const host = this.#hosts.get(name)
    if (!host) return this.restAfter(name, 0) / this.#connectionsTo(name)
    const { restSeconds = this.restAfter(name, 0), answerSeconds = 0 } = host
    return (restSeconds + answerSeconds) / this.#placesOf(host)
  }

  /** How long a host is to rest after a request that took so long. */
  restAfter(name: string, ms: number): number {
    return this.#restAfter(name, ms, this.#hosts.get(name)?.crawlDelaySeconds ?? 0)
  }

  /** Why and until when a host is left alone, if it is. */
  backoff(name: string, now: number): { until: number; reason: string } | undefined {
    const { backoffUntil = 0, reason = '' } = this.#hosts.get(name) ?? {}
    const quietUntil = this.#quietUntil(name, now)
    const until = Math.max(backoffUntil, quietUntil)
    if (until <= now) return undefined
    return { until, reason: quietUntil > backoffUntil ? 'these are its quiet hours' : reason }
  }

  #quietUntil(name: string, now: number): number {
    return this.#options.quietUntil?.(name, now) ?? 0
  }

  /** True once a host's address is known. */
  isLocated(name: string): boolean {
    return this.addressOf(name) !== undefined
  }

  addressOf(name: string): string | undefined {
    return this.#hosts.get(name)?.address
  }

  /** Notes at which address a host will be reached. */
  locate(name: string, address: string): void {
    const host = this.#host(name)
    if (host.address === address) return
    if (host.address !== undefined) this.#places.moveOut(host.address, host.domain)
    host.address = address
    host.groups = groupsOf(host.domain, address)
    this.#places.moveIn(address, host.domain)
  }

  /** Whose places a host's requests take. */
  groupsOf(name: string): readonly string[] {
    return this.#hosts.get(name)?.groups ?? []
  }

  /** Takes the places for a request; undefined if another worker was quicker. */
  enter(name: string): Visit | undefined {
    const host = this.#host(name)
    const visit: Visit = { host: name, groups: this.#sharedBy(host) }
    if (!this.#places.take(visit.groups)) return undefined
    host.visits.push(visit)
    return visit
  }

  /** Whether a host waits for a place of the group: other workers may have all of an address's. */
  wait(group: string, isWaiting: boolean): void {
    this.#places.wait(group, isWaiting)
  }

  hasPlaceIn(group: string): boolean {
    return this.#places.fullOne([group]) === undefined
  }

  /** The next of the other workers that wait for a place of the group. */
  nextWaiting(group: string): number | undefined {
    return this.#places.nextWaiting(group)
  }

  /**
   * A host's latest request is about to go to an address, which may not be the one that was looked up:
   * names move, and another of their addresses is tried when one does not answer.
   */
  arrive(name: string, address: string): Arrival {
    const visit = this.#hosts.get(name)?.visits.at(-1)
    if (!visit) return { hasPlace: false } // nobody asks any more
    if (visit.groups.length === 0) {
      this.locate(name, address)
      return { hasPlace: true }
    }
    const group = groupOf(address)
    if (visit.groups.includes(group)) return { hasPlace: true }
    const [domain, left] = visit.groups as [string, string?]
    // Given back before the next is taken: so nobody waits in a circle.
    if (left !== undefined) this.#places.give([left])
    visit.groups = [domain]
    this.locate(name, address)
    const hasPlace = this.#places.take([group])
    if (hasPlace) visit.groups = [domain, group]
    return { hasPlace, ...(left !== undefined && { left }) }
  }

  /** Gives the places back, and learns from what came of the request. */
  leave(visit: Visit, reaction: Reaction, now: number): void {
    const { busySeconds = BUSY_SECONDS, failingSeconds = FAILING_SECONDS } = this.#options
    const host = this.#host(visit.host)
    host.visits.splice(host.visits.indexOf(visit), 1)
    this.#places.give(visit.groups)
    if (reaction.kind === 'unasked') return
    const { answerSeconds = reaction.ms / 1000 } = host
    host.answerSeconds = answerSeconds + LATEST_WEIGHT * (reaction.ms / 1000 - answerSeconds)
    host.restSeconds = this.#restAfter(host.name, reaction.ms, host.crawlDelaySeconds)
    host.readyAt = Math.max(host.readyAt, now + host.restSeconds)
    learnFromReaction(host, reaction, now, { busySeconds, failingSeconds })
  }

  /** An answer takes a place of its host until it is released. */
  hold(name: string): void {
    this.#host(name).unread++
  }

  release(name: string): void {
    const host = this.#hosts.get(name)
    if (host) host.unread--
  }

  /** Notes the pace that a host's robots.txt asks for. */
  notePace(name: string, crawlDelaySeconds: number): void {
    this.#host(name).crawlDelaySeconds = paceOf(crawlDelaySeconds)
  }

  /** Keeps the pace that a robots.txt just read asks for, from its own end on. */
  keepPace(name: string, crawlDelaySeconds: number, since: number): void {
    this.notePace(name, crawlDelaySeconds)
    const host = this.#host(name)
    const pace = host.crawlDelaySeconds
    host.restSeconds = Math.max(host.restSeconds ?? 0, pace)
    host.readyAt = Math.max(host.readyAt, since + pace)
  }

  /**
   * What must survive a restart; of a host that is not listed, nothing need be known. A request under way
   * may be cut off by it, so the host's rest counts from now.
   */
  states(now: number): HostState[] {
    return [...this.#hosts.values()]
      .filter((host) => host.visits.length > 0 || !isClean(host, now))
      .map(({ name, readyAt, visits, ...host }) => ({
        host: name,
        readyAt: visits.length > 0 ? Math.max(readyAt, now + this.restAfter(name, 0)) : readyAt,
        backoffUntil: host.backoffUntil,
        backoffSeconds: host.backoffSeconds,
        failures: host.failures,
        ...(host.reason && { reason: host.reason }),
      }))
  }

  /** Keeps memory bounded: the hosts longest known and with nothing to remember go. */
  forgetClean(now: number): void {
    let spare = this.#hosts.size - MAX_CLEAN_HOSTS
    for (const host of this.#hosts.values()) {
      if (spare <= 0) return
      if (host.visits.length + host.unread > 0 || !isClean(host, now)) continue
      if (host.address !== undefined) this.#places.moveOut(host.address, host.domain)
      this.#hosts.delete(host.name)
      spare--
    }
  }

  #host(name: string): Host {
    const known = this.#hosts.get(name)
    if (known) return known
    const host = newHost(name)
    this.#hosts.set(name, host)
    return host
  }

  #isBusy(host: Host): boolean {
    return host.visits.length + host.unread >= this.#placesOf(host)
  }

  #placesOf(host: Host): number {
    const isOne = host.crawlDelaySeconds > 0 || isOnProbation(host)
    return isOne ? 1 : this.#connectionsTo(host.name)
  }

  #connectionsTo(name: string): number {
    const { connectionsPerHost, siteOf } = this.#options
    return siteOf?.(name)?.connections ?? connectionsPerHost
  }

  /** The groups whose places a host's requests take: none if it was given connections of its own. */
  #sharedBy(host: Host): readonly string[] {
    const isOwn = this.#options.siteOf?.(host.name)?.connections !== undefined
    return isOwn ? [] : host.groups
  }

  /** The longest of our delay, the site's own delay and a multiple of the answer's time. */
  #restAfter(name: string, ms: number, crawlDelaySeconds: number): number {
    const { responseFactor, siteOf } = this.#options
    const ownDelay = siteOf?.(name)?.delaySeconds
    // A delay of 0 switches our own pacing off, as it does for all hosts.
    const factor = ownDelay === 0 ? 0 : responseFactor
    const responseRest = Math.min((factor * ms) / 1000, MAX_RESPONSE_REST_SECONDS)
    return Math.max(ownDelay ?? this.#options.delaySeconds, crawlDelaySeconds, responseRest)
  }
}

function paceOf(crawlDelaySeconds: number): number {
  return Math.min(crawlDelaySeconds, MAX_CRAWL_DELAY_SECONDS)
}
