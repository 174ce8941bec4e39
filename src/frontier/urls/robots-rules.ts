import { GrowingColumn } from '#numeric/grow.ts'
import { isAllowed, parseRobots, type Robots } from '#parse/robots/robots-txt.ts'
import { hostOf } from '#parse/url/canonical-url.ts'
import type { UrlTable } from './url-table.ts'

/** After so long rules may be others: then what they forbade is asked about again. */
const GOOD_FOR_SECONDS = 7 * 86_400

/** The rules of one origin that are in force, and when they were learnt. */
interface OriginRules {
  readonly robots: Robots
  readonly at: number
  readonly number: number
}

/** What robots.txt files say to us, origin by origin, as far as a run has met them. */
export class RobotsRules {
  readonly #urls: UrlTable
  readonly #byOrigin = new Map<string, OriginRules>()
  /** By host: 1 if an origin of it forbids anything; undefined until somebody asks. */
  #forbidding: Uint8Array | undefined
  /** By URL: twice the number of the rules it was last judged by, plus 1 if they forbid it. */
  readonly #verdicts = new GrowingColumn(Uint32Array)
  #learnt = 0

  constructor(urls: UrlTable) {
    this.#urls = urls
  }

  /** An origin has these rules, all of them for us. */
  learn(origin: string, rules: string, at: number): void {
    this.#forbidding = undefined
    this.#byOrigin.delete(origin)
    if (rules === '') return
    this.#byOrigin.set(origin, { robots: parseRobots(rules), at, number: ++this.#learnt })
  }

  /** A run begins, and asks each origin anew. */
  clear(): void {
    this.#byOrigin.clear()
    this.#forbidding = undefined
  }

  /** Whether rules that are known forbid a URL. */
  forbids(url: number, now: number): boolean {
    if (this.#forbiddingHosts()[this.#urls.hostNumberOf(url)] !== 1) return false
    const address = this.#urls.urlOf(url)
    const rules = this.#byOrigin.get(originOf(address))
    if (!rules || now - rules.at > GOOD_FOR_SECONDS) return false
    this.#verdicts.lengthen(this.#urls.size)
    const judged = this.#verdicts.view()[url]
    if (judged >> 1 === rules.number) return (judged & 1) === 1
    const isForbidden = !isAllowed(rules.robots, '*', address).allowed
    this.#verdicts.set(url, 2 * rules.number + (isForbidden ? 1 : 0))
    return isForbidden
  }

  /** Most hosts forbid nothing, and are told apart without reading addresses. */
  #forbiddingHosts(): Uint8Array {
    const { hostCount } = this.#urls
    if (this.#forbidding?.length === hostCount) return this.#forbidding
    const names = new Set([...this.#byOrigin.keys()].map((origin) => hostOf(origin)))
    this.#forbidding = new Uint8Array(hostCount)
    if (names.size === 0) return this.#forbidding
    for (let host = 0; host < hostCount; host++)
      if (names.has(this.#urls.hostName(host))) this.#forbidding[host] = 1
    return this.#forbidding
  }
}

/** Scheme and host of a canonical URL. */
export function originOf(address: string): string {
  return address.split('/', 3).join('/')
}
