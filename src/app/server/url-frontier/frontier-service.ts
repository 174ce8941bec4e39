import { setImmediate } from 'node:timers/promises'
import {
  CrawlRefused,
  DEFAULT_CRAWL,
  type FrontierCrawls,
} from '#library/url-frontier/frontier-crawls.ts'
import type { PlannedCrawl } from '#library/url-frontier/planned-crawl.ts'
import { canonicalUrl } from '#parse/url/canonical-url.ts'
import {
  givenUrl,
  knownItem,
  MAX_KEY_CHARS,
  type UrlInfo,
  type UrlItem,
  urlInfo,
} from './url-items.ts'

/** The protocol's words for how a call failed. */
type CallFault = 'INVALID_ARGUMENT' | 'NOT_FOUND' | 'PERMISSION_DENIED' | 'UNIMPLEMENTED'

/** A call that cannot be answered, and why. */
export class CallError extends Error {
  override readonly name = 'CallError'
  readonly fault: CallFault

  constructor(fault: CallFault, message: string) {
    super(message)
    this.fault = fault
  }
}

interface InCrawl {
  readonly crawlID: string
}
interface InQueue extends InCrawl {
  readonly key: string
}
interface Listed extends InQueue {
  readonly filter?: string
  readonly ignoreCase?: boolean
}
interface Page {
  readonly start: number
  readonly size: number
}
interface Wanted extends InQueue {
  readonly item?: 'anyCrawlID' | 'crawlID'
  readonly max_urls_per_queue: number
  readonly max_queues: number
  readonly delay_requestable: number
}

type AckStatus = 'OK' | 'SKIPPED' | 'FAIL'

interface ServiceOptions {
  /** Whether clients may delete what they, or others, have told. */
  readonly mayDelete: boolean
  /** Where this server is. */
  readonly address: () => string
}

const USUAL_PAGE = 100
const DAY_SECONDS = 86_400
/** A batch keeps the thread for so long at a time. */
const MOST_MS = 50

/** What each call of the protocol does, over crawls that plan. */
export class FrontierService {
  readonly #crawls: FrontierCrawls
  readonly #options: ServiceOptions

  constructor(crawls: FrontierCrawls, options: ServiceOptions) {
    this.#crawls = crawls
    this.#options = options
  }

  ListNodes() {
    return { values: [this.#options.address()] }
  }

  ListCrawls() {
    return { values: this.#crawls.ids() }
  }

  async DeleteCrawl({ value }: { readonly value: string }) {
    this.#mustDelete()
    return { value: await this.#crawls.delete(value.trim() || DEFAULT_CRAWL) }
  }

  ListQueues({
    start,
    size,
    include_inactive,
    ...of
  }: Page & InCrawl & { include_inactive: boolean }) {
    const ledger = this.#known(of)?.ledger
    const now = Date.now() / 1000
    const isActive = (key: string, { urls, completed }: Counted) =>
      urls.size > completed && (ledger?.rulesOf(key).blockedUntil ?? 0) <= now
    const queues = [...(ledger?.queues() ?? [])].filter(
      ([key, counted]) => include_inactive || isActive(key, counted),
    )
    const values = queues.slice(start, start + (size || USUAL_PAGE)).map(([key]) => key)
    return { values, total: queues.length, start, size: values.length, crawlID: idOf(of) }
  }

  /** What our plan would fetch now, of as many queues and URLs as are wanted. */
  async *GetURLs(wanted: Wanted): AsyncGenerator<UrlInfo> {
    if (!this.#crawls.isActive) return
    const { key, max_queues, max_urls_per_queue, delay_requestable } = wanted
    const ids = wanted.item === 'anyCrawlID' ? this.#crawls.ids() : [idOf(wanted)]
    let mostQueues = max_queues || Number.POSITIVE_INFINITY
    for (const id of ids) {
      const taken = await this.#crawls.get(id)?.take({
        ...(key !== '' && { key }),
        mostQueues,
        mostPerQueue: max_urls_per_queue || Number.POSITIVE_INFINITY,
        ...(delay_requestable > 0 && { leaseSeconds: delay_requestable }),
      })
      for (const one of taken ?? []) yield urlInfo(one, id)
      mostQueues -= new Set(taken?.map((one) => one.key)).size
      if (mostQueues <= 0) return
    }
  }

  async PutURLs({ discovered, known, ID }: UrlItem): Promise<{ ID: string; status: AckStatus }> {
    const info = discovered?.info ?? known?.info
    const ID_ = ID || (info?.url ?? '')
    if (!info) return { ID: ID_, status: 'SKIPPED' }
    const status = await this.#put(info, known && Number(known.refetchable_from_date))
    return { ID: ID_, status }
  }

  async PutDiscovered({ ID, items }: { readonly ID: string; readonly items: readonly UrlInfo[] }) {
    const statuses: AckStatus[] = []
    let since = performance.now()
    for (const info of items) {
      statuses.push(await this.#put(info))
      if (performance.now() - since < MOST_MS) continue
      await setImmediate() // others are served meanwhile
      since = performance.now()
    }
    return { ID, statuses }
  }

  GetStats({ key, ...of }: InQueue) {
    const ledger = this.#known(of)?.ledger
    const now = Date.now() / 1000
    const queues = [...(ledger?.queues() ?? [])].filter(([name]) => key === '' || name === key)
    const held = [...(ledger?.held() ?? [])].map((url) => ledger!.of(url)!)
    const out = held.filter((one) => one.heldUntil > now && (key === '' || one.key === key))
    const completed = sum(queues.map(([, counted]) => counted.completed))
    const active = queues.filter(([, { urls, completed }]) => urls.size > completed).length
    return {
      size: sum(queues.map(([, { urls }]) => urls.size)) - completed,
      inProcess: out.length,
      counts: { completed, active_queues: active },
      numberOfQueues: queues.length,
      crawlID: idOf(of),
    }
  }

  DeleteQueue({ key, ...of }: InQueue) {
    this.#mustDelete()
    return { value: this.#known(of)?.deleteQueue(key) ?? 0 }
  }

  BlockQueueUntil({ key, time, ...of }: InQueue & { readonly time: number }) {
    this.#ruled(of, key).setRules(key, { blockedUntil: time })
    return {}
  }

  SetActive({ state }: { readonly state: boolean }) {
    this.#crawls.isActive = state
    return {}
  }

  GetActive() {
    return { state: this.#crawls.isActive }
  }

  SetDelay({ key, delay_requestable, ...of }: InQueue & { readonly delay_requestable: number }) {
    this.#ruled(of, key).setRules(key, { delay: delay_requestable })
    return {}
  }

  SetLogLevel(): never {
    throw new CallError('UNIMPLEMENTED', 'there is one log, whose level the server is started with')
  }

  SetCrawlLimit({ key, limit, ...of }: InQueue & { readonly limit: number }) {
    this.#ruled(of, key).setRules(key, { limit })
    return {}
  }

  GetURLStatus({ url, ...of }: InQueue & { readonly url: string }) {
    const crawl = this.#known(of)
    const canonical = canonicalUrl(url)
    const known = canonical === undefined ? undefined : crawl?.ledger.of(canonical)
    if (!crawl || !known || (of.key !== '' && of.key !== known.key))
      throw new CallError('NOT_FOUND', 'nobody told of that URL')
    return knownItem(crawl, idOf(of), canonical!)
  }

  *ListURLs({ start, size, ...listed }: Page & Listed) {
    const crawl = this.#known(listed)
    if (!crawl) return
    let place = 0
    for (const url of matching(crawl, listed)) {
      if (place >= start + (size || USUAL_PAGE)) return
      if (place++ >= start && crawl.ledger.of(url)) yield knownItem(crawl, idOf(listed), url)
    }
  }

  CountURLs(listed: Listed) {
    const crawl = this.#known(listed)
    let value = 0
    if (crawl) for (const _ of matching(crawl, listed)) value++
    return { value }
  }

  PurgeURLs({ days, ...listed }: InQueue & { readonly days: number }) {
    this.#mustDelete()
    const crawl = this.#known(listed)
    if (!crawl) return { value: 0 }
    const before = Date.now() / 1000 - days * DAY_SECONDS
    const old = [...matching(crawl, listed)].filter((url) => crawl.ledger.of(url)!.created < before)
    return { value: crawl.ledger.drop(old) }
  }

  async #put(info: UrlInfo, refetchableFrom?: number): Promise<AckStatus> {
    const given = givenUrl(info)
    if (!given) return 'SKIPPED'
    try {
      const crawl = this.#crawls.of(idOf(info))
      if (refetchableFrom === undefined) await crawl.discover(given)
      else await crawl.know(given, refetchableFrom)
      return 'OK'
    } catch (error) {
      if (error instanceof CrawlRefused) return 'SKIPPED'
      throw error
    }
  }

  /** The ledger of a crawl that is there, or can be made, and where a queue of that name can be. */
  #ruled(of: InCrawl, key: string): PlannedCrawl['ledger'] {
    if (key.length > MAX_KEY_CHARS) throw new CallError('INVALID_ARGUMENT', 'the key is too long')
    try {
      return this.#crawls.of(idOf(of)).ledger
    } catch (error) {
      if (error instanceof CrawlRefused) throw new CallError('INVALID_ARGUMENT', error.message)
      throw error
    }
  }

  #known(of: InCrawl): PlannedCrawl | undefined {
    return this.#crawls.get(idOf(of))
  }

  #mustDelete(): void {
    if (this.#options.mayDelete) return
    throw new CallError('PERMISSION_DENIED', 'this server was started without --allow-deletes')
  }
}

interface Counted {
  readonly urls: ReadonlySet<string>
  readonly completed: number
}

function idOf({ crawlID }: InCrawl): string {
  return crawlID?.trim() || DEFAULT_CRAWL
}

function* matching({ ledger }: PlannedCrawl, { key, filter = '', ignoreCase }: Listed) {
  const spelt = (text: string) => (ignoreCase ? text.toLowerCase() : text)
  const wanted = spelt(filter)
  const urls = key === '' ? urlsOf(ledger) : (ledger.queues().get(key)?.urls ?? [])
  for (const url of urls) if (wanted === '' || spelt(url).includes(wanted)) yield url
}

function* urlsOf(ledger: PlannedCrawl['ledger']) {
  for (const [url] of ledger.urls()) yield url
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
