import { type QuietWindow, quietHours } from '#crawl/pace/quiet-hours.ts'
import type { FieldSelectors } from '#parse/fields/field-rules.ts'
import { bySpecificity, matchesHost, matchesUrl, type SiteMatch } from '#parse/url/site-match.ts'

/** What an operator wants for a site of his own. Plain data, so that it can go from thread to thread. */
export interface SiteRule {
  readonly match: SiteMatch
  /** In place of the delay for all. */
  readonly delaySeconds?: number
  /** Requests to each of its hosts at the same time. */
  readonly connections?: number
  /** Hours in which it is not asked, beside those for all. */
  readonly quiet?: readonly QuietWindow[]
  /** Credentials, cookies and the like: sent there and nowhere else, and written down nowhere. */
  readonly secretHeaders?: Readonly<Record<string, string>>
  /** Fields of its pages, beside those of all. */
  readonly fields?: FieldSelectors
  /** Sends them also where others on the way can read them. */
  readonly allowHttp?: boolean
}

/** The rules of own sites. For a URL, and for a host, one rule holds: whose match says most. */
export class Sites {
  #rules: readonly SiteRule[] = []
  readonly #quiet = new WeakMap<SiteRule, (now: number) => number>()

  constructor(rules: readonly SiteRule[] = []) {
    this.replace(rules)
  }

  /** From now on these hold, and no others. */
  replace(rules: readonly SiteRule[]): void {
    this.#rules = rules.toSorted((a, b) => bySpecificity(a.match, b.match))
  }

  /** What holds for a URL. */
  ofUrl(url: URL): SiteRule | undefined {
    return this.#rules.find(({ match }) => matchesUrl(match, url))
  }

  /** When the quiet hours of a host end, 0 if it is in none. */
  quietUntil(host: string, now: number): number {
    const rule = this.ofHost(host)
    if (!rule?.quiet) return 0
    const until = this.#quiet.get(rule) ?? quietHours(rule.quiet)
    this.#quiet.set(rule, until)
    return until(now)
  }

  /** What holds for a host, with its port if it has one, whatever is asked of it. */
  ofHost(host: string): SiteRule | undefined {
    return this.#rules.find(({ match }) => matchesHost(match, host))
  }
}
