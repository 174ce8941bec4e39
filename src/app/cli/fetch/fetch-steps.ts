import { decodeBody } from '#fetch/http/decode-body.ts'
import type { LiveFetcher } from '#fetch/live-fetcher.ts'
import type { RobotsExplanation } from '#fetch/robots/robots-explanation.ts'
import type { ScopeTest } from '#frontier/scope.ts'
import type { FetchOutcome } from '#learn/entries/outcome.ts'
import { trapSign } from '#parse/url/trap-signs.ts'
import type { RequestTiming, RequestTimings } from './request-timings.ts'

/** More redirects than this are not worth showing one by one. */
const MAX_HOPS = 5

/** What went over the wire, as far as it says something about the content. */
interface Received {
  readonly address?: string
  readonly contentType?: string
  readonly encoding?: string
  readonly wireBytes: number
  readonly decodedBytes?: number
  readonly truncated?: string
}

/** One URL on the way to a page, and what was decided about it. */
export interface FetchStep {
  readonly url: string
  /** Why a crawl would leave it alone; absent when it belongs to it. */
  readonly outOfScope?: string
  readonly trapSign?: string
  /** Absent when nothing could be asked. */
  readonly robots?: RobotsExplanation
  /** Of the request for robots.txt, if this step made one. */
  readonly robotsTiming?: RequestTiming
  readonly outcome: FetchOutcome
  readonly received?: Received
  readonly timing?: RequestTiming
}

interface StepTools {
  readonly fetcher: LiveFetcher
  readonly scope: ScopeTest
  readonly timings: RequestTimings
  readonly maxBodyBytes: number
}

/**
 * Fetches a URL and, one by one, what it redirects to. Each hop is a fetch of its own with its own
 * checks, as in a crawl; a hop that a crawl would leave alone ends the walk.
 */
export async function fetchSteps(start: string, tools: StepTools): Promise<FetchStep[]> {
  const steps: FetchStep[] = []
  const seen = new Set<string>()
  for (let url: string | undefined = start; url && !seen.has(url) && steps.length <= MAX_HOPS; ) {
    seen.add(url)
    const step = await fetchStep(url, steps.length, tools)
    if (!step) break
    steps.push(step)
    url = nextOf(step, tools.scope)
  }
  return steps
}

function nextOf({ outcome }: FetchStep, scope: ScopeTest): string | undefined {
  if (outcome.kind !== 'redirect') return undefined
  return scope(outcome.target, 0) === undefined ? outcome.target : undefined
}

async function fetchStep(
  url: string,
  id: number,
  tools: StepTools,
): Promise<FetchStep | undefined> {
  const { fetcher, scope, timings } = tools
  const robots = await fetcher.explainRobots(url)
  fetcher.post({ requests: [{ id, url, priority: 1 }], sends: 1 })
  const whole = await fetcher.next()
  if (!whole) return undefined
  const { exchange, robots: _, ...outcome } = whole
  const outOfScope = scope(url, 0)
  const sign = trapSign(url)
  const timing = timings.last(url)
  const robotsTiming = timings.last(new URL('/robots.txt', url).href)
  timings.forget()
  const received = exchange && receivedOf(exchange, tools.maxBodyBytes)
  return { url, outOfScope, trapSign: sign, robots, robotsTiming, outcome, received, timing }
}

function receivedOf(
  { responseHead, body, ip, truncated }: NonNullable<FetchOutcome['exchange']>,
  maxBytes: number,
): Received {
  const contentType = headerIn(responseHead, 'content-type')
  const encoding = headerIn(responseHead, 'content-encoding')
  const decoded = decodeBody(body, encoding, maxBytes)
  return {
    address: ip,
    contentType,
    encoding,
    wireBytes: body.length,
    ...(decoded.kind === 'decoded' && { decodedBytes: decoded.body.length }),
    truncated,
  }
}

/** A header's first value in a response head. */
function headerIn(head: string, name: string): string | undefined {
  const line = head.split('\r\n').find((line) => line.toLowerCase().startsWith(`${name}:`))
  return line?.slice(name.length + 1).trim()
}
