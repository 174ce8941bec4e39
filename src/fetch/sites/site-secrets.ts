import type { FetchOutcome } from '#learn/entries/outcome.ts'
import type { Sites } from './sites.ts'

type Headers = Readonly<Record<string, string>>

/** Why a site with credentials of ours turned us away. */
export const NOT_ACCEPTED = 'credentials not accepted'
export const NOT_SENT = 'credentials not sent without https'

/**
 * Gives each request the secrets of its own URL's site. Nothing is carried over from a request to the one that it
 * redirects to, or to robots.txt and sitemaps elsewhere: each is asked about anew.
 */
export class SiteSecrets {
  readonly #sites: Sites
  readonly #isPrivateTo: (url: URL) => boolean

  constructor(sites: Sites, isPrivateTo: (url: URL) => boolean) {
    this.#sites = sites
    this.#isPrivateTo = isPrivateTo
  }

  /** The secret headers for a URL; none where somebody on the way could read them. */
  headersFor(url: URL): Headers | undefined {
    const site = this.#sites.ofUrl(url)
    if (!site?.secretHeaders) return undefined
    return site.allowHttp || this.#isPrivateTo(url) ? site.secretHeaders : undefined
  }

  /** The outcome, with the reason that an operator should hear of when his own site denies it. */
  explained(outcome: FetchOutcome, url: URL): FetchOutcome {
    if (outcome.kind !== 'denied' || (outcome.status !== 401 && outcome.status !== 403))
      return outcome
    if (outcome.reason !== undefined && outcome.reason !== 'asks for a password') return outcome
    if (!this.#sites.ofUrl(url)?.secretHeaders) return outcome
    return { ...outcome, reason: this.headersFor(url) ? NOT_ACCEPTED : NOT_SENT }
  }
}
