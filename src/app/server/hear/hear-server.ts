import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Submission, Verdict } from '#library/hear/index-now.ts'
import type { Hearing } from '#library/hear/open-hearing.ts'
import { type Listening, listen } from '../http/listen.ts'
import { RateLimit } from '../http/rate-limit.ts'
import { readBody } from '../http/read-body.ts'

interface HearServerOptions {
  readonly host: string
  /** 0 takes a free one. */
  readonly port: number
  readonly hearing: Hearing
  readonly onError: (error: unknown) => void
}

/** Requests a second from one address; four times as many at once. */
const PER_SECOND = 5
const MAX_URL_CHARS = 8_000
/** Ten thousand URLs of some length, or a long feed. */
const MAX_BODY_BYTES = 4 * 1024 * 1024

interface Said {
  readonly status: number
  readonly text: string
}

/** Listens to sites (IndexNow, at /indexnow) and to hubs (WebSub, at /websub/…). */
export function startHearServer(options: HearServerOptions): Promise<Listening> {
  const { host, port, hearing, onError } = options
  const limit = new RateLimit(PER_SECOND)
  const flags = `--hear-port ${port} on --hear-host ${host}`
  return listen(
    async (request, response) => {
      response.on('error', () => {}) // the client went away
      const wait = limit.take(request.socket.remoteAddress ?? '', performance.now())
      if (wait > 0)
        return send(response, { status: 429, text: 'wait' }, { 'retry-after': `${wait}` })
      const said = await answerTo(request, hearing).catch((error) => {
        onError(error) // as of a full disk: whoever sent this is not to end the service
        return { status: 500, text: 'something broke: try again later' }
      })
      send(response, said)
    },
    { host, port, flags },
  )
}

async function answerTo(request: IncomingMessage, hearing: Hearing): Promise<Said> {
  const { url = '', method = '' } = request
  if (url.length > MAX_URL_CHARS) return { status: 414, text: 'too long' }
  const [path] = url.split('?', 1)
  const query = new URLSearchParams(url.slice(path.length + 1))
  const subscription = /^\/websub\/([0-9a-f]{32})$/.exec(path)?.[1]
  const isKnown = path === '/indexnow' || (subscription !== undefined && hearing.webSub)
  if (!isKnown) return { status: 404, text: 'nothing is heard here' }
  if (method === 'GET')
    return subscription === undefined
      ? submitted(hearing, oneOf(query))
      : verified(hearing.webSub?.verify(subscription, query))
  if (method !== 'POST') return { status: 405, text: 'GET or POST' }
  const body = await readBody(request, MAX_BODY_BYTES)
  if (body === undefined) return { status: 413, text: 'send less, and all of it' }
  if (subscription === undefined) return submitted(hearing, listIn(body))
  const { 'content-type': type = '', 'x-hub-signature': signature } = request.headers
  const delivery = { type, body, ...(typeof signature === 'string' && { signature }) }
  return hearing.webSub?.deliver(subscription, delivery)
    ? { status: 202, text: 'heard' }
    : { status: 404, text: 'nobody subscribed to that' }
}

function submitted({ indexNow }: Hearing, submission: Submission | undefined): Said {
  if (!submission) return { status: 400, text: 'this is no IndexNow request' }
  const { status, why }: Verdict = indexNow.submit(submission)
  return { status, text: why }
}

function verified(challenge: string | undefined): Said {
  return challenge === undefined
    ? { status: 404, text: 'nobody asked for that' }
    : { status: 200, text: challenge }
}

/** `?url=…&key=…`, as one page is told of. */
function oneOf(query: URLSearchParams): Submission | undefined {
  const [url, key, keyLocation] = ['url', 'key', 'keyLocation'].map((name) => query.get(name))
  const host = url === null ? undefined : URL.parse(url)?.host
  if (url === null || key === null || !host) return undefined
  return { host, key, urls: [url], ...(keyLocation !== null && { keyLocation }) }
}

/** `{"host", "key", "keyLocation", "urlList"}`, as many are told of. */
function listIn(body: Buffer): Submission | undefined {
  try {
    const { host, key, keyLocation, urlList } = JSON.parse(body.toString())
    const isList = Array.isArray(urlList) && urlList.every((url) => typeof url === 'string')
    const isPlace = keyLocation === undefined || typeof keyLocation === 'string'
    if (typeof host !== 'string' || typeof key !== 'string' || !isList || !isPlace) return undefined
    return { host: host.toLowerCase(), key, urls: urlList, ...(keyLocation && { keyLocation }) }
  } catch {
    return undefined
  }
}

function send(response: ServerResponse, { status, text }: Said, headers = {}): void {
  const isRefused = status === 413 || status === 429 || status === 414
  response.writeHead(status, {
    ...{ 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
    // What follows an unread body would be taken for the next request.
    ...(isRefused && { connection: 'close' }),
    ...headers,
  })
  response.end(text)
}
