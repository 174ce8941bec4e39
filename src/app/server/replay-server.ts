import type { IncomingMessage, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import type { Archive } from '#archive/format/archive.ts'
import { RecordedWeb, type RecordedWebOptions } from '#archive/recorded-web.ts'
import { replayAnswer, replaySnapshot } from '#lab/replay/replay.ts'
import { listen } from './http/listen.ts'

interface ReplayServerOptions {
  readonly archive: Archive
  /** 0 takes any free port. */
  readonly port: number
  readonly host?: string
  /** The snapshot to begin with. */
  readonly from: number
  /** Snapshots (weeks, in most archives) a minute; 0 stands still. */
  readonly speed: number
  /** Milliseconds on any clock that only goes forward. */
  readonly now?: () => number
  readonly onAnswer?: (entry: ReplayLogEntry) => void
  /** Called with the URL when a request has come; what it gives is called when the answer has gone out. */
  readonly onRequest?: (url: string) => () => void
  /** Latency of every answer, so that concurrent requests overlap; none if left out. */
  readonly answerMs?: number
  readonly sitemaps?: RecordedWebOptions['sitemaps']
}

export interface ReplayLogEntry {
  readonly method: string
  readonly host: string
  readonly path: string
  readonly status: number
  /** When the request came, on the server's clock. */
  readonly at: number
}

export interface ReplayServer {
  readonly port: number
  /** The snapshot shown now. */
  snapshot(): number
  /** Answers given so far, by status. */
  counts(): ReadonlyMap<number, number>
  close(): Promise<void>
}

/** Below this, compression takes longer than a loopback connection saves by it. */
const MIN_GZIP_CHARACTERS = 8_192
/** Crawlers with a delay come back to the same connection after a while. */
const KEEP_ALIVE_MS = 30_000
/** A crawler may hold one for every host of an archive, all from one address. */
const LIMITS = { total: 4_096, perClient: 4_096 }

/** Serves an archive over HTTP to whoever names one of its hosts, as its clock goes on. */
export async function startReplayServer(options: ReplayServerOptions): Promise<ReplayServer> {
  const { archive, port, host = '127.0.0.1', from, speed, onAnswer, answerMs = 0 } = options
  const now = options.now ?? (() => performance.now())
  const startedAt = now()
  const counts = new Map<number, number>()
  const pace = { from, speed, snapshotCount: archive.snapshotCount }
  const snapshot = () => replaySnapshot(pace, now() - startedAt)

  let web = new RecordedWeb(archive, snapshot(), options)
  const currentWeb = () => {
    const current = snapshot()
    if (web.snapshot !== current) web = web.at(current)
    return web
  }

  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    const at = now()
    const { method = 'GET', url: path = '/', headers } = request
    const asked = { method, path, headers, host: headers.host ?? '' }
    const answer = replayAnswer(asked, currentWeb())
    counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1)
    onAnswer?.({ method, host: asked.host, path, status: answer.status, at })
    const scheme = headers['x-forwarded-proto'] ?? 'https'
    const onGone = options.onRequest?.(`${scheme}://${asked.host}${path}`)
    if (onGone) response.once('close', onGone)
    if (answerMs > 0) setTimeout(send, answerMs, request, response, answer)
    else send(request, response, answer)
  }
  const server = await listen(onRequest, {
    port,
    host,
    flags: `--port ${port}`,
    connections: LIMITS,
    keepAliveMs: KEEP_ALIVE_MS,
  })
  return { port: server.port, snapshot, counts: () => counts, close: server.close }
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: ReturnType<typeof replayAnswer>,
): void {
  request.resume() // a body nobody asked for
  const packs = body.length >= MIN_GZIP_CHARACTERS && acceptsGzip(request)
  const bytes = packs ? gzipSync(body, { level: 1 }) : Buffer.from(body)
  response.writeHead(status, {
    ...headers,
    ...(status !== 304 && { 'content-length': bytes.length }),
    ...(packs && { 'content-encoding': 'gzip' }),
    vary: 'accept-encoding, x-forwarded-proto',
  })
  response.end(status === 304 || request.method === 'HEAD' ? undefined : bytes)
}

function acceptsGzip(request: IncomingMessage): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(String(request.headers['accept-encoding']))
}
