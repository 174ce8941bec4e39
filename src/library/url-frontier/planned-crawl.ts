import { rmSync } from 'node:fs'
import type { Link } from '#parse/page/page.ts'
import { MAX_LINKS } from '#parse/page/page.ts'
import type { NoteListener } from '../open/crawl-note.ts'
import type { CrawlOptions } from '../settings/crawl-options.ts'
import { outcomeOf, sourceOf, withoutContent } from './reported-item.ts'
import { openRunningPlan, type RunningPlan } from './running-plan.ts'
import { type Metadata, UrlLedger } from './url-ledger.ts'

/** A URL as a client has it. */
export interface GivenUrl {
  /** Canonical. */
  readonly url: string
  readonly key: string
  readonly metadata: Metadata
}

/** What a client asks for. */
interface WantedUrls {
  /** Of this queue only. */
  readonly key?: string
  readonly mostQueues: number
  readonly mostPerQueue: number
  /** Seconds until somebody else gets what is handed out. */
  readonly leaseSeconds?: number
}

/** Who asks for URLs waits so long for a plan that knows of all that was told. */
const PLAN_MS = 5_000
/** Beyond so many pages whose links wait, those that nobody has any more are looked for. */
const MOST_HELD_PAGES = 1_000
/** Until somebody else gets a URL, if the client does not say. */
const LEASE_SECONDS = 300

/**
 * One crawl of a URL frontier: what clients told of URLs is in its ledger, and what they get is what our plan would fetch. It
 * begins with the first URL that may be fetched.
 */
export class PlannedCrawl {
  readonly ledger: UrlLedger
  readonly #options: CrawlOptions & { readonly dir: string }
  readonly #note: NoteListener
  #running: Promise<RunningPlan> | undefined
  /** By page that somebody has: what was found on it so far. */
  readonly #found = new Map<string, Link[]>()

  constructor(options: CrawlOptions & { readonly dir: string }, note: NoteListener) {
    this.#options = options
    this.#note = note
    this.ledger = new UrlLedger(ledgerFile(options.dir))
    if (this.ledger.seed !== undefined) this.#begin(this.ledger.seed)
  }

  /** A URL was found; one that is known stays as it is. */
  async discover(item: GivenUrl): Promise<void> {
    const { url, key, metadata } = item
    const now = Date.now() / 1000
    const isNew = this.ledger.of(url) === undefined
    const meta = withoutContent(metadata)
    if (isNew) this.ledger.put(url, { key, meta, due: Math.floor(now), at: now })
    if (!this.#isLinkOfHeldPage(item) && isNew) await this.#tell(url, now)
  }

  /** What came of a URL, or when it is to be fetched; `refetchableFrom` is 0 if never again. */
  async know(item: GivenUrl, refetchableFrom: number): Promise<void> {
    const { url, key, metadata } = item
    const at = Date.now() / 1000
    const meta = withoutContent(metadata)
    this.ledger.put(url, { key, meta, due: refetchableFrom, at, isDated: true })
    const links = this.#found.get(url) ?? []
    this.#found.delete(url)
    const running = await this.#running
    const id = running?.crawl.opened.state.frontier.urls.find(url)
    if (running && id !== undefined && running.handOut.has(id)) {
      const told = { metadata, refetchableFrom, links, at }
      const outcome = outcomeOf({ id, url, priority: 0 }, told)
      running.handOut.report(outcome)
      if (outcome.kind === 'page' && outcome.page.links === links) return
    } else if (refetchableFrom > 0) await this.#tell(url, refetchableFrom)
    // What was found there and is no part of what came of it is known all the same.
    for (const link of links) await this.#tell(link.url, at)
  }

  /** What may be fetched now, queue by queue, the best first; whoever gets it is to tell what came of it. */
  async take(wanted: WantedUrls): Promise<GivenUrl[]> {
    const running = await (this.#running ?? this.#beginWithDue())
    if (!running) return []
    if (running.isOver) await running.ended // which says why, if it failed
    if (!running.handOut.hasFree(wanted.key)) await running.planned(PLAN_MS)
    const taken = [...takeFrom(running, wanted)].map((url) => this.#hold(url, running, wanted))
    for (const queue of new Set(taken.map(({ key }) => key)))
      running.handOut.rest(queue, running.delayOf(queue))
    return taken
  }

  /** Lets go of all URLs of a queue; gives how many there were. */
  deleteQueue(key: string): number {
    this.ledger.setRules(key, { isDropped: true })
    return this.ledger.drop([...(this.ledger.queues().get(key)?.urls ?? [])])
  }

  /** Ends it; what is handed out stays so for the next start. */
  async close(): Promise<void> {
    const running = await this.#running?.catch(() => undefined)
    await running?.[Symbol.asyncDispose]()
    this.ledger.close()
  }

  /** Ends it, and lets go of all there is of it. */
  async remove(): Promise<void> {
    await this.close()
    rmSync(this.#options.dir, { recursive: true, force: true })
    rmSync(ledgerFile(this.#options.dir), { force: true })
  }

  #hold(url: string, { queueOf }: RunningPlan, { leaseSeconds = LEASE_SECONDS }: WantedUrls) {
    const key = queueOf(url)
    const at = Date.now() / 1000
    // Our plan may know of pages that no client told of.
    if (!this.ledger.of(url)) this.ledger.put(url, { key, meta: {}, due: Math.floor(at), at })
    this.ledger.hold([url], at + leaseSeconds, at)
    return { url, key, metadata: this.ledger.metadataOf(url) }
  }

  /** Links of a page that somebody has belong to what came of it. */
  #isLinkOfHeldPage({ url, metadata }: GivenUrl): boolean {
    const { page, anchor } = sourceOf(metadata)
    if (page === undefined || !this.ledger.held().has(page)) return false
    const known = this.#found.get(page)
    if (!known && this.#found.size >= MOST_HELD_PAGES) this.#tellLost()
    const links = known ?? []
    this.#found.set(page, links)
    if (links.length < MAX_LINKS) links.push({ url, anchor, rel: 0 })
    return true
  }

  /** Pages that nobody has any more, and that nobody told of: what was found on them is known all the same. */
  #tellLost(): void {
    for (const [page, links] of this.#found) {
      if (this.ledger.held().has(page)) continue
      this.#found.delete(page)
      for (const { url } of links) void this.#tell(url, Date.now() / 1000)
    }
  }

  async #tell(url: string, due: number): Promise<void> {
    if (!this.#running && due <= Date.now() / 1000) this.#begin(url)
    const running = await this.#running
    running?.tell(url, due)
  }

  #begin(url: string): void {
    this.ledger.beginWith(url)
    const seeds = [this.ledger.seed ?? url]
    const running = openRunningPlan({ ...this.#options, seeds }, this.ledger, this.#note)
    this.#running = running
    // Whoever waits for it hears why it could not begin; the next one tries again.
    running.catch(() => {
      this.#running = undefined
    })
  }

  /** What was dated for later may be due by now. */
  #beginWithDue(): Promise<RunningPlan> | undefined {
    const now = Date.now() / 1000
    for (const [url, { due }] of this.ledger.urls())
      if (due > 0 && due <= now) {
        this.#begin(url)
        break
      }
    return this.#running
  }
}

/** Beside the crawl's own folder, which another command may write. */
export const ledgerFile = (dir: string) => `${dir}.urls.jsonl`

function* takeFrom({ handOut }: RunningPlan, wanted: WantedUrls): Generator<string> {
  const { key, mostQueues, mostPerQueue, leaseSeconds = LEASE_SECONDS } = wanted
  let queues = 0
  for (const queue of key === undefined ? handOut.freeQueues() : [key]) {
    if (queues >= mostQueues) return
    // A host that others of these queues have too is no longer free.
    for (let urls = 0; urls < mostPerQueue; urls++) {
      const best = handOut.take({ queue, leaseSeconds })
      if (!best) break
      if (urls === 0) queues++
      yield best.url
    }
  }
}
