import { join } from 'node:path'
import type { FetchOutcome } from '#learn/entries/outcome.ts'
import { canonicalUrl } from '#parse/url/canonical-url.ts'
import { instructionInbox } from '#repository/inbox/instruction-inbox.ts'
import type { HeardUrls } from './heard-urls.ts'
import { KeptJson } from './kept-json.ts'

/** What a site says by IndexNow: these pages are new or have changed, and here is the key that shows it is me. */
export interface Submission {
  readonly host: string
  readonly key: string
  /** Where the key lies; at the root of the host if left out. */
  readonly keyLocation?: string
  readonly urls: readonly string[]
}

/** The protocol's statuses, and why. */
export interface Verdict {
  readonly status: 200 | 202 | 400 | 403 | 422 | 429
  readonly why: string
}

interface IndexNowOptions {
  readonly dir: string
  readonly heard: HeardUrls
  /** Whether the crawl may fetch a URL. */
  readonly isWelcome: (url: string) => boolean
  /** Whether the crawl knows a URL, and was not told to forget it. */
  readonly isKnown: (url: string) => boolean
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

/** A key that was found where it should be, or was not. */
interface Checked {
  readonly key: string
  readonly at: number
  readonly isRight: boolean
}

/** A key that is yet to be looked for, and what was said with it. */
interface Pending {
  readonly host: string
  readonly key: string
  readonly since: number
  /** The crawl knew its place as a page before: that is not for whoever sends a key to take away. */
  readonly isPage?: true
  readonly urls: readonly string[]
}

interface Kept {
  /** By place of the key. */
  checked: Record<string, Checked>
  pending: Record<string, Pending>
}

const KEY = /^[A-Za-z0-9-]{8,128}$/
/** The protocol's limit. */
export const MOST_URLS = 10_000
/** A right key is looked for again after so long. */
const RIGHT_MS = 30 * 86_400_000
/** A wrong one is not believed for an hour, nor another of its host looked for too often. */
const WRONG_MS = 3_600_000
const MOST_TRIES = 5
/** Keys that wait to be looked for, of all hosts. A day is enough for any of them. */
const MOST_PENDING = 100
/** Of all that waits for them. */
const MOST_PENDING_CHARS = 2_000_000
const PENDING_MS = 86_400_000
const MOST_CHECKED = 20_000

/**
 * Hears sites by IndexNow. Their keys are looked for by the crawl itself: politely, within its budget, and only where it may go.
 * What they say is a claim like a sitemap's: it counts as far as their claims proved true.
 */
export class IndexNow {
  readonly #options: IndexNowOptions
  readonly #now: () => number
  readonly #kept: KeptJson<Kept>
  /** By host: when keys were looked for. */
  readonly #tries = new Map<string, number[]>()

  constructor(options: IndexNowOptions) {
    this.#options = options
    this.#now = options.now ?? Date.now
    this.#kept = new KeptJson(join(options.dir, 'indexnow.json'), { checked: {}, pending: {} })
  }

  submit({ host, key, keyLocation, urls }: Submission): Verdict {
    if (!KEY.test(key)) return no(422, 'a key has 8 to 128 letters, digits and dashes')
    if (urls.length === 0 || urls.length > MOST_URLS) return no(422, `name 1 to ${MOST_URLS} URLs`)
    const known = urls.flatMap((url) => canonicalUrl(url) ?? [])
    const [first] = known
    const place = first && placeOf(key, keyLocation, first)
    if (!place || known.length < urls.length) return no(422, 'these are no web addresses')
    if (new URL(place).host !== host) return no(422, 'the key must lie on the host')
    if (!this.#options.isWelcome(place)) return no(422, 'the key lies where this crawl does not go')
    const folder = place.slice(0, place.lastIndexOf('/') + 1)
    if (!known.every((url) => isBelow(url, folder)))
      return no(422, 'a key speaks for URLs of its host and folder only')
    const welcome = known.filter(this.#options.isWelcome)
    if (welcome.length === 0) return no(422, 'none of these URLs belong to what is crawled here')
    if (!this.#options.heard.hasRoom(host, welcome.length)) return no(429, 'that is enough for now')
    return this.#judge(place, { host, key, urls: welcome })
  }

  /** An outcome of the crawl may be a key that was looked for. */
  saw(outcome: FetchOutcome): void {
    const pending = this.#kept.value.pending[outcome.url]
    if (!pending || (outcome.kind === 'failed' && !outcome.sent)) return
    const isRight = outcome.kind === 'page' && outcome.page.text.trim() === pending.key
    delete this.#kept.value.pending[outcome.url]
    this.#note(outcome.url, { key: pending.key, at: this.#now(), isRight })
    this.#kept.save()
    // It is no page for searchers.
    if (!pending.isPage)
      instructionInbox(this.#options.dir).leave({ kind: 'forget', url: outcome.url })
    if (isRight) this.#believe(pending)
  }

  /** Writes what is yet to be written. */
  close(): void {
    this.#kept.close()
  }

  #judge(place: string, said: Pick<Pending, 'host' | 'key' | 'urls'>): Verdict {
    const now = this.#now()
    const { checked, pending } = this.#kept.value
    const before = checked[place]
    if (before?.key === said.key) {
      const age = now - before.at
      if (before.isRight && age < RIGHT_MS) {
        this.#believe(said)
        return { status: 200, why: 'taken in' }
      }
      if (!before.isRight && age < WRONG_MS) return no(403, 'the key was not found at its place')
    }
    const waiting = pending[place]
    if (waiting && waiting.key !== said.key) return no(429, 'another key is being looked for there')
    for (const [other, { since }] of Object.entries(pending))
      if (now - since > PENDING_MS) delete pending[other]
    if (!waiting && !this.#mayTry(said.host, now)) return no(429, 'too many keys were looked for')
    const urls = [...new Set([...(waiting?.urls ?? []), ...said.urls])].slice(0, MOST_URLS)
    const chars = Object.values(pending).reduce((sum, { urls }) => sum + urls.join('').length, 0)
    if (chars + said.urls.join('').length > MOST_PENDING_CHARS)
      return no(429, 'too much waits for keys')
    const isPage = waiting ? waiting.isPage : this.#options.isKnown(place)
    pending[place] = { ...said, urls, since: waiting?.since ?? now, ...(isPage && { isPage }) }
    this.#kept.save()
    if (!waiting) instructionInbox(this.#options.dir).leave({ kind: 'fetch', url: place })
    return { status: 202, why: 'the key is being looked for' }
  }

  #believe({ host, urls }: Pick<Pending, 'host' | 'urls'>): void {
    const changedAt = this.#now() / 1000
    this.#options.heard.tell(
      host,
      'indexnow',
      urls.map((url) => ({ url, changedAt })),
    )
  }

  #mayTry(host: string, now: number): boolean {
    if (Object.keys(this.#kept.value.pending).length >= MOST_PENDING) return false
    const tries = (this.#tries.get(host) ?? []).filter((at) => now - at < WRONG_MS)
    if (tries.length >= MOST_TRIES) return false
    if (this.#tries.size >= MOST_CHECKED) this.#tries.clear()
    this.#tries.set(host, [...tries, now])
    return true
  }

  #note(place: string, checked: Checked): void {
    const all = this.#kept.value.checked
    if (Object.keys(all).length >= MOST_CHECKED) this.#kept.value.checked = {}
    this.#kept.value.checked[place] = checked
  }
}

function no(status: Verdict['status'], why: string): Verdict {
  return { status, why }
}

/** Where a key lies that speaks for a URL. */
function placeOf(key: string, keyLocation: string | undefined, url: string): string | undefined {
  return canonicalUrl(keyLocation ?? `/${key}.txt`, url)
}

/** By either scheme: sites mix them. */
function isBelow(url: string, folder: string): boolean {
  const bare = (address: string) => address.replace(/^https?:/, '')
  return bare(url).startsWith(bare(folder))
}
