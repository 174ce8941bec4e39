import { isRobotsUrl, type RecordedRobots } from '#archive/recorded-robots.ts'
import { hostOf } from '#parse/url/canonical-url.ts'

/** How a crawler behaved, as servers saw it. */
export interface Manners {
  readonly requests: number
  /** The most requests that one host had to answer at once. */
  readonly mostAtOnce: number
  /** Requests for what robots.txt forbids. */
  readonly disallowed: number
  /** Requests to hosts whose robots.txt had not been asked for before. */
  readonly unasked: number
}

/** Looks at one run of a crawler from the servers' side. */
export class MannersWatch {
  readonly #robots: Pick<RecordedRobots, 'verdictOn'>
  readonly #atOnce = new Map<string, number>()
  readonly #askedRobots = new Set<string>()
  #requests = 0
  #mostAtOnce = 0
  #disallowed = 0
  #unasked = 0

  constructor(robots: Pick<RecordedRobots, 'verdictOn'>) {
    this.#robots = robots
  }

  /** A request has come; gives what to call when it is answered. */
  request(url: string): () => void {
    const host = hostOf(url)
    this.#requests++
    if (isRobotsUrl(url)) this.#askedRobots.add(host)
    else {
      if (!this.#robots.verdictOn(url).allowed) this.#disallowed++
      if (!this.#askedRobots.has(host)) this.#unasked++
    }
    const atOnce = (this.#atOnce.get(host) ?? 0) + 1
    this.#atOnce.set(host, atOnce)
    this.#mostAtOnce = Math.max(this.#mostAtOnce, atOnce)
    return () => this.#atOnce.set(host, this.#atOnce.get(host)! - 1)
  }

  manners(): Manners {
    return {
      requests: this.#requests,
      mostAtOnce: this.#mostAtOnce,
      disallowed: this.#disallowed,
      unasked: this.#unasked,
    }
  }
}
