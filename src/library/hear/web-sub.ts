import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FormAnswer } from '#fetch/client/post-form.ts'
import type { Told } from '#frontier/told.ts'
import type { FetchOutcome } from '#learn/entries/outcome.ts'
import { parsePage } from '#parse/parse-page.ts'
import { canonicalUrl } from '#parse/url/canonical-url.ts'
import { registrableDomain } from '#parse/url/registrable-domain.ts'
import type { HeardUrls } from './heard-urls.ts'
import { KeptJson } from './kept-json.ts'

/** One feed at one hub. Times are milliseconds since 1970. */
interface Subscription {
  /** The feed as the crawl knows it, and as the hub does. */
  readonly feed: string
  readonly topic: string
  readonly hub: string
  /** What the hub signs with; none where others could read it on the way. */
  readonly secret?: string
  /** We asked, and the hub is to verify that. */
  readonly asked: boolean
  /** It holds until then; 0 if it was never verified. */
  readonly until: number
  /** Asked again after this. */
  readonly nextAt: number
  readonly faults: number
}

interface WebSubOptions {
  readonly dir: string
  readonly heard: HeardUrls
  readonly isWelcome: (url: string) => boolean
  /** Where hubs reach us, with a slash at its end. */
  readonly callback: string
  /** Sends a form to a hub. */
  readonly post: (hub: string, form: URLSearchParams) => Promise<FormAnswer>
  /** Whether nobody on the way to a hub can read what is sent. */
  readonly isPrivateTo: (hub: string) => boolean
  readonly now?: () => number
}

/** What came to a callback. */
interface Delivery {
  readonly type: string
  readonly signature?: string
  readonly body: Uint8Array
}

const LEASE_SECONDS = 10 * 86_400
/** Hubs that ask for less, or more, are taken at their word within reason. */
const LEAST_LEASE_SECONDS = 300
const MOST_LEASE_SECONDS = 90 * 86_400
/** Renewed when so much of the lease is left. */
const RENEW_SHARE = 0.25
/** A hub that does not verify, or refuses, is asked again later; each time twice as long, up to a month. */
const FIRST_AGAIN_MS = 3_600_000
const MOST_AGAIN_MS = 30 * 86_400_000
const MOST_SUBSCRIPTIONS = 1_000
/** Of feeds of one site: whoever names very many gets no more places, and can have no hub asked more often. */
const MOST_OF_SITE = 20
/** A hub that did not verify so often makes room for others, where there is none. */
const VAIN_FAULTS = 5
/** From one request to a hub to the next. */
const HUB_REST_MS = 1_000
/** Reading what is delivered for a site may take this share of the time. */
const READING_SHARE = 1 / 40
/** Entries of a delivery that are looked at. */
const MOST_ENTRIES = 1_000
const HASHES: readonly string[] = ['sha1', 'sha256', 'sha384', 'sha512']

/**
 * Subscribes to the hubs that feeds name, so that their news are known when they appear (W3C WebSub). What is delivered is read as
 * the feed would be: its entries become known, and that they and the feed changed is a claim.
 */
export class WebSub {
  readonly #options: WebSubOptions
  readonly #now: () => number
  readonly #kept: KeptJson<Record<string, Subscription>>
  /** Requests to hubs are made one after the other. */
  #sending: Promise<void> = Promise.resolve()
  /** By hub: when it may be asked again. */
  readonly #restUntil = new Map<string, number>()
  /** By site: when what is delivered for it is read again. */
  readonly #readAfter = new Map<string, number>()
  readonly #closed = new AbortController()

  constructor(options: WebSubOptions) {
    this.#options = options
    this.#now = options.now ?? Date.now
    this.#kept = new KeptJson(join(options.dir, 'websub.json'), {})
  }

  /** Feeds that are followed, or are to be. */
  subscriptions(): readonly Subscription[] {
    return Object.values(this.#kept.value)
  }

  /** An outcome of the crawl may be a feed that names a hub. */
  saw(outcome: FetchOutcome): void {
    if (outcome.kind !== 'page' || outcome.page.form !== 'feed' || !outcome.page.push) return
    const { url: feed, page } = outcome
    const { hubs, topic: named = feed } = page.push!
    if (!this.#options.isWelcome(feed)) return
    // A feed may not speak for another site's.
    const topic = new URL(named).host === new URL(feed).host ? named : feed
    if (!this.#makeRoom(feed)) return
    const [hub] = hubs
    const secret = this.#options.isPrivateTo(hub) ? randomBytes(32).toString('hex') : undefined
    const id = randomBytes(16).toString('hex')
    const begun = { feed, topic, hub, ...(secret && { secret }) }
    this.#put(id, { ...begun, asked: false, until: 0, nextAt: 0, faults: 0 })
    this.renew()
  }

  /** Asks hubs whose leases end soon, or that were to be asked again by now. */
  renew(): void {
    const now = this.#now()
    for (const [id, one] of Object.entries(this.#kept.value))
      if (one.nextAt <= now) {
        const faults = one.faults + 1
        const wait = Math.min(FIRST_AGAIN_MS * 2 ** one.faults, MOST_AGAIN_MS)
        // Until the hub has verified it, it counts as a fault.
        this.#put(id, { ...one, asked: true, faults, nextAt: now + wait })
        this.#sending = this.#sending.then(() => this.#ask(id, one))
      }
  }

  /** A hub asks whether we want this (verification of intent); gives the challenge to answer with, if so. */
  verify(id: string, query: URLSearchParams): string | undefined {
    const one = this.#of(id)
    const mode = query.get('hub.mode')
    if (!one || query.get('hub.topic') !== one.topic) return undefined
    if (mode === 'denied') {
      this.#put(id, { ...one, asked: false, until: 0 })
      return ''
    }
    const challenge = query.get('hub.challenge')
    if (mode !== 'subscribe' || !one.asked || challenge === null) return undefined
    const asked = Number(query.get('hub.lease_seconds') ?? LEASE_SECONDS)
    const lease = Math.min(
      Math.max(Number.isFinite(asked) ? asked : 0, LEAST_LEASE_SECONDS),
      MOST_LEASE_SECONDS,
    )
    const until = this.#now() + lease * 1000
    const nextAt = until - RENEW_SHARE * lease * 1000
    this.#put(id, { ...one, asked: false, until, nextAt, faults: 0 })
    return challenge
  }

  /** A hub delivers news. False if nobody asked for it; what is not signed as it should be is passed over. */
  deliver(id: string, { type, signature, body }: Delivery): boolean {
    const one = this.#of(id)
    if (!one || one.until < this.#now()) return false
    const { heard, isWelcome } = this.#options
    const isSigned = one.secret !== undefined
    const site = new URL(one.feed).host
    if (!heard.hasRoom(site, 1)) return true
    if (isSigned && !isRight(signature, one.secret!, body)) return true
    const changedAt = this.#now() / 1000
    // Who could not sign is believed that something is new, but not what.
    const entries = isSigned ? this.#entriesOf(one.feed, type, body) : []
    const told = [{ url: one.feed, changedAt }, ...entries].filter(({ url }) => isWelcome(url))
    if (heard.hasRoom(site, told.length)) heard.tell(site, 'websub', told)
    return true
  }

  /** Once all that was to be sent is sent. */
  async idle(): Promise<void> {
    await this.#sending
  }

  /** Sends nothing more, and writes what is yet to be written. */
  async close(): Promise<void> {
    this.#closed.abort()
    await this.idle()
    this.#kept.close()
  }

  /** Whether there is a place for a feed that has none yet. */
  #makeRoom(feed: string): boolean {
    const known = Object.entries(this.#kept.value)
    if (known.some(([, one]) => one.feed === feed)) return false
    const site = siteOf(feed)
    const ofSite = known.filter(([, one]) => siteOf(one.feed) === site)
    if (ofSite.length >= MOST_OF_SITE) return false
    if (known.length < MOST_SUBSCRIPTIONS) return true
    const vain = known.find(([, one]) => one.until === 0 && one.faults >= VAIN_FAULTS)
    if (vain) delete this.#kept.value[vain[0]]
    return vain !== undefined
  }

  /** What a delivery names. One that comes soon after a long one of its site only says that something is new. */
  #entriesOf(feed: string, type: string, body: Uint8Array): Omit<Told, 'by'>[] {
    const site = siteOf(feed)
    const startedAt = performance.now()
    if (startedAt < (this.#readAfter.get(site) ?? 0)) return []
    const entries = entriesOf(feed, type, body)
    const ms = performance.now() - startedAt
    this.#readAfter.set(site, startedAt + ms / READING_SHARE)
    return entries
  }

  /** Leaves a hub alone for a while, whoever names it. */
  async #rest(hub: string): Promise<void> {
    const { host } = new URL(hub)
    const restMs = (this.#restUntil.get(host) ?? 0) - performance.now()
    if (restMs > 0) await sleep(restMs, undefined, { signal: this.#closed.signal }).catch(() => {})
    if (this.#restUntil.size >= MOST_SUBSCRIPTIONS) this.#restUntil.clear()
    this.#restUntil.set(host, performance.now() + HUB_REST_MS)
  }

  async #ask(id: string, { hub, topic, secret }: Subscription): Promise<void> {
    await this.#rest(hub)
    if (this.#closed.signal.aborted) return
    const form = new URLSearchParams({
      ...{ 'hub.mode': 'subscribe', 'hub.topic': topic },
      'hub.callback': `${this.#options.callback}websub/${id}`,
      'hub.lease_seconds': `${LEASE_SECONDS}`,
      ...(secret && { 'hub.secret': secret }),
    })
    await this.#options.post(hub, form).catch(() => {}) // it is asked again in any case
  }

  #of(id: string): Subscription | undefined {
    return Object.hasOwn(this.#kept.value, id) ? this.#kept.value[id] : undefined
  }

  #put(id: string, one: Subscription): void {
    this.#kept.value[id] = one
    this.#kept.save()
  }
}

function siteOf(url: string): string {
  return registrableDomain(new URL(url).hostname)
}

/** Whether a signature (`sha256=…`) is that of the body. */
function isRight(signature: string | undefined, secret: string, body: Uint8Array): boolean {
  const [method = '', given = ''] = signature?.split('=') ?? []
  if (!HASHES.includes(method) || !/^[0-9a-f]+$/i.test(given)) return false
  const own = createHmac(method, secret).update(body).digest()
  const theirs = Buffer.from(given, 'hex')
  return own.length === theirs.length && timingSafeEqual(own, theirs)
}

/** The pages that a feed names, with their dates. */
function entriesOf(feed: string, type: string, body: Uint8Array) {
  const page = parsePage(body, type, feed)
  if (page.form !== 'feed') return []
  const seen = new Map<string, number | undefined>()
  for (const { url, lastModified } of page.links.slice(0, 2 * MOST_ENTRIES))
    if (seen.size < MOST_ENTRIES && canonicalUrl(url) === url)
      seen.set(url, lastModified ?? seen.get(url))
  return [...seen].map(([url, changedAt]) => ({
    url,
    ...(changedAt !== undefined && { changedAt }),
  }))
}
