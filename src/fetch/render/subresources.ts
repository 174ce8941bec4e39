import { isAllowed } from '#parse/robots/robots-txt.ts'
import { canonicalUrl } from '#parse/url/canonical-url.ts'
import type { WebClient } from '../client/web-client.ts'
import { decodeBody } from '../http/decode-body.ts'
import type { Headers } from '../http/http-get.ts'
import type { RobotsCache } from '../robots/robots-cache.ts'
import { ForeignSites } from './foreign-sites.ts'
import { ScriptCache } from './script-cache.ts'

/** What a page's scripts were sent. */
interface Subresource {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** What a page's scripts ask for. */
interface SubresourceRequest {
  readonly url: string
  /** The page whose scripts ask. */
  readonly page: string
  readonly headers: Readonly<Record<string, string>>
  readonly isScript: boolean
}

interface SubresourceOptions {
  readonly client: Pick<WebClient, 'getResource'>
  readonly robots: Pick<RobotsCache, 'known' | 'load'>
  readonly agentToken: string
}

const MAX_REDIRECTS = 5
/** Unpacked, an answer is no larger than this. */
const MAX_DECODED_BYTES = 10 << 20
/** Scripts may ask in their own words, but not in so many, nor in the name of somebody else. */
const MAX_HEADERS = 30
const MAX_HEADER_CHARS = 2_000
const OWN_HEADERS =
  /^(?:host|connection|content-length|transfer-encoding|cookie|user-agent|from|accept-encoding|te|upgrade|keep-alive|expect|signature.*|proxy-.*|sec-.*|if-.*|range|:.*)$/i
/** Said of the bytes on the wire, or to a browser with a memory. */
const NOT_PASSED_ON =
  /^(?:content-encoding|content-length|transfer-encoding|connection|set-cookie|strict-transport-security|alt-svc|link|report-to|nel|service-worker-allowed)$/i

/**
 * Gets what the scripts of pages ask for, as the crawl would: by its own client, which judges every address it connects
 * to, and only what robots.txt allows. Redirects are followed here, hop by hop, under the same rules.
 */
export class Subresources {
  readonly #options: SubresourceOptions
  readonly #scripts = new ScriptCache<Subresource>()
  readonly #foreign = new ForeignSites()

  constructor(options: SubresourceOptions) {
    this.#options = options
  }

  /** The answer and the bytes it took; a reason in place of an answer that there is none of. */
  async get(
    { url, page, headers, isScript }: SubresourceRequest,
    maxBytes: number,
    end?: AbortSignal,
  ): Promise<{ answer: Subresource | string; bytes: number }> {
    const known = isScript ? this.#scripts.get(url) : undefined
    if (known) return { answer: known, bytes: 0 }
    const asking = askingHeaders(headers)
    let [target, bytes] = [url, 0]
    for (let hop = 0; hop <= MAX_REDIRECTS && !end?.aborted; hop++) {
      const refusal = await this.#refusalOf(target, page)
      if (refusal !== undefined) return { answer: refusal, bytes }
      const limit = maxBytes - bytes
      if (limit <= 0) return { answer: 'too many bytes', bytes }
      const got = await this.#options.client.getResource(new URL(target), limit, asking, end)
      bytes += got.bytes ?? 0
      if (got.kind === 'failure') return { answer: got.reason, bytes }
      if (got.status === 429 || got.status === 503)
        this.#foreign.rest(target, got.retryAfterSeconds)
      if (got.truncated) return { answer: 'too many bytes', bytes }
      const next = redirectOf(got.status, got.headers, target)
      if (next === undefined) {
        const answer = decoded(got)
        if (isScript && typeof answer !== 'string' && answer.status === 200)
          this.#scripts.set(url, answer, answer.body.length)
        return { answer, bytes }
      }
      // What another origin says to a script is for the browser to judge, which sees no redirect.
      if (!isScript && new URL(next).origin !== new URL(target).origin)
        return { answer: 'redirect to another origin', bytes }
      target = next
    }
    return { answer: 'too many redirects', bytes }
  }

  async #refusalOf(url: string, page: string): Promise<string | undefined> {
    if (!this.#foreign.admits(url, page)) return 'too many requests to another site'
    const { robots, agentToken } = this.#options
    const { origin } = new URL(url)
    const state = robots.known(origin) ?? (await robots.load(origin))
    if (state?.kind !== 'rules') return 'no robots.txt to go by'
    return isAllowed(state.robots, agentToken, url).allowed ? undefined : 'robots.txt'
  }
}

/** What scripts ask with, without what is ours to say. */
function askingHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const isFit = (name: string, value: string) =>
    !OWN_HEADERS.test(name) &&
    value.length <= MAX_HEADER_CHARS &&
    /^[\w!#$%&'*+.^`|~-]+$/.test(name) &&
    /^[\x20-\x7e]*$/.test(value)
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name, value]) => isFit(name, value))
      .slice(0, MAX_HEADERS),
  )
}

function redirectOf(status: number, headers: Headers, from: string): string | undefined {
  if (![301, 302, 303, 307, 308].includes(status)) return undefined
  const location = [headers.location].flat()[0]
  return location === undefined ? undefined : canonicalUrl(location, from)
}

function decoded({
  status,
  headers,
  body,
}: {
  readonly status: number
  readonly headers: Headers
  readonly body: Uint8Array
}): Subresource | string {
  const encoding = [headers['content-encoding']].flat().join(',')
  const unpacked = decodeBody(body, encoding, MAX_DECODED_BYTES)
  if (unpacked.kind !== 'decoded') return `body ${unpacked.kind}`
  const passedOn = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || NOT_PASSED_ON.test(name) ? [] : [[name, [value].flat().join(', ')]],
  )
  return { status, headers: Object.fromEntries(passedOn), body: unpacked.body }
}
