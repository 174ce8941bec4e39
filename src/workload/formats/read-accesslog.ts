import { canonicalUrl } from '#parse/url/canonical-url.ts'
import { normalQuery } from '../normal-query.ts'
import {
  type Finding,
  type LogOptions,
  type LogReader,
  type LogSink,
  type Malformed,
  malformed,
  type Unused,
  unused,
} from './log-record.ts'

/** A client that was silent for so long has begun a new session. */
const SESSION_SECONDS = 30 * 60
const SWEEP_EVERY_LINES = 100_000
/** Servers refuse requests and headers of more than 8 KiB or so. */
const MAX_LINE_CHARS = 1 << 16

const QUOTED = '"((?:[^"\\\\]|\\\\.)*)"'
// With the name of a virtual host before it, or without.
const COMBINED = new RegExp(
  `^(?:\\S+ )?(\\S+) \\S+ \\S+ \\[([^\\]]+)\\] ${QUOTED} (\\d{3}) \\S+(?: ${QUOTED} ${QUOTED})?`,
)
const LOG_TIME = /^(\d\d)\/(\w{3})\/(\d{4}):(\d\d):(\d\d):(\d\d) ([+-])(\d\d)(\d\d)$/
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const ROBOT =
  /bot\b|bot[/;)_-]|crawl|spider|slurp|curl|wget|python|java\/|libwww|okhttp|go-http|http-?client|headless|phantom|preview|monitor|scan|fetch|forager/i
// Styles and images of a results page have it as their Referer too, but nobody chose them.
const PART_OF_PAGE =
  /\.(?:css|js|mjs|map|png|jpe?g|gif|svg|webp|avif|ico|woff2?|ttf|json|xml|txt)$/i

interface Request {
  readonly client: string
  readonly at: number
  readonly target: string
  readonly referer: string
}

/**
 * Reads access logs of nginx and Apache in combined format. A search is a request with a query
 * in `param` (`q`, or `/search?q` for one path only). A click is a later request of the same
 * client whose Referer is that search.
 */
export function accessLogReader(sink: LogSink, { param }: LogOptions): LogReader {
  const sessions = new Sessions()
  const queryIn = searchTest(param)
  return {
    read: (text, line) => {
      if (text.trim() === '') return
      if (line % SWEEP_EVERY_LINES === 0) sessions.sweep()
      sink(findingIn(text, queryIn, sessions), line)
    },
    end: () => {},
  }
}

function findingIn(
  text: string,
  queryIn: (address: string) => string | undefined,
  sessions: Sessions,
): Finding {
  const request = requestIn(text)
  if ('kind' in request) return request
  const query = queryIn(request.target)
  if (query !== undefined) return search(request, query, sessions)
  const earlier = queryIn(request.referer)
  return earlier === undefined
    ? unused('a request that is no search')
    : visit(request, earlier, sessions)
}

function search({ client, at }: Request, query: string, sessions: Sessions): Finding {
  const isKnown = sessions.note(client, sameQuery(query), at)
  if (isKnown) return unused('the same search again, as for more results')
  return { kind: 'asked', text: query, count: 1, at, client }
}

function visit(request: Request, query: string, sessions: Sessions): Finding {
  const { client, at, target, referer } = request
  if (PART_OF_PAGE.test(target.replace(/\?.*/, ''))) return unused('a part of a page')
  const key = sameQuery(query)
  if (!sessions.isKnown(client, key, at)) return unused('a click whose search is not here')
  const url = canonicalUrl(target, referer)
  if (url === undefined) return malformed('the request is no URL')
  if (sessions.note(client, `${key}\n${url}`, at)) return unused('the same click again')
  return { kind: 'click', text: query, url, count: 1, at }
}

function sameQuery(query: string): string {
  return normalQuery(query).text ?? query
}

/** A request that a person made and got an answer to. */
function requestIn(text: string): Request | Malformed | Unused {
  if (text.length > MAX_LINE_CHARS) return malformed('longer than 64 KiB')
  const [, address, time, request, status, referer, agent] = COMBINED.exec(text) ?? []
  if (address === undefined) return malformed('not in combined log format')
  if (agent === undefined) return malformed('no Referer and User-Agent: log them too')
  const at = secondsOf(time)
  if (at === undefined) return malformed('the time cannot be read')
  const [, method, target] = /^([A-Z]+) (\S+)/.exec(request) ?? []
  if (target === undefined) return malformed('the request cannot be read')
  if (agent === '' || agent === '-' || ROBOT.test(agent)) return unused('a robot')
  if (method !== 'GET' || Number(status) >= 400)
    return unused('a request that failed or was no GET')
  return {
    client: `${address} ${agent}`,
    at,
    target: unescaped(target),
    referer: unescaped(referer),
  }
}

/** Servers write quotes and bytes beyond ASCII as \x22. */
function unescaped(text: string): string {
  return text.replace(/\\x([0-9a-f]{2})/gi, '%$1')
}

/** What finds the query in an address. */
function searchTest(param: string): (address: string) => string | undefined {
  const [path, name] = param.includes('?') ? param.split('?') : ['', param]
  return (address) => {
    const mark = address.indexOf('?')
    if (mark < 0) return undefined
    const place = address.slice(0, mark).replace(/^https?:\/\/[^/]*/, '')
    if (path !== '' && place !== path) return undefined
    const query = new URLSearchParams(address.slice(mark + 1).replace(/#.*/, '')).get(name)
    return query === null || query.trim() === '' ? undefined : query
  }
}

function secondsOf(time: string): number | undefined {
  const parts = LOG_TIME.exec(time)
  if (!parts) return undefined
  const [day, year, hour, minute, second] = [1, 3, 4, 5, 6].map((part) => Number(parts[part]))
  const month = MONTHS.indexOf(parts[2])
  if (month < 0) return undefined
  const offset = (Number(parts[8]) * 60 + Number(parts[9])) * (parts[7] === '-' ? -60 : 60)
  return Date.UTC(year, month, day, hour, minute, second) / 1000 - offset
}

/** What each client did in the last half hour. */
class Sessions {
  readonly #lastOf = new Map<string, number>()
  #now = 0

  isKnown(client: string, action: string, at: number): boolean {
    const last = this.#lastOf.get(`${client}\n${action}`)
    return last !== undefined && at - last <= SESSION_SECONDS
  }

  /** Remembers it; gives whether it was known. */
  note(client: string, action: string, at: number): boolean {
    const isKnown = this.isKnown(client, action, at)
    this.#lastOf.set(`${client}\n${action}`, at)
    this.#now = Math.max(this.#now, at)
    return isKnown
  }

  sweep(): void {
    for (const [key, last] of this.#lastOf)
      if (this.#now - last > SESSION_SECONDS) this.#lastOf.delete(key)
  }
}
