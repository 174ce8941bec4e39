import { type AskedSignature, parseAcceptSignature } from './accept-signature.ts'
import { KeyRing, type KeySource } from './key-ring.ts'
import type { SignableRequest } from './request-component.ts'
import { signRequest, USUAL } from './sign-request.ts'

/** How requests are signed. It holds no key, so it may go from thread to thread. */
export interface SigningOptions {
  readonly key: KeySource
  /** Where our public keys are published. */
  readonly keysUrl: string
  readonly when: 'always' | 'when-asked'
}

/** An answer as far as it can ask for a signature. */
interface AskingAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** Hosts that are remembered; of more, the one that asked first is forgotten. */
const MOST_HOSTS = 10_000
const REFUSALS = new Set([401, 403, 429])

/** Signs requests, and remembers for a run which hosts asked for a signature. */
export class RequestSigner {
  readonly #options: SigningOptions
  readonly #keys: KeyRing
  readonly #asked = new Map<string, AskedSignature>()

  constructor(options: SigningOptions) {
    this.#options = options
    this.#keys = new KeyRing(options.key)
  }

  /** The headers that sign a request; none where nobody asked for them. */
  headersFor(request: SignableRequest): Readonly<Record<string, string>> {
    const { when, keysUrl } = this.#options
    const { host } = request.url
    const asked = this.#asked.get(host)
    if (!asked && when === 'when-asked') return {}
    const now = secondsNow()
    const key = this.#keys.inForce(now)
    const headers = asked && signRequest(request, keysUrl, key, now, asked)
    // A nonce is good for one request.
    if (asked?.nonce !== undefined) this.#asked.set(host, { ...asked, nonce: undefined })
    return headers ?? signRequest(request, keysUrl, key, now)!
  }

  /**
   * Remembers what an answer asks for. True if the request was refused and asking again would be of use: it was sent
   * with other signature headers, or none, and what is asked for can be given.
   */
  hears({ status, headers }: AskingAnswer, request: SignableRequest, sentWith: object): boolean {
    const asking = [headers['accept-signature']].flat().join(', ')
    const asked = asking === '' ? undefined : parseAcceptSignature(asking)
    const { host } = request.url
    if (!asked || !this.#canSign(request, asked)) return false
    const isNews = !this.#asked.has(host)
    if ('signature' in sentWith && !(isNews && isUnusual(asked))) return false
    if (isNews) this.#asked.set(host, asked)
    if (this.#asked.size > MOST_HOSTS) this.#asked.delete(this.#asked.keys().next().value!)
    return REFUSALS.has(status)
  }

  #canSign(request: SignableRequest, asked: AskedSignature): boolean {
    const now = secondsNow()
    const key = this.#keys.inForce(now)
    return signRequest(request, this.#options.keysUrl, key, now, asked) !== undefined
  }
}

/** Whether the usual signature is not what is asked for. */
function isUnusual({ components, nonce }: AskedSignature): boolean {
  const isCovered = components.every((name) => USUAL.components.includes(name))
  return !isCovered || nonce !== undefined
}

/** Verifiers go by the time of day, so this does too, whatever time the crawl goes by. */
function secondsNow(): number {
  return Date.now() / 1000
}
