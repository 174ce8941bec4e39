import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setImmediate as turn } from 'node:timers/promises'

/** How one request is answered; `drop` resets the connection, `hang` says nothing. */
export interface Answer {
  readonly status: 200 | 404 | 429 | 500 | 503 | 'drop' | 'hang'
  /** Until the answer, or until the connection is dropped. */
  readonly ms: number
  /** Whole seconds, as the header has it. */
  readonly retryAfter?: number
}

export interface Site {
  readonly domain: string
  readonly crawlDelayMs: number
  /** `borrowed`: it redirects to the first site's. */
  readonly robots: 'file' | 'none' | 'borrowed' | 'busy'
  readonly robotsMs: number
  /** The answers of `/0`, `/1` … */
  readonly pages: readonly Answer[]
}

/** What the crawler owes to those it asks. */
export interface Owed {
  readonly delayMs: number
  readonly responseFactor: number
  readonly perDomain: number
  readonly perAddress: number
  readonly busyMs: number
  readonly failingMs: number
  /** When a request that is never answered is given up. */
  readonly firstByteMs: number
}

interface Request {
  readonly host: string
  readonly address: string
  readonly path: string
  readonly answer: Answer
  readonly at: number
  endedAt: number
  /** The crawler was shut down before it could read the answer. */
  isCut: boolean
}

/** Timers may fire a millisecond early, and the wall clock that restarts go by has steps of one. */
const TOLERANCE_MS = 4
/** We give up on a silent server by our own clock, which starts before the request arrives. */
const ARRIVAL_MS = 25
/** So long an answer may take to be read that was sent before the crawler was shut down. */
const ON_THE_WAY_MS = 25
/** Stalls of this process up to here are usual, and allowed for above. Of longer ones nobody knows what came first. */
const USUAL_STALL_MS = 20
const MAX_FAILURES = 6

/** Servers for all sites at each of the addresses, on one port, that write down who came when. */
export async function witness(sites: ReadonlyMap<string, Site>, addresses: string[], owed: Owed) {
  const requests: Request[] = []
  const [firstSite] = sites.values()
  const delays = monitorEventLoopDelay({ resolution: 1 })
  delays.enable()
  const stallMs = () => Math.max(0, delays.max / 1e6 - USUAL_STALL_MS)
  const tick = tickClock()
  const respond = (request: IncomingMessage, response: ServerResponse) => {
    const { url: path = '', headers, socket } = request
    const name = headers.host!.replace(/:\d+$/, '')
    const site = sites.get(name)!
    const isRobots = path === '/robots.txt'
    const answer = isRobots ? robotsAnswer(site) : site.pages[Number(path.slice(1))]!
    const noted = { host: name, address: socket.localAddress!, path, answer, at: tick() }
    const entry: Request = { ...noted, endedAt: Number.POSITIVE_INFINITY, isCut: false }
    requests.push(entry)
    // The crawler hung up: before that it asked nothing else that we have not seen yet.
    const cut = () => {
      if (answer.status === 'hang') entry.endedAt = Math.min(entry.endedAt, tick())
      if (entry.endedAt < Number.POSITIVE_INFINITY) return
      entry.endedAt = tick()
      entry.isCut = true
    }
    socket.once('end', cut)
    response.once('close', () => {
      socket.off('end', cut)
      cut()
    })
    if (answer.status === 'hang') {
      entry.endedAt = entry.at + owed.firstByteMs - ARRIVAL_MS
      return
    }
    setTimeout(() => {
      if (entry.isCut) return
      entry.endedAt = performance.now()
      if (answer.status === 'drop') return void socket.resetAndDestroy()
      const { retryAfter } = answer
      if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter)
      if (!isRobots) response.setHeader('content-type', 'text/html')
      if (isRobots && site.robots === 'borrowed') {
        const [host] = sites.keys()
        response.writeHead(301, { location: `http://${host}:${socket.localPort}/robots.txt` }).end()
      } else response.writeHead(answer.status as number).end(isRobots ? rulesOf(site) : '<p>words')
    }, answer.ms)
  }
  const servers: Server[] = []
  const sockets = new Set<Socket>()
  for (const address of addresses) {
    const server = createServer(respond)
    server.on('connection', (socket: Socket) => {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    })
    const port = servers.length === 0 ? 0 : portOf(servers[0]!)
    await new Promise<void>((resolve) => server.listen(port, address, resolve))
    servers.push(server)
  }
  return {
    port: portOf(servers[0]!),
    requests,
    /**
     * Shuts a crawler down that was asked at `leftAt` what it knows. What it had under way is over then, though we learn of it a
     * little later.
     */
    async shutDown(close: () => Promise<void>, leftAt: number) {
      await close()
      do {
        await Promise.all([...sockets].map((socket) => new Promise((r) => socket.once('close', r))))
        await turn()
      } while (sockets.size > 0)
      for (const request of requests) {
        if (request.endedAt < leftAt - ON_THE_WAY_MS - stallMs()) continue
        request.isCut = true
        request.endedAt = Math.min(request.endedAt, leftAt)
      }
    },
    violations: () => violations(requests, sites, firstSite!, owed, stallMs()),
    async [Symbol.asyncDispose]() {
      delays.disable()
      for (const server of servers) {
        const closed = new Promise((resolve) => server.close(resolve))
        server.closeAllConnections()
        await closed
      }
    },
  }
}

/** The time when the events began that are handled together: what came in among them has no order. */
function tickClock(): () => number {
  let beganAt: number | undefined
  return () => {
    if (beganAt === undefined) {
      beganAt = performance.now()
      setImmediate(() => {
        beganAt = undefined
      })
    }
    return beganAt
  }
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}

function robotsAnswer({ robots, robotsMs }: Site): Answer {
  const statuses = { file: 200, none: 404, borrowed: 200, busy: 503 } as const
  return { status: statuses[robots], ms: robotsMs }
}

function rulesOf({ crawlDelayMs }: Site): string {
  return `User-agent: *\nCrawl-delay: ${crawlDelayMs / 1000}\n`
}

/** Every breach of manners, in words. */
function violations(
  requests: readonly Request[],
  sites: ReadonlyMap<string, Site>,
  firstSite: Site,
  owed: Owed,
  stallMs: number,
): string[] {
  const found: string[] = []
  const domainOf = ({ host }: Request) => sites.get(host)!.domain
  for (const request of requests) {
    const atOnce = requests.filter(
      ({ at, endedAt, answer }) =>
        at <= request.at && endedAt - (answer.status === 'hang' ? stallMs : 0) > request.at,
    )
    const same = (by: (r: Request) => string) =>
      atOnce.filter((other) => by(other) === by(request)).length
    if (same(({ host }) => host) > 1) found.push(`two at once to ${request.host}`)
    if (same(domainOf) > owed.perDomain) found.push(`too many at once to ${domainOf(request)}`)
    if (same(({ address }) => address) > owed.perAddress)
      found.push(`too many at once to ${request.address}`)
  }
  for (const [host, site] of sites) {
    const own = requests.filter((request) => request.host === host)
    const { robots } = site
    const paced = robots === 'borrowed' ? firstSite : site
    const crawlDelayMs = robots === 'file' || robots === 'borrowed' ? paced.crawlDelayMs : 0
    if (own.length > 0 && own[0]!.path !== '/robots.txt') found.push(`${host} without robots.txt`)
    let [busy, failures] = [0, 0]
    for (const [i, { answer, at, endedAt, isCut, path }] of own.entries()) {
      const next = own[i + 1]
      if (!next) break
      // The connection may have been worn out: after a rest the same is tried once more, as one try.
      const isRetried = next.path === path
      busy = isBusy(answer) && !isCut ? busy + 1 : 0
      if (!isRetried) failures = isFailure(answer) && !isCut ? failures + 1 : 0
      const tookMs = isCut ? 0 : endedAt - at
      const owedMs = Math.max(
        owed.delayMs,
        next.path === '/robots.txt' ? 0 : crawlDelayMs,
        owed.responseFactor * tookMs,
        busy > 0 ? busyPause(answer, busy, owed) : 0,
        failures >= MAX_FAILURES && !isRetried ? owed.failingMs : 0,
      )
      const gapMs = next.at - endedAt
      if (gapMs < owedMs - TOLERANCE_MS - stallMs)
        found.push(`${host}${next.path} ${gapMs} ms after ${path} ${answer.status}, not ${owedMs}`)
    }
  }
  return found
}

/** A server is taken at its word the first time; without a word, and later, the pause doubles. */
function busyPause({ retryAfter }: Answer, times: number, { busyMs }: Owed): number {
  const own = busyMs * 2 ** (times - 1)
  if (retryAfter === undefined) return own
  return times === 1 ? 1000 * retryAfter : Math.max(own, 1000 * retryAfter)
}

function isBusy({ status }: Answer): boolean {
  return status === 429 || status === 503
}

function isFailure({ status }: Answer): boolean {
  return status === 500 || status === 'drop' || status === 'hang'
}
