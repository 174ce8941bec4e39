import type { Clock, Fetcher, FetchRequest } from '#crawl/ports.ts'
import { promptFetcher } from '#crawl/prompt-fetcher.ts'
import { originOf } from '#frontier/urls/robots-rules.ts'
import type { FetchOutcome } from '#learn/entries/outcome.ts'
import { parsePage } from '#parse/parse-page.ts'
import { textFingerprint } from '#parse/text/text-fingerprint.ts'
import { isRobotsUrl, RecordedRobots } from './recorded-robots.ts'
import type { RecordedWeb } from './recorded-web.ts'
import { type Furniture, siteFurniture } from './site-furniture.ts'

interface ArchiveFetcherOptions {
  /** Reports the sitemaps robots.txt names, or the usual place if it names none; unless false. */
  readonly sitemaps?: boolean
}

/**
 * Fetches from a recorded web at once and in the order asked, obeying its robots.txt; the first
 * outcome of each origin brings its sitemaps, as in a live fetch. Given a function, it asks for the
 * web before each fetch, so that time may pass during a crawl.
 */
export function archiveFetcher(
  source: RecordedWeb | (() => RecordedWeb),
  clock: Clock,
  { sitemaps = true }: ArchiveFetcherOptions = {},
): Fetcher {
  const webNow = typeof source === 'function' ? source : () => source
  // robots.txt belongs to the archive, not to a snapshot.
  const robots = new RecordedRobots(webNow())
  const knownOrigins = new Set<string>()
  return promptFetcher((request) => {
    const { allowed, rule } = robots.verdictOn(request.url)
    const attempt = { id: request.id, url: request.url, at: clock.now(), ms: 0 }
    const outcome: FetchOutcome = allowed
      ? outcomeOf(webNow(), request, clock.now())
      : { kind: 'disallowed', ...attempt, rule }
    const origin = originOf(request.url)
    if (knownOrigins.has(origin)) return outcome
    knownOrigins.add(origin)
    const rules = robots.rulesOf(origin)
    return {
      ...outcome,
      ...(sitemaps && { found: robots.sitemapsOf(origin) }),
      rules,
    }
  })
}

function outcomeOf(web: RecordedWeb, { id, url }: FetchRequest, at: number): FetchOutcome {
  const attempt = { id, url, at, ms: 0 }
  // As in the replay, robots.txt is the site's, even where it was recorded as a page too.
  const answer = isRobotsUrl(url) ? ({ kind: 'unknown' } as const) : web.answer(url)
  switch (answer.kind) {
    case 'page':
      return {
        kind: 'page',
        ...attempt,
        status: 200,
        bytes: answer.page.text.length,
        page: answer.page,
        contentHash: answer.contentHash,
        lastModified: new Date(answer.lastModified * 1000).toUTCString(),
      }
    case 'redirect':
      return { kind: 'redirect', ...attempt, status: 301, bytes: 0, target: answer.target }
    case 'gone':
      return { kind: 'gone', ...attempt, status: 410, bytes: 0 }
    case 'unknown': {
      const furniture = siteFurniture(web, new URL(url))
      if (furniture) return furnitureOutcome(furniture, attempt)
      return { kind: 'gone', ...attempt, status: 404, bytes: 0 }
    }
  }
}

function furnitureOutcome(
  { contentType, body }: Furniture,
  attempt: Pick<FetchOutcome, 'id' | 'url' | 'at' | 'ms'>,
): FetchOutcome {
  const bytes = new TextEncoder().encode(body)
  return {
    kind: 'page',
    ...attempt,
    status: 200,
    bytes: bytes.length,
    page: parsePage(bytes, contentType, attempt.url),
    contentHash: textFingerprint(body),
  }
}
