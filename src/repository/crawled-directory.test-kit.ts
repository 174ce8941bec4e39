import { join } from 'node:path'
import { runCycle } from '#crawl/cycle.ts'
import { listFetcher } from '#crawl/list-fetcher.test-kit.ts'
import { type CrawlState, crawlState } from '#crawl/plan-cycle.ts'
import type { FetchRequest } from '#crawl/ports.ts'
import { readAnswer } from '#fetch/http/read-answer.ts'
import type { FetchOutcome } from '#learn/entries/outcome.ts'
import { PageIndexer } from '#learn/text-index/index-pages.ts'
import { planFetches } from '#policy/budget/scheduler.ts'
import type { Planner } from '#policy/planning/plan.ts'
import { defaultAnalyser } from '#search/full-text/default-search.ts'
import { CrawlStore } from './state/crawl-store.ts'
import { IndexFiles } from './text-index/index-files.ts'
import { WarcWriter } from './warc/write/warc-writer.ts'

interface CrawledDirectory {
  readonly pages: number
  /** The web changes from week to week; each is crawled once, and all copies are fetched again. */
  readonly weeks: number
  /** The first of them; 0 if left out. */
  readonly from?: number
  /** Whether exchanges are kept; yes if left out. */
  readonly warc?: boolean
}

const WEEK = 7 * 86_400

/** A crawl directory as a crawl leaves it: tables, index and WARC files of a small web that changes. */
export async function crawlInto(dir: string, plan: CrawledDirectory): Promise<void> {
  const store = await CrawlStore.open(dir)
  const { frontier, cycle, spent } = await store.load()
  frontier.add(urlOf(0), 'seed', 0, 1)
  const state = crawlState(frontier, { cycle, spent })
  const files = new IndexFiles(dir, defaultAnalyser)
  store.keepIndex(files)
  state.indexer = new PageIndexer(files.index)
  const writer = await WarcWriter.open(join(dir, 'warc'), {
    info: { software: 'forager/test' },
    rolloverBytes: 20_000,
  })
  if (plan.warc !== false)
    store.keepExchangesIn({
      note: () => undefined,
      append: (exchange, { outcome, purpose }) =>
        writer.append(exchange, { url: outcome.url, purpose }),
      appendRobots: () => {},
      sync: () => writer.sync(),
    })
  let week = plan.from ?? 0
  const clock = { now: () => 1_700_000_000 + week * WEEK }
  const fetcher = listFetcher(async function* (requests: readonly FetchRequest[]) {
    for (const request of requests) yield answerTo(request, week, plan.pages, clock.now())
  })
  const rules = { policy: everything(state), seed: 1 }
  const ports = { fetcher, repository: store, clock }
  for (const end = week + plan.weeks; week < end; week++)
    for (let turn = 0; turn < 3; turn++)
      await runCycle(state, rules, ports, { budget: 2 * plan.pages })
  await writer.close()
  store.close()
}

/** Fetches all that is known: what is new, and every copy that was not fetched at this moment. */
function everything({ frontier }: CrawlState): Planner {
  return {
    renew: async () => {},
    plan: ({ now, candidates, limits }) => {
      const { pages, ages } = frontier.refreshFacts(now)
      const old = pages.filter((_, i) => ages[i] > 0)
      const bids = (purpose: 'acquire' | 'refresh', urls: Uint32Array) => {
        return { purpose, urls, gains: new Float64Array(urls.length).fill(1), why: () => '' }
      }
      const fetches = planFetches([bids('acquire', candidates), bids('refresh', old)], limits)
      return { fetches }
    },
  }
}

function urlOf(page: number): string {
  return `https://h${page % 5}.example/${page === 0 ? '' : `topic-${page % 11}/page-${page}`}`
}

/** Pages change, hide, vanish and stand in for others; links call them by several names. */
function answerTo(
  { id, url }: FetchRequest,
  week: number,
  pages: number,
  at: number,
): FetchOutcome {
  const number = Number(/page-(\d+)$/.exec(url)?.[1] ?? 0)
  const version = number % 3 === 0 ? week : 0
  const isGone = number % 17 === 16 && week > 0
  const others = [2 * number + 1, 2 * number + 2, (number * 7 + version) % pages]
  const links = others
    .filter((other) => other < pages)
    .map((other) => `<a href="${urlOf(other)}">name${other} as ${number % 4}</a>`)
  const meta = [
    number % 13 === 5 ? '<meta name="robots" content="nosnippet">' : '',
    number % 19 === 7 && week > 0 ? '<meta name="robots" content="noindex">' : '',
    number % 23 === 9 ? `<link rel="canonical" href="${urlOf(number + 1)}">` : '',
  ]
  const words = Array.from({ length: 60 }, (_, i) => `word${(number * 31 + i * i + version) % 997}`)
  const html = `<html><head><title>Title ${number} of topic${number % 11}</title>${meta.join('')}</head>
    <body><p>shared ${words.join(' ')} version${version}</p>${links.join(' ')}</body></html>`
  const body = Buffer.from(isGone ? 'gone' : html)
  const status = isGone ? 404 : 200
  const responseHead = `HTTP/1.1 ${status} OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n`
  const requestHead = `GET ${url} HTTP/1.1\r\n\r\n`
  const exchange = { requestHead, responseHead, body, startedAt: at }
  return readAnswer(
    { id, url, at, ms: 1 },
    {
      ...{ kind: 'answer', status, body, bytes: body.length, truncated: false, exchange },
      headers: { 'content-type': 'text/html; charset=utf-8' },
    },
    { agentToken: 'test', maxBodyBytes: 1e6 },
  )
}
