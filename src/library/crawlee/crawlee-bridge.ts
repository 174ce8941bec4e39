import type { FetchRequest } from '#crawl/ports.ts'
import type { Headers } from '#fetch/http/http-get.ts'
import { canonicalUrl } from '#parse/url/canonical-url.ts'
import { type HandedOutCrawl, openHandOut } from '../hand-out/open-hand-out.ts'
import { reportedOutcome } from '../hand-out/reported-page.ts'
import type { CrawlSummary } from '../run/crawl-summary.ts'
import type { CrawlOptions } from '../settings/crawl-options.ts'

/** The parts of Crawlee's `Request` that are used here. */
export interface CrawleeRequest {
  readonly url: string
  readonly loadedUrl?: string
  readonly uniqueKey: string
  readonly errorMessages: readonly string[]
}

/** The parts of a handler's context that are used here: of crawlers over HTTP, or with a browser. */
export interface CrawleeContext {
  readonly request: CrawleeRequest
  readonly body?: string | Uint8Array
  readonly page?: { content(): Promise<string> }
  readonly response?: object
}

interface BridgeOptions<R extends CrawleeRequest> extends CrawlOptions {
  /** Crawlee's own class: `import { Request } from 'crawlee'`. */
  readonly Request: new (options: {
    url: string
    uniqueKey: string
  }) => R
}

/**
 * Lets Crawlee fetch in Forager's order: give `requestManager` to any of its crawlers, and wrap your handler by `handler`, so
 * that Forager learns what came. Links are found, scoped and valued by Forager; your handler goes on doing what it does.
 */
export async function crawleeBridge<R extends CrawleeRequest>({
  Request,
  ...options
}: BridgeOptions<R>): Promise<CrawleeBridge<R>> {
  return new CrawleeBridge(await openHandOut({ delay: 0, ...options }), Request)
}

/** What Crawlee has taken of a crawl. */
class CrawleeBridge<R extends CrawleeRequest> implements AsyncDisposable {
  readonly requestManager: CrawleeRequestManager<R>
  readonly #crawl: HandedOutCrawl

  constructor(crawl: HandedOutCrawl, Request: BridgeOptions<R>['Request']) {
    this.#crawl = crawl
    this.requestManager = new CrawleeRequestManager(crawl, Request)
  }

  /** Your handler, after which Forager learns from the page. */
  handler<C extends CrawleeContext>(
    handle: (context: C) => Promise<void>,
  ): (context: C) => Promise<void> {
    return async (context) => {
      await handle(context)
      await this.requestManager.learn(context)
    }
  }

  /** What came of the crawl; waits for its end. */
  summary(): Promise<CrawlSummary> {
    return this.#crawl.ended
  }

  /** Ends the crawl and lets go of its directory. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#crawl[Symbol.asyncDispose]()
  }
}

/** Crawlee's `IRequestManager` over a crawl of ours. */
class CrawleeRequestManager<R extends CrawleeRequest> {
  readonly #crawl: HandedOutCrawl
  readonly #Request: BridgeOptions<R>['Request']
  readonly #taken = new Map<string, FetchRequest>()
  /** Those that failed and are to be tried again. */
  readonly #again: R[] = []
  #handled = 0

  constructor(crawl: HandedOutCrawl, Request: BridgeOptions<R>['Request']) {
    this.#crawl = crawl
    this.#Request = Request
  }

  async isFinished(): Promise<boolean> {
    return this.#crawl.isOver && this.#taken.size === 0
  }

  /** A plan may be under way: then there is something soon. */
  async isEmpty(): Promise<boolean> {
    return this.#again.length === 0 && !this.#crawl.handOut.hasFree()
  }

  async handledCount(): Promise<number> {
    return this.#handled
  }

  /** As Crawlee 4 calls it. */
  getHandledCount(): Promise<number> {
    return this.handledCount()
  }

  getTotalCount(): number {
    return this.#crawl.crawl.opened.state.frontier.size
  }

  getPendingCount(): number {
    return this.getTotalCount() - this.#handled
  }

  async fetchNextRequest(): Promise<R | null> {
    const again = this.#again.shift()
    if (again) return again
    const request = this.#crawl.handOut.take()
    if (!request) return null
    const uniqueKey = `${request.id} ${this.#handled + this.#taken.size}`
    this.#taken.set(uniqueKey, request)
    return new this.#Request({ url: request.url, uniqueKey })
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<R> {
    for (let next = await this.fetchNextRequest(); next; next = await this.fetchNextRequest())
      yield next
  }

  /** Reports what a handler was given. */
  async learn({ request, body, page, response = {} }: CrawleeContext): Promise<void> {
    const taken = this.#taken.get(request.uniqueKey)
    if (!taken) return
    const content = body ?? (await page?.content()) ?? ''
    const { status, headers } = answerOf(response)
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    const told = { status, headers: asUtf8(headers, content), body: bytes, at: Date.now() / 1000 }
    const { loadedUrl } = request
    this.#crawl.handOut.report(reportedOutcome(taken, { ...told, loadedUrl }))
    this.#taken.delete(request.uniqueKey)
  }

  async markRequestHandled(request: R): Promise<null> {
    this.#handled++
    const taken = this.#taken.get(request.uniqueKey)
    this.#taken.delete(request.uniqueKey)
    if (!taken) return null
    const { id, url } = taken
    const reason = request.errorMessages.at(-1)?.split('\n')[0] ?? 'no handler told of it'
    const attempt = { id, url, at: Date.now() / 1000, ms: 0, sent: true }
    this.#crawl.handOut.report({ ...attempt, kind: 'failed', reason })
    return null
  }

  /** As Crawlee 4 calls it. */
  markRequestAsHandled(request: R): Promise<null> {
    return this.markRequestHandled(request)
  }

  async reclaimRequest(request: R): Promise<null> {
    this.#again.push(request)
    return null
  }

  /** Forager finds links itself: nothing is added, and whether it knows the URL is told. */
  async addRequest(source: string | { readonly url?: string }) {
    const url = typeof source === 'string' ? source : (source.url ?? '')
    const wasAlreadyPresent = this.#crawl.crawl.knows(canonicalUrl(url) ?? url)
    return { requestId: url, uniqueKey: url, wasAlreadyPresent, wasAlreadyHandled: false }
  }

  async addRequestsBatched(sources: Iterable<string | { readonly url?: string }>) {
    const addedRequests = await Promise.all([...sources].map((source) => this.addRequest(source)))
    return { addedRequests, waitForAllRequestsToBeAdded: Promise.resolve([]) }
  }
}

/** A value, or what gives it. */
type Given<T> = T | (() => T)

interface AnyResponse {
  readonly statusCode?: number
  readonly status?: Given<number>
  readonly headers?: Given<Headers>
}

/** Of Node's responses, or a browser's, whose parts are asked for. */
function answerOf(response: AnyResponse): { status: number; headers: Headers } {
  const { statusCode, status = 200, headers = {} } = response
  return {
    status: statusCode ?? (typeof status === 'function' ? status.call(response) : status),
    headers: typeof headers === 'function' ? headers.call(response) : headers,
  }
}

/** A text has been decoded already; what it was before does not count. */
function asUtf8(headers: Headers, content: string | Uint8Array): Headers {
  if (typeof content !== 'string') return headers
  const type = String(headers['content-type'] ?? 'text/html').split(';')[0]
  return { ...headers, 'content-type': `${type}; charset=utf-8` }
}
