import type { FetcherMemory, FetchRequest, KeptWith } from '#crawl/ports.ts'
import type { FetchOutcome, KeptRecord, RobotsExchange } from '#learn/entries/outcome.ts'
import { robotsSitemaps } from '#parse/robots/robots-sitemaps.ts'
import { contentUsage, crawlDelaySeconds, isAllowed } from '#parse/robots/robots-txt.ts'
import { hostOf } from '#parse/url/canonical-url.ts'
import type { Bounds } from './bounds/bounds.ts'
import { Deadline } from './client/deadline.ts'
import { WebClient } from './client/web-client.ts'
import { mannersOf, PATIENCE_SECONDS, type SenderOptions } from './fetcher-options.ts'
import { HostLocator } from './hosts/host-locator.ts'
import { HostRow } from './hosts/host-row.ts'
import { reactionOf } from './http/reaction.ts'
import { HostManners, type Visit } from './manners/host-manners.ts'
import type { HostQueue } from './manners/host-queue.ts'
import { groupOf } from './manners/shared-places.ts'
import { OpenRequests } from './outcomes/open-requests.ts'
import { disallowed, oneOfEachOrigin, putOff, turnedAway } from './outcomes/unsent-outcomes.ts'
import { renderFetched } from './render/render-fetched.ts'
import { getRobotsPolitely } from './robots/polite-robots.ts'
import { RobotsCache, type RobotsState } from './robots/robots-cache.ts'
import { explainRobots, type RobotsExplanation } from './robots/robots-explanation.ts'
import { withRobots, withUsage } from './robots/with-robots.ts'
import type { Notice, Sender, WorkerBoard } from './sender.ts'
import { type SiteRule, Sites } from './sites/sites.ts'
import { steadyClock } from './steady-clock.ts'
import { Team, type TeamPlace } from './team/team.ts'

/** A worker without others. */
const ALONE: TeamPlace = { channel: '', own: 0, workers: 1 }

type Rules = RobotsState & { kind: 'rules' }

/** One conversation from the first board to the last: a host's manners hold across them. */
export class PoliteSender implements Sender {
  readonly #options: SenderOptions
  readonly #tell: (notice: Notice) => void
  readonly #now: () => number
  readonly #deadline: Deadline
  readonly #bounds: Bounds
  readonly #team: Team
  #concurrency: number
  readonly #sites: Sites
  readonly #client: WebClient
  readonly #manners: HostManners
  readonly addressOf = (host: string) => this.#manners.addressOf(host)
  readonly #locator: HostLocator
  readonly #robots: RobotsCache
  readonly #row: HostRow
  readonly #open: OpenRequests
  #posts = 0
  /** How often it was told something, and by then when it last said that it is idle. */
  #told = 0
  #idleSince = 0
  readonly #closing = new AbortController()
  readonly #ending = new AbortController()
  readonly #renderingEnd: AbortSignal
  readonly #way: Parameters<typeof getRobotsPolitely>[1]
  /** Written since the last outcome. The next one tells of them, whosever it is: in the order of their file. */
  readonly #keptRobots: KeptRecord[] = []

  constructor(
    options: SenderOptions,
    tell: (notice: Notice) => void,
    bounds: Bounds,
    place: TeamPlace = ALONE,
  ) {
    this.#options = options
    this.#tell = tell
    this.#bounds = bounds
    this.#concurrency = options.concurrency
    this.#open = new OpenRequests(bounds.workers)
    this.#now = steadyClock(options.clock)
    this.#deadline = new Deadline(this.#now, options.deadline)
    this.#deadline.signal.addEventListener('abort', () => this.#forgetWaiting())
    const manners = {
      mayConnect: (host: string, address: string) => this.#row.arrive(host, address),
      restAfter: (host: string, ms: number) => this.#manners.restAfter(host, ms),
    }
    this.#sites = new Sites(options.sites)
    this.#client = new WebClient({ ...options, ...manners }, bounds, this.#deadline, this.#sites)
    this.#manners = new HostManners(
      { ...mannersOf(options, this.#sites), restFrom: options.restFirst ? this.#now() : undefined },
      options.hostStates,
      bounds.addresses,
    )
    this.#locator = new HostLocator(this.#client, this.#manners)
    const { patienceSeconds = PATIENCE_SECONDS } = options
    this.#team = new Team(place, {
      nudged: (group) => this.#row.nudged(group),
      getRobots: (url) => this.#getOwnRobots(url),
      lent: (record) => this.#robots.lend(record),
    })
    this.#row = new HostRow({
      manners: this.#manners,
      concurrency: () => this.#concurrency,
      ...(!this.#team.isAlone && {
        nudge: (worker: number, group: string) => this.#team.nudge(worker, group),
      }),
      patienceSeconds,
      now: this.#now,
      locator: this.#locator,
      maySend: () => this.#maySend(),
      // Others may begin hosts for the same sends.
      sendsLeft: () => Math.ceil(bounds.allowance.left / bounds.workers),
      serve: (host) => this.#serve(host),
      postpone: (host, seconds, reason) => {
        // One of an origin tells it all: plans leave the others out from then on.
        for (const request of oneOfEachOrigin(host.takeAll()))
          this.#answer(putOff(request, this.#at(), reason, seconds))
      },
    })
    this.#renderingEnd = AbortSignal.any([this.#deadline.signal, this.#ending.signal])
    this.#way = {
      client: this.#client,
      manners: this.#manners,
      places: this.#row,
      locator: this.#locator,
      now: this.#now,
      patienceSeconds,
      closing: this.#closing.signal,
      isOwn: bounds.isOwn,
    }
    bounds.addresses.whenFree((address) => this.#row.nudged(groupOf(address)))
    this.#robots = new RobotsCache({
      ...options,
      get: (url) => this.#team.getRobots(url).finally(() => this.#tellIfIdle()),
      now: this.#now,
      records: options.robotsRecords,
      keepRobots: options.keepRobots && ((file) => this.#keepRobots(file)),
    })
  }

  post({ requests, concurrency = this.#options.concurrency }: WorkerBoard, reads: number): void {
    this.#tell({ kind: 'posted', posts: ++this.#posts })
    this.#told++
    this.#concurrency = concurrency
    this.#open.readUpTo(reads)
    this.#manners.forgetClean(this.#now())
    this.#row.replace(this.#isOver ? [] : requests.filter(({ id }) => !this.#open.has(id)))
    this.#tellIfIdle()
  }

  read(reads: number): void {
    this.#told++
    this.#open.readUpTo(reads)
    this.#row.sendMore()
    this.#tellIfIdle()
  }

  useSites(rules: readonly SiteRule[]): void {
    this.#sites.replace(rules)
    this.#row.sendMore()
  }

  endWithin(seconds: number): void {
    this.#deadline.leave(seconds)
    this.#ending.abort() // what is rendered ends at once: the browser has to end too
  }

  async close(): Promise<void> {
    this.#deadline.cancel()
    this.#closing.abort()
    this.#forgetWaiting()
    this.#team.close()
    await this.#client.close()
  }

  async memory(robotsSince?: number): Promise<FetcherMemory> {
    return {
      hostStates: this.#manners.states(this.#now()),
      ...this.#robots.records(robotsSince),
      hostTrusts: this.#client.hostTrusts(),
    }
  }

  /** What others have learnt of hosts that are this worker's from now on. */
  remember(memory: Partial<FetcherMemory>): void {
    for (const state of memory.hostStates ?? []) this.#manners.remember(state)
    for (const trust of memory.hostTrusts ?? []) this.#client.trustLike(trust)
    for (const record of memory.robotsRecords ?? []) this.#robots.learn(record)
  }

  async explainRobots(url: string): Promise<RobotsExplanation | undefined> {
    const { origin } = new URL(url)
    const state = this.#robots.known(origin) ?? (await this.#robots.load(origin))
    return state && explainRobots(state, this.#options.agentToken, url, this.#now())
  }

  get #isOver(): boolean {
    return this.#closing.signal.aborted || this.#deadline.isPassed
  }
  #forgetWaiting(): void {
    this.#row.replace([])
    this.#tellIfIdle()
  }

  #tellIfIdle(): void {
    if (this.#idleSince === this.#told || !this.#isIdle()) return
    this.#idleSince = this.#told
    const isOutOfBytes = this.#row.active === 0 && this.#bounds.ledger.free <= 0
    this.#tell({ kind: 'idle', told: this.#told, isOutOfBytes })
  }

  /** True when no outcome will come before the next board. */
  #isIdle(): boolean {
    if (!this.#open.isEmpty) return false
    // Requests under way, such as for a robots.txt, may yet give bytes back that they reserved.
    const { allowance, ledger } = this.#bounds
    const hasBytes = ledger.canReserve || this.#row.active > 0
    return this.#isOver || !hasBytes || allowance.left <= 0 || !this.#row.hasWaiting
  }

  #maySend(): boolean {
    const { allowance, ledger } = this.#bounds
    return allowance.left > 0 && !this.#open.isFull && ledger.canReserve && !this.#isOver
  }

  /** Sends the best request that may be sent; those that may not are answered on the way. */
  #serve(host: HostQueue): void {
    for (let request = host.takeBest(); request; request = host.takeBest()) {
      const url = new URL(request.url)
      const state = this.#robots.known(url.origin)
      if (!state) {
        host.putBack(request)
        void this.#row.holdUp(host, () => this.#loadRobots(host, url.origin))
        return
      }
      if (state.kind !== 'rules') {
        this.#answer(turnedAway(request, this.#at(), state, this.#now()))
        continue
      }
      if (this.#isTooDear(request)) continue
      const verdict = isAllowed(state.robots, this.#options.agentToken, request.url)
      if (verdict.allowed) {
        this.#notePace(host.name, state)
        if (this.#manners.restsUntil(host.name, this.#now()) > this.#now()) host.putBack(request)
        else this.#send(host, request, url, state)
        return
      }
      this.#answer(disallowed(request, this.#at(), verdict.rule))
    }
  }

  /** What is too dear for the rest of a board is dropped, and perhaps nothing else waits: the next plan knows what there is. */
  #isTooDear({ renderCost = 0 }: FetchRequest): boolean {
    const isSo = renderCost > this.#bounds.allowance.left && renderCost > 0
    if (isSo) queueMicrotask(() => this.#tellIfIdle())
    return isSo
  }

  /** Other workers may be quicker to take the last place, bytes or send: then the request waits on. */
  #send(host: HostQueue, request: FetchRequest, url: URL, rules: Rules): void {
    const { allowance, ledger } = this.#bounds
    const visit = this.#row.enter(host.name)
    const bytes = visit && ledger.reserveForPage(this.#options.maxBodyBytes)
    if (visit && bytes !== undefined && allowance.take(request.renderCost)) {
      void this.#fetchPage(visit, request, url, rules, bytes)
      return
    }
    if (!this.#isTooDear(request)) host.putBack(request)
    if (bytes !== undefined) ledger.receive(bytes, 0)
    if (visit) this.#row.leave(visit, { kind: 'unasked', ms: 0 })
  }

  async #fetchPage(
    visit: Visit,
    request: FetchRequest,
    url: URL,
    rules: Rules,
    bytes: number,
  ): Promise<void> {
    const { host } = visit
    const { id, renderCost: cost = 1 } = request
    this.#open.depart(id)
    this.#tell({ kind: 'sent', id, url: request.url, cost, pace: this.#manners.paceOf(host) })
    const place = this.#client.place()
    const namedBy = (origin: string) => this.#robots.namesSitemap(origin, request.url)
    const setAside = () => this.#row.setAside(visit)
    const fetched = await this.#client.getPage(request, url, bytes, place, namedBy, setAside)
    const [fields, { ledger }, end] = [this.#client.fieldsOf(url), this.#bounds, this.#renderingEnd]
    const means = { ...this.#options, fields, ledger, client: this.#client, end }
    const outcome = await renderFetched(fetched, request, means)
    const usage = contentUsage(rules.robots, this.#options.agentToken, request.url)
    const release = this.#row.hold(host)
    const onRead = () => {
      release()
      place[Symbol.dispose]()
    }
    this.#answer(withUsage(outcome, usage), onRead, request.keptWith)
    // What its scripts asked for is part of the visit; how long they computed is no burden to the host.
    this.#row.leave(visit, reactionOf(fetched))
  }

  /** After a restart a robots.txt is known, but the pace it asks for is not. */
  #notePace(host: string, { robots }: Rules): void {
    this.#manners.notePace(host, crawlDelaySeconds(robots, this.#options.agentToken) ?? 0)
  }

  async #loadRobots(host: HostQueue, origin: string): Promise<void> {
    const state = await this.#robots.load(origin)
    if (!state) return
    if (state.kind === 'rules') {
      const delay = crawlDelaySeconds(state.robots, this.#options.agentToken) ?? 0
      this.#manners.keepPace(host.name, delay, this.#now())
      this.#lendRobots(origin, state)
      return
    }
    // Nothing is sent for these, so they need not wait until the host is ready again.
    for (const request of host.takeWhere(({ url }) => new URL(url).origin === origin))
      this.#answer(turnedAway(request, this.#at(), state, this.#now()))
  }

  async #getOwnRobots(url: URL): ReturnType<typeof getRobotsPolitely> {
    const state = this.#robots.known(url.origin)
    if (state?.kind === 'rules') this.#notePace(url.host, state)
    return getRobotsPolitely(url, this.#way)
  }

  /** Whoever fetches a sitemap must know that another's robots.txt names it. */
  #lendRobots(origin: string, { robots, record }: Rules): void {
    if (this.#team.isAlone) return
    for (const { url } of robotsSitemaps(robots, origin))
      if (!this.#team.isOwn(hostOf(url))) this.#team.lend(record, hostOf(url))
  }

  /** When an outcome comes about that nothing was sent for. */
  readonly #at = (): number => this.#options.clock.now()

  #answer(outcome: FetchOutcome, onRead?: () => void, keptWith?: KeptWith): void {
    const whole = withRobots(outcome, this.#robots, this.#keptRobots.splice(0))
    const { keep = (it: FetchOutcome) => it } = this.#options
    try {
      const kept = keep(whole, keptWith)
      this.#open.answer(kept, onRead)
      this.#tell({ kind: 'answered', outcome: kept })
    } catch (error) {
      // As after a kill: what cannot be kept did not happen.
      this.#tell({ kind: 'broken', reason: (error as Error).message })
    }
  }

  #keepRobots(file: RobotsExchange): void {
    try {
      this.#keptRobots.push(this.#options.keepRobots!(file))
    } catch (error) {
      this.#tell({ kind: 'broken', reason: (error as Error).message })
    }
  }
}
