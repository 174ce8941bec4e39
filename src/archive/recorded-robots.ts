import { originOf } from '#frontier/urls/robots-rules.ts'
import { AGENT_TOKEN, type Link } from '#parse/page/page.ts'
import { robotsSitemaps } from '#parse/robots/robots-sitemaps.ts'
import {
  isAllowed,
  parseRobots,
  type Robots,
  rulesFor,
  type Verdict,
} from '#parse/robots/robots-txt.ts'
import type { RecordedWeb } from './recorded-web.ts'
import { replayRobots } from './site-furniture.ts'

/** The recorded web's robots.txt files, each read once. */
export class RecordedRobots {
  readonly #web: RecordedWeb
  readonly #byOrigin = new Map<string, Robots>()

  constructor(web: RecordedWeb) {
    this.#web = web
  }

  /** Whether we may fetch a URL, and which line says so. */
  verdictOn(url: string): Verdict {
    return isAllowed(this.#robotsOf(originOf(url)), AGENT_TOKEN, url)
  }

  /** The sitemaps that an origin's robots.txt names, or the usual place. */
  sitemapsOf(origin: string): Link[] {
    return robotsSitemaps(this.#robotsOf(origin), origin)
  }

  /** What an origin's robots.txt says to us; '' if it forbids nothing. */
  rulesOf(origin: string): string | undefined {
    return rulesFor(this.#robotsOf(origin), AGENT_TOKEN)
  }

  #robotsOf(origin: string): Robots {
    const known = this.#byOrigin.get(origin)
    if (known) return known
    const host = origin.slice(origin.indexOf('//') + 2)
    const robots = parseRobots(replayRobots(this.#web, origin, host) ?? '')
    this.#byOrigin.set(origin, robots)
    return robots
  }
}

/** True for an origin's robots.txt, whatever its query. */
export function isRobotsUrl(url: string): boolean {
  return /^\/robots\.txt(?:\?|$)/.test(url.slice(originOf(url).length))
}
