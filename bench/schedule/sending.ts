import type { FetchRequest, RobotsRecord } from '#crawl/ports.ts'
import { HostRow } from '#fetch/hosts/host-row.ts'
import { HostManners } from '#fetch/manners/host-manners.ts'
import type { HostQueue } from '#fetch/manners/host-queue.ts'
import { OpenRequests } from '#fetch/outcomes/open-requests.ts'
import { RobotsCache } from '#fetch/robots/robots-cache.ts'
import { steadyClock } from '#fetch/steady-clock.ts'
import { seededRandom, WeightedSampler, zipfWeights } from '#numeric/random.ts'
import { AGENT_TOKEN } from '#parse/page/page.ts'
import { isAllowed } from '#parse/robots/robots-txt.ts'
import { hostOf } from '#parse/url/canonical-url.ts'
import { type Cost, measure } from '../harness/cost.ts'

/** As short as a timer can be, lest the benchmark take hours: what is counted is CPU. */
const REST_SECONDS = 0.001
const CONCURRENCY = 256
/** Every so many hosts are of one large domain, and as many are at one address. */
const HOSTS_OF_DOMAIN = 5
const HOSTS_OF_ADDRESS = 5
const ROBOTS_TXT = `User-agent: *
Disallow: /private/
Disallow: /*.cgi$
Disallow: /search?
Allow: /search?about
`

interface SendSizes {
  readonly hosts: number
  readonly requests: number
  readonly seed: number
}

/**
 * Which request goes next, decided as the live fetcher does, by the same queues, manners, shared places and
 * robots.txt; only what goes over the wire is left out, and answers come at once.
 */
export async function measureSending(
  sizes: SendSizes,
): Promise<Cost & { readonly decisions: number }> {
  const requests = drawRequests(sizes)
  const sending = new Sending(requests)
  const { result, cost } = await measure('choose at send time', () => sending.sendAll())
  return { ...cost, decisions: result }
}

class Sending {
  readonly #requests: readonly FetchRequest[]
  readonly #open = new OpenRequests()
  readonly #row: HostRow
  readonly #robots: RobotsCache
  readonly #done = Promise.withResolvers<void>()
  #sent = 0

  constructor(requests: readonly FetchRequest[]) {
    this.#requests = requests
    const now = steadyClock({ now: () => Date.now() / 1000 })
    const origins = new Set(requests.map(({ url }) => new URL(url).origin))
    const records = Array.from(origins, (origin) => robotsOf(origin, now()))
    this.#robots = new RobotsCache({
      agentToken: 'forager',
      get: () => Promise.reject(),
      now,
      records,
    })
    const manners = new HostManners({
      delaySeconds: REST_SECONDS,
      responseFactor: 2,
      connectionsPerHost: 1,
      perDomain: 2,
      perAddress: 1,
    })
    for (const name of new Set(requests.map(({ url }) => hostOf(url))))
      manners.locate(name, addressOf(name))
    this.#row = new HostRow({
      manners,
      concurrency: () => CONCURRENCY,
      patienceSeconds: 60,
      now,
      locator: { isLocated: () => true, locate: async () => {} },
      maySend: () => !this.#open.isFull,
      sendsLeft: () => Number.POSITIVE_INFINITY,
      serve: (host) => this.#serve(host),
      postpone: () => {},
    })
  }

  /** Gives how many were sent. */
  async sendAll(): Promise<number> {
    this.#row.replace(this.#requests)
    await this.#done.promise
    return this.#sent
  }

  #serve(host: HostQueue): void {
    const request = host.takeBest()
    if (!request) return
    const state = this.#robots.known(new URL(request.url).origin)
    if (state?.kind !== 'rules' || !isAllowed(state.robots, AGENT_TOKEN, request.url).allowed)
      return
    const visit = this.#row.enter(host.name)!
    this.#open.depart(request.id)
    setImmediate(() => {
      const { id, url } = request
      this.#open.answer({ kind: 'gone', id, url, at: 0, ms: 0, status: 404, bytes: 0 })
      this.#open.readUpTo(this.#open.reads + 1)
      this.#row.leave(visit, { kind: 'fine', ms: 0 })
      if (++this.#sent === this.#requests.length) this.#done.resolve()
    })
  }
}

/** Hosts of uneven size: some of a domain that has many, some at an address that serves many. */
function drawRequests({ hosts, requests, seed }: SendSizes): FetchRequest[] {
  const random = seededRandom(seed)
  const sampler = new WeightedSampler(zipfWeights(hosts, 0.5))
  return Array.from({ length: requests }, (_, id) => {
    const host = sampler.sample(random)
    const name = host % HOSTS_OF_DOMAIN === 0 ? `h${host}.many-pages.com` : `www.site${host}.com`
    return { id, url: `https://${name}/part-${id % 9}/page-${id}`, priority: random.next() }
  })
}

/** Of every so many hosts one is at an address with all the others of its kind. */
function addressOf(name: string): string {
  const host = Number(/\d+/.exec(name))
  return host % HOSTS_OF_ADDRESS === 1 ? '192.0.2.1' : `198.51.${host >> 8}.${host & 255}`
}

function robotsOf(origin: string, now: number): RobotsRecord {
  const times = { fetchedAt: now, validUntil: now + 86_400, textAt: now }
  return { origin, kind: 'file', text: ROBOTS_TXT, failures: 0, ...times }
}
