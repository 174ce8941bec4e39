import type { Frontier } from '#frontier/frontier.ts'
import { isNoPage } from '#frontier/urls/url-states.ts'
import type { FetchOutcome } from './entries/outcome.ts'

/** A host that is left alone for a while, and what waits for it. */
export interface Rest {
  readonly host: string
  /** When the first of its URLs may be asked for again; seconds since 1970. */
  readonly until: number
  /** URLs that nothing else holds back. */
  readonly urls: number
  /** Of these, copies that were to be fetched again. */
  readonly copies: number
  /** In the words of the outcome that said so; those of an earlier run are not known. */
  readonly reason?: string
  /** It has answered once, be it to ask for rest: one that never did may not exist. */
  readonly hasAnswered: boolean
}

interface OriginRest {
  readonly until: number
  readonly reason: string
  /** The fetcher put off a URL for it, so no plan need ask. */
  readonly isPutOff: boolean
}

/** Without TLS, and with it. */
type HostRests = [plain?: OriginRest, secure?: OriginRest]

/**
 * Origins that are left alone for a while, as the fetcher said when it put off one of their URLs. Without them,
 * a dead host would need a plan for every few of its URLs, only to hear the same of each.
 */
export class RestingOrigins {
  readonly #frontier: Frontier
  /** By host. */
  readonly #rests = new Map<number, HostRests>()
  /** Hosts that asked for rest themselves. */
  readonly #askers = new Set<number>()

  constructor(frontier: Frontier) {
    this.#frontier = frontier
  }

  /** Forgets all: the fetcher of a new run says anew whom it leaves alone. */
  clear(): void {
    this.#rests.clear()
    this.#askers.clear()
  }

  /** Notes how long an origin is to be left alone, if a fetch told. */
  learn(outcome: FetchOutcome): void {
    if (outcome.kind !== 'failed' || !outcome.retryAfterSeconds) return
    const { id, at, sent, reason, retryAfterSeconds } = outcome
    const until = at + retryAfterSeconds
    const host = this.#frontier.urls.hostNumberOf(id)
    if (sent) this.#askers.add(host)
    // A short rest the fetcher sits out: only what it put off itself is kept from plans.
    if (sent && (this.#restOf(id)?.until ?? 0) >= until) return
    const rests = this.#rests.get(host) ?? []
    rests[this.#place(id)] = { until, reason, isPutOff: !sent }
    this.#rests.set(host, rests)
  }

  /** Whether a URL's origin is left alone now, so that no plan need ask. */
  has(url: number, now: number): boolean {
    const rests = this.#restsOf(url)
    // Which of the two it is takes its whole address: not where both are over, as there may be millions.
    if (!rests?.some((rest) => isLeftOut(rest, now))) return false
    return isLeftOut(rests[this.#place(url)], now)
  }

  /** Hosts of which nothing could be asked for at that time only because they rest; first who is free first. */
  at(now: number): Rest[] {
    const { urls } = this.#frontier
    const rests = new Map<number, Omit<Rest, 'host' | 'hasAnswered'>>()
    const count = (url: number, until: number, copies: 0 | 1) => {
      if (until <= now) return
      const host = urls.hostNumberOf(url)
      const before = rests.get(host)
      rests.set(host, {
        until: Math.min(until, before?.until ?? until),
        urls: (before?.urls ?? 0) + 1,
        copies: (before?.copies ?? 0) + copies,
        reason: before?.reason ?? this.#restOf(url)?.reason,
      })
    }
    for (const url of this.#frontier.unfetched(Number.POSITIVE_INFINITY))
      count(url, this.#freeAt(url), 0)
    for (const copy of this.#putOffCopies(now)) count(copy, this.#frontier.retryAtOf(copy), 1)
    const answered = this.#answeredOf(rests)
    const all = Array.from(rests, ([host, rest]) => ({
      host: urls.hostName(host),
      ...rest,
      hasAnswered: this.#askers.has(host) || answered.has(host),
    }))
    return all.sort((a, b) => a.until - b.until)
  }

  /** Which of these hosts once had an answer for us, of all runs; that we were kept out is none of theirs. */
  #answeredOf(hosts: ReadonlyMap<number, unknown>): Set<number> {
    const answered = new Set<number>()
    if (hosts.size === 0) return answered
    this.#frontier.urls.hosts().forEach((host, url) => {
      if (!hosts.has(host) || answered.has(host)) return
      const state = this.#frontier.stateOf(url)
      if (state === 'page' || isNoPage(state)) answered.add(host)
    })
    return answered
  }

  /** When the rest of its host ends that a URL waits for; 0 if something else holds it back, or nothing. */
  #freeAt(url: number): number {
    const { until = 0, isPutOff = false } = this.#restOf(url) ?? {}
    const retryAt = this.#frontier.retryAtOf(url)
    // Only what was put off has a time before its first try.
    if (this.#frontier.stateOf(url) === 'known') return Math.max(isPutOff ? until : 0, retryAt)
    return retryAt <= until ? until : 0
  }

  /** Copies that were to be fetched again: of pages without failures, only what was put off has a time. */
  #putOffCopies(now: number): Uint32Array {
    const isPutOff = (url: number) =>
      this.#frontier.failuresOf(url) === 0 && this.#frontier.retryAtOf(url) > now
    return this.#frontier.refreshFacts(Number.POSITIVE_INFINITY, isPutOff).pages
  }

  #restOf(url: number): OriginRest | undefined {
    return this.#restsOf(url)?.[this.#place(url)]
  }

  #restsOf(url: number): HostRests | undefined {
    return this.#rests.size > 0 ? this.#rests.get(this.#frontier.urls.hostNumberOf(url)) : undefined
  }

  #place(url: number): 0 | 1 {
    return this.#frontier.urls.urlOf(url).startsWith('https:') ? 1 : 0
  }
}

/** Whether plans are to leave an origin out now. */
function isLeftOut(rest: OriginRest | undefined, now: number): boolean {
  return rest?.isPutOff === true && rest.until > now
}
