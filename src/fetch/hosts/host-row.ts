import type { FetchRequest } from '#crawl/ports.ts'
import { hostOf } from '#parse/url/canonical-url.ts'
import type { Reaction } from '../manners/backoff.ts'
import type { HostManners, Visit } from '../manners/host-manners.ts'
import { HostQueue } from '../manners/host-queue.ts'
import { OpenVisits } from '../manners/open-visits.ts'
import { Turns } from '../manners/turns.ts'
import type { HostLocator } from './host-locator.ts'
import { ParkedHosts } from './parked-hosts.ts'

interface HostRowOptions {
  readonly manners: HostManners
  /** Requests at once to all hosts together, not counting those that are slow to be answered; it may change. */
  readonly concurrency: () => number
  /** Beyond this a host that is left alone is not waited for. */
  readonly patienceSeconds: number
  /** Seconds since 1970, never backwards. */
  readonly now: () => number
  readonly locator: Pick<HostLocator, 'isLocated' | 'locate'>
  /** False while nothing at all may be sent. */
  readonly maySend: () => boolean
  /** So many may still be sent. */
  readonly sendsLeft: () => number
  /** Sends the host's best request, or does without. */
  readonly serve: (host: HostQueue) => void
  /** Tells another worker that a group has a place for it. */
  readonly nudge?: (worker: number, group: string) => void
  /** The host is left alone for longer than anybody waits. */
  readonly postpone: (host: HostQueue, seconds: number, reason: string) => void
}

/** An answer that is not read for longer holds its host up no more. */
const HOLD_MS = 250
/** Whoever has sent nothing so long after it began keeps no send from others. */
const BEGIN_SECONDS = 10

/**
 * Decides which host sends next. All requests of one host wait in its queue, and those hosts whose
 * manners allow it stand in a row; each turn serves the first, so none waits for another's backlog.
 */
export class HostRow {
  readonly #options: HostRowOptions
  #hosts = new Map<string, HostQueue>()
  readonly #row = new Turns<HostQueue>()
  /**
   * Hosts that began to be looked up and asked for robots.txt, and when; until they send. No more begin than sends are
   * left for: the others wait as newcomers.
   */
  readonly #begun = new Map<HostQueue, number>()
  readonly #newcomers = new Turns<HostQueue>()
  /** Hosts that wait for their addresses to be looked up. */
  readonly #strangers = new Turns<HostQueue>()
  #lookUps = 0
  /** Hosts that wait until their domain or address has a free place. */
  readonly #parked: ParkedHosts
  readonly #open = new OpenVisits()
  #timer: NodeJS.Timeout | undefined
  #sendMoreAt = Number.POSITIVE_INFINITY

  constructor(options: HostRowOptions) {
    this.#options = options
    this.#parked = new ParkedHosts({
      manners: options.manners,
      nudge: options.nudge,
      goOn: (host) => this.#row.push(host),
      sendMore: () => this.sendMore(),
    })
  }

  /** Requests under way. */
  get active(): number {
    return this.#open.size
  }

  /** True while a request waits to be sent, whatever for. */
  get hasWaiting(): boolean {
    return this.#hosts.values().some(({ size }) => size > 0)
  }

  /** These wait from now on, in place of those that waited; hosts keep their places in the row. */
  replace(requests: readonly FetchRequest[]): void {
    // Whoever has not begun begins in the order of these.
    for (let host = this.#newcomers.take(); host; host = this.#newcomers.take())
      host.isPlaced = false
    const before = this.#hosts
    for (const host of before.values()) host.takeAll()
    this.#hosts = new Map()
    for (const request of requests) {
      const name = hostOf(request.url)
      const host = this.#hosts.get(name) ?? this.#hostFor(name, before.get(name))
      this.#hosts.set(name, host)
      host.add(request)
    }
    for (const [name, host] of before) {
      if (this.#hosts.has(name)) continue
      if (host.isPlaced) this.#hosts.set(name, host)
      clearTimeout(host.timer)
      this.#begun.delete(host)
    }
    for (const host of this.#hosts.values()) this.queueUp(host)
    this.sendMore()
  }

  /** Takes a place with a host that the gate is open for; undefined if another worker was quicker. */
  enter(name: string): Visit | undefined {
    const { manners, now } = this.#options
    const visit = manners.enter(name)
    if (visit) this.#open.add(visit, now())
    return visit
  }

  /** Another worker says that a group has a place. */
  nudged(group: string): void {
    this.#parked.wake(group)
    this.sendMore()
  }

  /** Whether a host's request may go to an address now; those go on who waited where it was to go. */
  arrive(name: string, address: string): boolean {
    const { hasPlace, left } = this.#options.manners.arrive(name, address)
    if (left !== undefined) {
      this.#parked.passOn(left)
      this.sendMore()
    }
    return hasPlace
  }

  /** Its answer is here and takes long to read: its host waits for that, and nobody else. */
  setAside(visit: Visit): void {
    this.#open.delete(visit)
    this.sendMore()
  }

  /** Gives the place back, and lets those go on who waited for it. */
  leave(visit: Visit, reaction: Reaction): void {
    const { manners, now } = this.#options
    this.#open.delete(visit)
    manners.leave(visit, reaction, now())
    for (const group of visit.groups) this.#parked.passOn(group)
    const host = this.#hosts.get(visit.host)
    if (host) this.queueUp(host)
    this.sendMore()
  }

  /**
   * An answer takes a place of its host until it is read, or for a moment: a reader who keeps up is never far behind, and
   * a host that rests for longer than that never waits for one who does not. Gives what is to be called then.
   */
  hold(name: string): () => void {
    const { manners } = this.#options
    manners.hold(name)
    let isHeld = true
    const release = () => {
      if (!isHeld) return
      isHeld = false
      clearTimeout(timer)
      manners.release(name)
      const host = this.#hosts.get(name)
      if (host) this.queueUp(host)
    }
    const timer = setTimeout(() => {
      release()
      this.sendMore()
    }, HOLD_MS).unref()
    return release
  }

  /** Keeps a host out of the row until `work` is done, which begins when a send is left for it. */
  async holdUp(host: HostQueue, work: () => Promise<unknown>): Promise<void> {
    host.isPlaced = true
    if (!this.#mayBegin(host)) return
    await work()
    host.isPlaced = false
    this.queueUp(host)
    this.sendMore()
  }

  sendMore(): void {
    const { concurrency, manners, maySend, now } = this.#options
    while (this.#admitNewcomers() && maySend()) {
      if (!this.#open.hasRoom(concurrency(), now())) {
        this.#sendMoreLater()
        return
      }
      const host = this.#row.take()!
      if (!host.isLocated) {
        if (!this.#mayBegin(host)) continue
        this.#strangers.push(host)
        this.#lookUpMore()
        continue
      }
      const { wokenFor } = host
      host.isPlaced = false
      host.wokenFor = undefined
      const gate = manners.gate(host.name, now())
      const isStillFull = gate.kind === 'full' && gate.group === wokenFor
      if (gate.kind === 'full') this.#park(host, gate.group, isStillFull)
      else {
        if (gate.kind === 'open') this.#serve(host)
        this.queueUp(host)
      }
      // There may be more places than one, or it went without: the next one sees.
      if (wokenFor !== undefined && !isStillFull) this.#parked.wake(wokenFor)
    }
  }

  /** Puts a host that has work into the row, at once or when its rest is over. */
  queueUp(host: HostQueue): void {
    if (host.isPlaced || host.timer) return
    if (host.size === 0) {
      this.#forget(host)
      return
    }
    const { manners, now, patienceSeconds, postpone } = this.#options
    const waitSeconds = manners.restsUntil(host.name, now()) - now()
    if (waitSeconds <= 0) {
      if (manners.isBusy(host.name)) return
      host.isPlaced = true
      this.#row.push(host)
      return
    }
    const backoff = waitSeconds > patienceSeconds && manners.backoff(host.name, now())
    if (backoff && backoff.until - now() > patienceSeconds) {
      postpone(host, backoff.until - now(), backoff.reason)
      this.#forget(host)
      return
    }
    host.timer = setTimeout(
      () => {
        host.timer = undefined
        this.queueUp(host)
        this.sendMore()
      },
      Math.ceil(Math.min(waitSeconds, 3_600) * 1000),
    )
  }

  /** Tries again when the oldest request has become a slow one. */
  #sendMoreLater(): void {
    const { concurrency, now } = this.#options
    const waitSeconds = this.#open.slowIn(concurrency(), now())
    if (waitSeconds !== undefined) this.#sendMoreIn(waitSeconds)
  }

  #sendMoreIn(seconds: number): void {
    const at = this.#options.now() + seconds
    if (at >= this.#sendMoreAt) return
    this.#sendMoreAt = at
    clearTimeout(this.#timer)
    this.#timer = setTimeout(
      () => {
        this.#sendMoreAt = Number.POSITIVE_INFINITY
        this.sendMore()
      },
      Math.ceil(1000 * seconds),
    ).unref()
  }

  /** As many look-ups at once as requests: names that take long hold up no host that is known. */
  #lookUpMore(): void {
    while (this.#lookUps < this.#options.concurrency() && this.#strangers.size > 0) {
      const host = this.#strangers.take()!
      if (host.size > 0) void this.#lookUp(host)
      else this.#forget(host)
    }
  }

  #hostFor(name: string, known: HostQueue | undefined): HostQueue {
    if (known?.isPlaced) return known
    const isLocated = this.#options.locator.isLocated(name)
    if (!known) return new HostQueue(name, isLocated)
    known.isLocated = isLocated
    return known
  }

  #forget(host: HostQueue): void {
    this.#begun.delete(host)
    this.#hosts.delete(host.name)
  }

  #serve(host: HostQueue): void {
    this.#options.serve(host)
    // Unless its robots.txt comes first.
    if (!host.isPlaced) this.#begun.delete(host)
  }

  /** Whether a send is left for a host that is to begin; else it waits until one is. */
  #mayBegin(host: HostQueue): boolean {
    if (this.#begun.has(host)) return true
    if (this.#newcomers.size === 0 && this.#hasSendToBegin()) {
      this.#begun.set(host, this.#options.now())
      return true
    }
    this.#newcomers.push(host)
    return false
  }

  /** Lets those go on for whom sends are left by now. True if there is anybody in the row. */
  #admitNewcomers(): boolean {
    while (this.#newcomers.size > 0 && this.#hasSendToBegin()) {
      const host = this.#newcomers.take()!
      this.#begun.set(host, this.#options.now())
      this.#row.push(host)
    }
    if (this.#newcomers.size > 0 && this.#begun.size > 0) this.#sendMoreIn(BEGIN_SECONDS)
    return this.#row.size > 0
  }

  #hasSendToBegin(): boolean {
    const { now, sendsLeft } = this.#options
    for (const [host, since] of this.#begun) {
      if (now() - since < BEGIN_SECONDS) break
      this.#begun.delete(host)
    }
    return this.#begun.size < sendsLeft()
  }

  async #lookUp(host: HostQueue): Promise<void> {
    const { locator, manners } = this.#options
    this.#lookUps++
    await locator.locate(host.name)
    this.#lookUps--
    host.isLocated = true
    // One domain more may mean one place more at its address.
    for (const group of manners.groupsOf(host.name)) this.#parked.wake(group)
    host.isPlaced = false
    this.queueUp(host)
    this.#lookUpMore()
    this.sendMore()
  }

  #park(host: HostQueue, group: string, isFirst: boolean): void {
    host.isPlaced = true
    // Others may begin while it waits for a place.
    this.#begun.delete(host)
    this.#parked.park(host, group, isFirst)
  }
}
