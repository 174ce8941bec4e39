import { once } from 'node:events'
import { request } from 'node:http'
import type { Duplex, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { loadGrpc } from './load-grpc.ts'
import type { UrlInfo } from './url-items.ts'

/** A client as gRPC makes it of the protocol. */
interface Client {
  GetURLs(wanted: object): Readable
  PutURLs(): Duplex
  close(): void
  [unary: string]: unknown
}

/** Connects to a frontier on this machine. */
export async function frontierClient(port: number) {
  const { grpc, service } = await loadGrpc()
  const Generated = grpc.makeClientConstructor(service, 'URLFrontier')
  const credentials = grpc.credentials.createInsecure()
  const client = new Generated(`127.0.0.1:${port}`, credentials) as unknown as Client
  return {
    /** A call with one answer. */
    ask: <Answer>(name: string, params: object = {}) =>
      new Promise<Answer>((resolve, reject) => {
        const call = client[name] as (params: object, done: unknown) => void
        call.call(client, params, (error: Error | null, answer: Answer) =>
          error ? reject(error) : resolve(answer),
        )
      }),
    get: (wanted: object = {}): Promise<UrlInfo[]> => client.GetURLs(wanted).toArray(),
    list: (wanted: object = {}) => (client.ListURLs as Client['GetURLs'])(wanted).toArray(),
    /** Sends items and waits for what the frontier says of each. */
    put: async (...items: readonly object[]): Promise<{ ID: string; status: string }[]> => {
      const call = client.PutURLs()
      const answers = call.toArray()
      for (const item of items) if (!call.write(item)) await once(call, 'drain')
      call.end()
      return answers
    },
    close: () => client.close(),
  }
}

export type FrontierClient = Awaited<ReturnType<typeof frontierClient>>

interface FetcherOptions {
  readonly client: FrontierClient
  /** Where all hosts are served. */
  readonly webPort: number
  readonly budget: number
  /** What is told of a page: itself, or as StormCrawler does its links alone. */
  readonly tells?: 'content' | 'links'
  readonly signal?: AbortSignal
}

/** Asks for more so often in vain, and it ends. */
const MOST_IDLE = 60
const IDLE_MS = 100

/** Fetches what a frontier gives out, and tells what came of it. Gives the pages it had, in their order. */
export async function fetchByFrontier(options: FetcherOptions) {
  const { client, budget, signal } = options
  const pages: string[] = []
  let fetches = 0
  for (let idle = 0; idle < MOST_IDLE && fetches < budget && !signal?.aborted; idle++) {
    const most = Math.min(20, budget - fetches)
    const urls = await client.get({ max_queues: most, max_urls_per_queue: 1 })
    if (urls.length === 0) await sleep(IDLE_MS)
    else idle = 0
    fetches += urls.length
    for (const url of await Promise.all(urls.map((info) => visit(info, options))))
      if (url !== undefined) pages.push(url)
  }
  return { fetches, pages }
}

const list = (...values: string[]) => ({ values })

/** One fetch; gives the address if it had a page. */
async function visit(info: UrlInfo, { client, webPort, tells = 'content' }: FetcherOptions) {
  const { url, key } = info
  const { status, type, location, body } = await fetchFrom(url, webPort)
  const target = location && new URL(location, url).href
  const found = status === 200 && tells === 'links' ? linksOf(body, url) : []
  const metadata = {
    'fetch.statusCode': list(`${status}`),
    ...(target && { _redirTo: list(target) }),
    ...(tells === 'content' && {
      'forager.content': list(body),
      'forager.content-type': list(type),
    }),
    'parse.title': list(/<title>([^<]*)/.exec(body)?.[1] ?? ''),
  }
  await client.put(
    ...found.map(([to, anchor]) => ({
      discovered: {
        info: { url: to, metadata: { 'url.path': list(url), anchors: list(anchor) } },
      },
    })),
    {
      known: { info: { url, key, metadata }, refetchable_from_date: Math.floor(Date.now() / 1000) },
    },
  )
  return status === 200 ? url : undefined
}

function linksOf(html: string, base: string): (readonly [url: string, anchor: string])[] {
  return [...html.matchAll(/<a href="([^"]+)"[^>]*>([^<]*)/g)].map(
    ([, href, anchor]) => [new URL(href.replaceAll('&amp;', '&'), base).href, anchor] as const,
  )
}

async function fetchFrom(url: string, port: number) {
  const { host, pathname, search, protocol } = new URL(url)
  const headers = { host, 'x-forwarded-proto': protocol.slice(0, -1) }
  const sent = request({ host: '127.0.0.1', port, path: pathname + search, headers }).end()
  const [answer] = await once(sent, 'response')
  const { 'content-type': type = 'text/html', location } = answer.headers
  return { status: answer.statusCode as number, type, location, body: await text(answer) }
}
