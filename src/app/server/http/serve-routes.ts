import type { IncomingMessage, ServerResponse } from 'node:http'
import { DamagedFileError } from '#repository/damage.ts'
import { REQUEST_MS } from './limit-connections.ts'
import { type Listening, type ListenOptions, listen } from './listen.ts'
import { RateLimit } from './rate-limit.ts'
import { readBody } from './read-body.ts'
import { REFUSALS, Refusal } from './refusal.ts'
import { type Answer, type Asked, htmlAnswer, jsonAnswer, type Route, routed } from './route.ts'
import { goesBy } from './server-name.ts'

/** What a server answers. */
export interface Site {
  readonly routes: readonly Route[]
  /** Tells people why there is no answer; left out, they are told in JSON as machines are. */
  readonly messagePage?: (heading: string, advice: string, path: string) => string
  readonly onError: (error: unknown) => void
}

export interface ServeOptions extends ListenOptions {
  readonly site: Site
  /** Requests a second from one address, four times as many at once; 0 for any. */
  readonly perSecond: number
}

/** A signed link holds a URL of up to 2,000 characters, each escaped at worst. */
const MAX_URL_CHARS = 8_000
const MAX_FORM_BYTES = 16_384
const MAX_UNREAD_BYTES = 65_536

/**
 * Said with every answer. Everything a page needs comes from us and from files of their own, so a
 * script that slipped into a result could not run even if escaping failed.
 */
const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // The sites in the results are not told what was asked.
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'x-robots-tag': 'noindex, nofollow',
}

/** Serves routes behind the guards that all of them need. */
export function serveRoutes(options: ServeOptions): Promise<Listening> {
  const { site, host, perSecond } = options
  const limit = new RateLimit(perSecond)
  return listen(async (request, response) => {
    response.on('error', () => {}) // the client went away
    const { url = '', method = '', headers, socket } = request
    const [path] = url.split('?', 1)
    const query = new URLSearchParams(url.slice(path.length + 1))
    const wait = limit.take(socket.remoteAddress ?? '', performance.now())
    const takesForm = site.routes.some((route) => route.path === path && route.method === 'POST')
    const refusal = refusalOf(request, host, wait, takesForm)
    const form = refusal || method !== 'POST' ? undefined : await formOf(request)
    const asked = {
      method,
      path,
      query,
      headers,
      ...(form && !(form instanceof Refusal) && { form }),
    }
    const no = refusal ?? (form instanceof Refusal ? form : undefined)
    // Who waits for an answer is not slow: we are.
    socket.setTimeout(0)
    const answer = no ? refused(site, path, no) : await answerTo(site, asked)
    socket.setTimeout(REQUEST_MS)
    send(request, response, answer)
  }, options)
}

/** Answers a request, or says why not in the form that its sender reads. */
export async function answerTo(site: Site, asked: Asked): Promise<Answer> {
  const answer = await answerOf(site, asked)
  return answer instanceof Refusal ? refused(site, asked.path, answer) : answer
}

async function answerOf({ routes, onError }: Site, asked: Asked): Promise<Answer | Refusal> {
  try {
    return (await routed(routes, asked)) ?? new Refusal(404, 'The address may be misspelt.')
  } catch (error) {
    onError(error)
    return error instanceof DamagedFileError
      ? new Refusal(503, 'Ask who runs it to repair it.')
      : new Refusal(500, 'It was not your fault. Try again later.')
  }
}

/** Why a request is not even looked at; `wait` in seconds. */
function refusalOf(
  request: IncomingMessage,
  host: string,
  wait: number,
  takesForm: boolean,
): Refusal | undefined {
  const { url = '', method = '', headers } = request
  if (wait > 0)
    return new Refusal(429, `Wait ${wait} s and try again.`, { 'retry-after': String(wait) })
  if (url.length > MAX_URL_CHARS) return new Refusal(414, 'Ask in fewer words.')
  const isForm = takesForm && method === 'POST'
  if (method !== 'GET' && method !== 'HEAD' && !isForm)
    return new Refusal(405, 'Only GET and HEAD are answered.', { allow: 'GET, HEAD' })
  if (hasBody(request) && !isForm) return new Refusal(413, 'Ask without one.')
  if (!goesBy(host, headers.host)) return new Refusal(421, 'Use localhost or 127.0.0.1.')
  return undefined
}

/** What a form of one of our own pages sent. Other sites can send forms too, but not in their own name. */
async function formOf(request: IncomingMessage): Promise<URLSearchParams | Refusal> {
  const { origin, host, 'sec-fetch-site': from } = request.headers
  // A page that tells nobody where one comes from has no origin either, but browsers know whose it is.
  const isOurs =
    from === undefined
      ? origin === undefined || URL.parse(origin)?.host === host
      : from === 'same-origin'
  if (!isOurs) return new Refusal(403, 'Only forms of these pages are taken.')
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(
    request.headers['content-type'] ?? '',
  )
  const body = await readBody(request, MAX_FORM_BYTES)
  if (body === undefined) return new Refusal(413, 'Send less, and all of it.')
  if (!isForm) return new Refusal(400, 'Send a form.')
  return new URLSearchParams(body.toString())
}

/** A page for people, JSON for machines. */
function refused({ routes, messagePage }: Site, path: string, refusal: Refusal): Answer {
  const { status, advice, headers } = refusal
  const isForMachines =
    path.startsWith('/api/') || routes.some((route) => route.path === path && route.described)
  return messagePage && !isForMachines
    ? htmlAnswer(status, messagePage(REFUSALS[status], advice, path), headers)
    : jsonAnswer(status, { error: `${REFUSALS[status]}: ${advice}` }, headers)
}

function send(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  const { status, type, body, headers, stream } = answer
  const bytes = Buffer.from(body)
  if (stream && request.method !== 'HEAD') {
    response.writeHead(status, { ...SECURITY_HEADERS, 'content-type': type, ...headers })
    response.write(bytes)
    const push = (text: string) => {
      // Who does not read what was sent gets no more.
      if (response.writableLength > MAX_UNREAD_BYTES) response.destroy()
      else response.write(text)
    }
    response.once('close', stream(push))
    return
  }
  response.writeHead(status, {
    ...SECURITY_HEADERS,
    'content-type': type,
    'content-length': bytes.length,
    ...headers,
    // What follows an unread body would be taken for the next request.
    ...(hasBody(request) && !request.complete && { connection: 'close' }),
  })
  response.end(request.method === 'HEAD' ? undefined : bytes)
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}
