import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContext, Page, Route } from 'playwright-core'
import { PageBytes } from './page-bytes.ts'
import type { BrowserOptions, RenderAnswer, RenderJob } from './renderer.ts'
import type { Subresources } from './subresources.ts'

/** Why a page failed that may have been another's fault. */
export const BROWSER_ENDED = 'the browser has ended'
/** A page that has asked for nothing in so long is done. */
const QUIET_MS = 300
/** After its time a page has so long to hand over what it is. */
const GRACE_MS = 1_500
/** A context that is not closed by then hangs. */
const CLOSE_MS = 2_000
/** Requests that are broken off have so long to tell what they brought. */
const SETTLE_MS = 200
/** Longer markup than this is cut. */
const MAX_DOM_BYTES = 10 << 20
/** What text and links may come from; images, styles, fonts and frames are not asked for. */
const WANTED: ReadonlySet<string> = new Set(['script', 'xhr', 'fetch'])
const HTML = 'text/html; charset=utf-8'
/** Ways out that the browser has beside requests; it is cut off all the same. */
const WITHOUT_WAYS_OUT = `for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport', 'WebSocket', 'EventSource'])
  try { Object.defineProperty(globalThis, name, { value: undefined }) } catch {}
try { Object.defineProperty(navigator, 'sendBeacon', { value: () => false }) } catch {}`

/** What a page has used so far. */
interface Usage {
  requests: number
  refused: number
  underWay: number
  quietSince: number
}

/**
 * Runs a page's scripts in a context of its own, which has no cookies, no storage of others, no downloads, no service workers
 * and no dialogs, and gives the page as they have made it. `giveUp` is called on a browser that does not let go of it.
 */
export async function renderPage(
  browser: Browser,
  job: RenderJob,
  subresources: Pick<Subresources, 'get'>,
  { seconds, requests: mostRequests, userAgent }: BrowserOptions,
  signal: AbortSignal,
  giveUp: () => void,
): Promise<RenderAnswer> {
  const startedAt = performance.now()
  const until = startedAt + 1000 * seconds
  const usage: Usage = { requests: 0, refused: 0, underWay: 0, quietSince: startedAt }
  const pageBytes = new PageBytes(job.maxBytes)
  const asked = new Set<Promise<unknown>>()
  const over = new AbortController()
  const broken = Promise.withResolvers<never>()
  broken.promise.catch(() => {})
  const breakOff = (reason: string) => () => broken.reject(new Error(reason))
  const late = setTimeout(breakOff('takes too long'), 1000 * seconds + GRACE_MS)
  signal.addEventListener('abort', breakOff('called off'), { once: true })
  const hasEnded = breakOff(BROWSER_ENDED)
  browser.once('disconnected', hasEnded)
  const opened = browser.newContext({
    ...{ userAgent, serviceWorkers: 'block', acceptDownloads: false },
    viewport: { width: 1280, height: 2000 },
  })
  const made: Pick<RenderAnswer, 'dom' | 'reason'> = await Promise.race([
    broken.promise,
    opened.then(work),
  ]).then(
    (dom) => ({ dom: Buffer.from(dom).subarray(0, MAX_DOM_BYTES) }),
    (error: Error) => ({ reason: error.message.split('\n', 1)[0] }),
  )
  clearTimeout(late)
  browser.off('disconnected', hasEnded)
  void closeIn(CLOSE_MS, opened, giveUp)
  const ms = performance.now() - startedAt
  // What is still under way comes for nobody; what came of it counts, or what was reserved for it.
  over.abort()
  if (!signal.aborted) await Promise.race([Promise.allSettled(asked), sleep(SETTLE_MS)])
  const { requests, refused } = usage
  return { ...made, requests, refused, bytes: pageBytes.received, ms }

  async function work(context: BrowserContext): Promise<string> {
    await context.addInitScript(WITHOUT_WAYS_OUT)
    const page = await context.newPage()
    page.on('crash', breakOff('the page has crashed'))
    page.on('dialog', (dialog) => void dialog.dismiss().catch(() => {}))
    context.on('page', (other) => void (other !== page && other.close().catch(() => {})))
    let isShown = false
    await context.route('**/*', async (route) => {
      const request = route.request()
      const isOwn = !isShown && request.isNavigationRequest() && request.url() === shownUrl(job.url)
      if (!isOwn) return answer(route).catch(() => refuse(route))
      isShown = true
      const body = Buffer.from(job.html)
      await route.fulfill({ status: 200, contentType: HTML, body }).catch(() => {})
    })
    await page.goto(job.url, { waitUntil: 'commit', timeout: 1000 * seconds })
    await untilQuiet(page, usage, until)
    return markupOf(context, page)
  }

  /** Answers a request of the page's scripts, or breaks it off. */
  async function answer(route: Route): Promise<void> {
    const request = route.request()
    const url = request.url()
    usage.requests++
    const isWanted =
      WANTED.has(request.resourceType()) && request.method() === 'GET' && /^https?:/.test(url)
    if (!isWanted || usage.requests > mostRequests) return refuse(route)
    usage.underWay++
    const isScript = request.resourceType() === 'script'
    const bringing = brought(url, request.headers(), isScript)
    asked.add(bringing)
    const got = await bringing.finally(() => {
      asked.delete(bringing)
      usage.underWay--
      usage.quietSince = performance.now()
    })
    if (typeof got === 'string') return refuse(route)
    const { status, headers, body } = got
    await route.fulfill({ status, headers, body: Buffer.from(body) }).catch(() => {})
  }

  /** What a request brings, within what is left of the page's bytes. */
  async function brought(
    url: string,
    headers: Readonly<Record<string, string>>,
    isScript: boolean,
  ) {
    const granted = await pageBytes.reserve()
    let bytes = 0
    try {
      if (over.signal.aborted) return 'the page is over'
      const got = await subresources.get(
        { url, page: job.url, headers, isScript },
        granted,
        over.signal,
      )
      bytes = got.bytes
      return got.answer
    } finally {
      pageBytes.receive(granted, bytes)
    }
  }

  async function refuse(route: Route): Promise<void> {
    usage.refused++
    // A page that may not leave stays what it is, and does not become a page that tells of an error.
    const code = route.request().isNavigationRequest() ? 'aborted' : 'blockedbyclient'
    await route.abort(code).catch(() => {})
  }
}

/** Waits until a page is there and asks for nothing more, or its time is over. */
async function untilQuiet(page: Page, usage: Usage, until: number): Promise<void> {
  const left = () => Math.max(1, until - performance.now())
  await page.waitForLoadState('domcontentloaded', { timeout: left() }).catch(() => {})
  usage.quietSince = performance.now()
  while (left() > 1) {
    const quietMs = usage.underWay > 0 ? 0 : performance.now() - usage.quietSince
    if (quietMs >= QUIET_MS) return
    await sleep(Math.min(left(), usage.underWay > 0 ? 20 : QUIET_MS - quietMs))
  }
}

/** The markup as it is now, read in a world of its own, where scripts of the page have changed nothing. */
async function markupOf(context: BrowserContext, page: Page): Promise<string> {
  const session = await context.newCDPSession(page)
  const { frameTree } = await session.send('Page.getFrameTree')
  const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
  })
  const expression = `'<!doctype html>' + document.documentElement.outerHTML.slice(0, ${MAX_DOM_BYTES})`
  const { result } = await session.send('Runtime.evaluate', {
    ...{ contextId, expression, returnByValue: true },
  })
  if (typeof result.value !== 'string') throw new Error('the page has no markup')
  return result.value
}

/** Closes a context, also one that is yet to be opened. */
async function closeIn(
  ms: number,
  opened: Promise<BrowserContext>,
  giveUp: () => void,
): Promise<void> {
  const late = setTimeout(giveUp, ms)
  await opened.then((context) => context.close()).catch(() => {})
  clearTimeout(late)
}

/** An address as the browser asks for it. */
function shownUrl(url: string): string {
  return new URL(url).href
}
