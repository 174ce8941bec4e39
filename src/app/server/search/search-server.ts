import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DamagedFileError } from '#repository/damage.ts'
import { cannotListen } from '../cannot-listen.ts'
import { CLIENT_TIMEOUTS, limitConnections } from '../limit-connections.ts'
import { goesBy } from '../server-name.ts'
import { SECURITY_HEADERS } from './search-headers.ts'
import { RateLimit } from './search-rate-limit.ts'
import { type Answer, answerTo, refusal, type SearchSite } from './search-routes.ts'

export interface SearchServerOptions {
  readonly site: SearchSite
  /** 0 takes a free one. */
  readonly port: number
  readonly host: string
  /** Requests a second from one address, four times as many at once; 0 for any. */
  readonly perSecond: number
  readonly onError: (error: unknown) => void
}

export interface SearchServer {
  readonly port: number
  close(): Promise<void>
}

/** A signed link holds a URL of up to 2,000 characters, each escaped at worst. */
const MAX_URL_CHARS = 8_000
const MAX_HEADER_BYTES = 16_384

/** Serves the search page and its API. */
export async function startSearchServer(options: SearchServerOptions): Promise<SearchServer> {
  const { site, port, host, onError } = options
  const limit = new RateLimit(options.perSecond)
  const server = createServer(
    { ...CLIENT_TIMEOUTS, maxHeaderSize: MAX_HEADER_BYTES },
    (request, response) => {
      response.on('error', () => {}) // the client went away
      const path = request.url?.split('?', 1)[0] ?? ''
      const answer = refused(request, path) ?? answered(request, path)
      send(request, response, answer)
    },
  )
  limitConnections(server)

  const refused = (request: IncomingMessage, path: string): Answer | undefined => {
    const no = (status: number, heading: string, advice: string, headers = {}): Answer => {
      const answer = refusal(site, path, status, heading, advice)
      return { ...answer, headers: { ...answer.headers, ...headers } }
    }
    const wait = limit.take(request.socket.remoteAddress ?? '', performance.now())
    if (wait > 0)
      return no(429, 'That was too fast', `Wait ${wait} s and try again.`, {
        'retry-after': String(wait),
      })
    if ((request.url?.length ?? 0) > MAX_URL_CHARS)
      return no(414, 'The address is too long', 'Ask in fewer words.')
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return no(405, 'This cannot be done here', 'Only GET and HEAD are answered.', {
        allow: 'GET, HEAD',
      })
    if (hasBody(request)) return no(413, 'Nobody reads that here', 'Send no body.')
    if (!goesBy(host, request.headers.host))
      return no(421, 'This server goes by another name', 'Use localhost or 127.0.0.1.')
    return undefined
  }

  const answered = (request: IncomingMessage, path: string): Answer => {
    try {
      const query = request.url?.slice(path.length + 1) ?? ''
      return answerTo(site, {
        path,
        parameters: new URLSearchParams(query),
        cookies: request.headers.cookie,
        isDeliberate: isDeliberate(request),
      })
    } catch (error) {
      onError(error)
      if (error instanceof DamagedFileError)
        return refusal(site, path, 503, 'The index is damaged', 'Ask who runs it to repair it.')
      return refusal(site, path, 500, 'Something broke', 'It was not your fault. Try again later.')
    }
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) =>
      reject(cannotListen(`--port ${port} on --host ${host}`, cause)),
    )
    server.listen(port, host, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function send(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  const { status, type, body, headers } = answer
  const bytes = Buffer.from(body)
  response.writeHead(status, {
    ...SECURITY_HEADERS,
    'content-type': type,
    'content-length': bytes.length,
    ...headers,
    // What follows an unread body would be taken for the next request.
    ...(hasBody(request) && { connection: 'close' }),
  })
  response.end(request.method === 'HEAD' ? undefined : bytes)
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** Browsers say when they only fetch ahead, and when another site's page made them ask. */
function isDeliberate({ method, headers }: IncomingMessage): boolean {
  const purpose = `${headers['sec-purpose'] ?? ''} ${headers.purpose ?? ''}`
  return (
    method === 'GET' && !/prefetch/i.test(purpose) && headers['sec-fetch-site'] !== 'cross-site'
  )
}
