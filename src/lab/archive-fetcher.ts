import type { FetchOutcome } from '#crawl/outcome.ts'
import type { Clock, Fetcher, FetchRequest } from '#crawl/ports.ts'
import { recordedRobots } from './recorded-robots.ts'
import type { RecordedWeb } from './recorded-web.ts'

/**
 * Fetches from a recorded web at once and in the order asked, obeying its robots.txt. Given a
 * function, it asks for the web before each fetch, so that time may pass during a crawl.
 */
export function archiveFetcher(source: RecordedWeb | (() => RecordedWeb), clock: Clock): Fetcher {
  const webNow = typeof source === 'function' ? source : () => source
  // robots.txt belongs to the archive, not to a snapshot.
  const verdictOn = recordedRobots(webNow())
  return {
    async *fetchAll(requests, signal) {
      for (const request of requests) {
        if (signal.aborted) return
        const { allowed, rule } = verdictOn(request.url)
        const attempt = { id: request.id, url: request.url, at: clock.now(), ms: 0 }
        yield allowed
          ? outcomeOf(webNow(), request, clock.now())
          : { kind: 'disallowed', ...attempt, rule }
      }
    },
    async close() {},
  }
}

function outcomeOf(web: RecordedWeb, { id, url }: FetchRequest, at: number): FetchOutcome {
  const attempt = { id, url, at, ms: 0 }
  const answer = web.answer(url)
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
    case 'unknown':
      return { kind: 'gone', ...attempt, status: 404, bytes: 0 }
  }
}
