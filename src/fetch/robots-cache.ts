import type { Clock } from '#crawl/ports.ts'
import { canonicalUrl } from '#parse/canonical-url.ts'
import { parseRobots, type Robots } from '#parse/robots-txt.ts'
import { decodeBody } from './decode-body.ts'
import type { HttpAnswer, HttpFailure } from './http-get.ts'

/** What an origin's robots.txt says. */
export type RobotsState =
  | { readonly kind: 'rules'; readonly robots: Robots; readonly validUntil: number }
  /** RFC 9309 §2.3.1.4: nobody may assume leave while the file cannot be had. */
  | { readonly kind: 'unreachable'; readonly reason: string; readonly validUntil: number }

/** RFC 9309 §2.5: at least this much must be read; what follows is ignored. */
export const ROBOTS_BYTES = 500 * 1024
const MAX_REDIRECTS = 5
const VALID_SECONDS = 24 * 3600
/** A failure is asked about again soon: it may have been a moment's. */
const FAILURE_SECONDS = 600

/** One GET of a robots.txt; how, and with what patience, is the fetcher's business. */
export type GetRobots = (url: URL, hop: number) => Promise<HttpAnswer | HttpFailure>

/** robots.txt by origin (scheme, host and port), each fetched once while it is valid. */
export class RobotsCache {
  readonly #get: GetRobots
  readonly #clock: Clock
  readonly #states = new Map<string, RobotsState>()
  readonly #loading = new Map<string, Promise<RobotsState>>()

  constructor(get: GetRobots, clock: Clock) {
    this.#get = get
    this.#clock = clock
  }

  /** What is known now and still valid. */
  known(origin: string): RobotsState | undefined {
    const state = this.#states.get(origin)
    return state && state.validUntil > this.#clock.now() ? state : undefined
  }

  /** Fetches and remembers an origin's rules. */
  async load(origin: string): Promise<RobotsState> {
    const underWay = this.#loading.get(origin)
    if (underWay) return underWay
    const loading = this.#fetch(origin)
    this.#loading.set(origin, loading)
    const state = await loading
    this.#loading.delete(origin)
    this.#states.set(origin, state)
    return state
  }

  async #fetch(origin: string): Promise<RobotsState> {
    let url = new URL('/robots.txt', origin)
    for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
      const answer = await this.#get(url, hop)
      if (answer.kind === 'failure') return this.#unreachable(answer.reason)
      const { status, headers } = answer
      if (status >= 300 && status < 400) {
        const location = [headers.location].flat()[0]
        const target = location && canonicalUrl(location, url.href)
        if (!target) break
        url = new URL(target)
        continue
      }
      // 429 is no word on the rules: the server is busy, as with 5xx.
      if (status === 429 || status >= 500) return this.#unreachable(`status ${status}`)
      if (status >= 400) break
      return this.#rules(answer)
    }
    // No such file, or no end of redirects: nothing is forbidden (§2.3.1.2 and §2.3.1.3).
    return this.#known(parseRobots(''))
  }

  #rules(answer: HttpAnswer): RobotsState {
    const encoding = [answer.headers['content-encoding']].flat().join(',')
    // Packed text grows about tenfold at most; a larger file is no rules file but a bomb.
    const decoded = decodeBody(answer.body, encoding, 32 * ROBOTS_BYTES)
    if (decoded.kind !== 'decoded') return this.#unreachable(`body ${decoded.kind}`)
    const text = new TextDecoder().decode(decoded.body.subarray(0, ROBOTS_BYTES))
    const isCut = answer.truncated || decoded.body.length > ROBOTS_BYTES
    // Half a line may forbid far more than the whole: `Disallow: /` of `Disallow: /private`.
    return this.#known(parseRobots(isCut ? text.slice(0, text.lastIndexOf('\n') + 1) : text))
  }

  #known(robots: Robots): RobotsState {
    return { kind: 'rules', robots, validUntil: this.#clock.now() + VALID_SECONDS }
  }

  #unreachable(reason: string): RobotsState {
    return { kind: 'unreachable', reason, validUntil: this.#clock.now() + FAILURE_SECONDS }
  }
}
