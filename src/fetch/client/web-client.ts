import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock, FetchRequest, HostTrust } from '#crawl/ports.ts'
import type { FetchOutcome } from '#learn/entries/outcome.ts'
import type { NamesSitemap } from '#parse/feeds/sitemap.ts'
import type { FieldRule, FieldSelectors } from '#parse/fields/field-rules.ts'
import type { Bounds } from '../bounds/bounds.ts'
import type { ByteLedger } from '../bounds/byte-ledger.ts'
import { type DocumentOptions, DocumentReader } from '../documents/document-reader.ts'
import { ACCEPT_ENCODING } from '../http/decode-body.ts'
import { HeavyAnswers, type HeavyPlace, LIGHT_BYTES } from '../http/heavy-answers.ts'
import { type HttpAnswer, type HttpFailure, httpGet, type WantsBody } from '../http/http-get.ts'
import { OUT_OF_BYTES, OUT_OF_TIME } from '../http/reaction.ts'
import {
  type Attempt,
  documentIn,
  mayBePage,
  type ReadOptions,
  readAnswer,
  readFailure,
  unpackedAnswer,
} from '../http/read-answer.ts'
import { RequestSigner, type SigningOptions } from '../signing/request-signer.ts'
import { SiteFields } from '../sites/site-fields.ts'
import { SiteSecrets } from '../sites/site-secrets.ts'
import { type SiteRule, Sites } from '../sites/sites.ts'
import { Connections } from '../wire/connections.ts'
import type { TransportOptions } from '../wire/open-socket.ts'
import type { ResolveRule } from '../wire/resolve-rules.ts'
import { ROBOTS_BYTES } from './ask-for-robots.ts'
import { believed, conditionalHeaders } from './conditional-get.ts'
import type { Deadline } from './deadline.ts'
import { ValidatorsTrust } from './validators-trust.ts'

export interface WebClientOptions extends TransportOptions {
  readonly userAgent: string
  /** A mail address that answers for us, for the From header. */
  readonly from?: string
  /** The name robots.txt knows us by. */
  readonly agentToken: string
  /** Proves who we are; without it nothing is signed. */
  readonly signing?: SigningOptions
  readonly resolve: readonly ResolveRule[]
  /** What holds for sites of the operator's own. */
  readonly sites?: readonly SiteRule[]
  readonly connectionsPerHost: number
  /** Hosts that may be asked at the same time. */
  readonly concurrency: number
  /** From the end of one answer to the next request on the same host, at least. */
  readonly delayMs: number
  readonly timeouts: {
    readonly connectMs: number
    readonly firstByteMs: number
    readonly totalMs: number
  }
  /** On the wire, and again once unpacked. */
  readonly maxBodyBytes: number
  /** Which documents are read, such as PDF, and what they may cost; none, if left out. */
  readonly documents?: DocumentOptions
  /** The operator's own fields of all pages. */
  readonly fields?: FieldSelectors
  /** Gives each outcome the request and answer it came from, and its robots.txt, for the WARC file. */
  readonly keepExchange?: boolean
  /** What earlier runs learnt about hosts' 304s; it learns on here. */
  readonly hostTrusts?: readonly HostTrust[]
  readonly clock: Clock
  /** Whether a connection for a host may be opened to an address now. */
  readonly mayConnect?: (host: string, address: string) => boolean
  /** For how many seconds a host is to rest after a request that took so long; without it, not at all. */
  readonly restAfter?: (host: string, ms: number) => number
  /** Told of every long answer that was read: there is garbage now, megabytes of it. */
  readonly onLongRead?: () => void
  /** Told of every request that is about to be sent, those for robots.txt included. */
  readonly onRequest?: (url: string) => void
}

const ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,text/plain;q=0.8,*/*;q=0.1'
/** Connections stay open this long without work, or a little longer than the delay. */
const IDLE_MS = 4_000
/** A host that wants to rest for longer is asked again, signed, when its next page is due. */
const MAX_SIGNED_REST_MS = 60_000

/** Asks the web for one thing at a time, and keeps to what is left of bytes and time. */
export class WebClient {
  readonly #options: WebClientOptions
  readonly #connections: Connections
  readonly #ledger: ByteLedger
  readonly #deadline: Deadline
  readonly #trust: ValidatorsTrust
  readonly #signer: RequestSigner | undefined
  readonly #secrets: SiteSecrets
  readonly #heavy: HeavyAnswers
  readonly #fields: SiteFields
  readonly #documents: DocumentReader | undefined
  readonly #mayBePage: WantsBody
  readonly #closed = new AbortController()

  constructor(
    options: WebClientOptions,
    { ledger, workers }: Pick<Bounds, 'ledger' | 'workers'>,
    deadline: Deadline,
    sites = new Sites(options.sites),
  ) {
    this.#options = options
    this.#ledger = ledger
    this.#heavy = new HeavyAnswers(workers, options.onLongRead)
    const { documents } = options
    this.#fields = new SiteFields(options.fields, sites)
    this.#documents = documents && new DocumentReader(documents)
    this.#mayBePage = (status, headers, url) => mayBePage(status, headers, url, documents?.formats)
    this.#deadline = deadline
    this.#trust = new ValidatorsTrust(options.hostTrusts)
    this.#signer = options.signing && new RequestSigner(options.signing)
    this.#connections = new Connections({
      ...options,
      connectionsTo: (host) => sites.ofHost(host)?.connections,
      connectMs: options.timeouts.connectMs,
      idleMs: Math.max(IDLE_MS, options.delayMs + 2_000),
      maxOrigins: Math.max(256, 4 * options.concurrency),
    })
    this.#secrets = new SiteSecrets(sites, (url) => this.#connections.isPrivateTo(url))
  }

  /** Room for an answer that may be long; to be given back when its outcome has been read. */
  place(): HeavyPlace {
    return this.#heavy.place()
  }

  /** One page of at most so many bytes, which are reserved, and what its answer means; if it is a sitemap, to those that name it too. */
  async getPage(
    { id, url, validators, renderCost }: FetchRequest,
    target: URL,
    granted: number,
    place: HeavyPlace,
    isNamedBy?: NamesSitemap,
  ): Promise<FetchOutcome> {
    const { clock, keepExchange, maxBodyBytes, agentToken } = this.#options
    const question = this.#trust.ask(target.host, validators, clock.now())
    const conditional = conditionalHeaders(question.validators)
    const startedAt = performance.now()
    const answer = await this.#get(
      target,
      granted,
      { 'accept-encoding': ACCEPT_ENCODING, ...conditional },
      this.#mayBePage,
      keepExchange ? clock : undefined,
      place,
    )
    const ms = performance.now() - startedAt - (answer.restedMs ?? 0)
    const attempt = { id, url, at: clock.now(), ms }
    const outcome =
      answer.kind === 'failure'
        ? readFailure(attempt, answer)
        : answer.truncated && granted < maxBodyBytes
          ? readFailure(attempt, { kind: 'failure', reason: OUT_OF_BYTES, sent: true })
          : await this.#read(attempt, answer, place, {
              agentToken,
              maxBodyBytes: granted,
              maxDecodedBytes: maxBodyBytes,
              conditional: Object.keys(conditional).length > 0,
              documents: this.#options.documents?.formats,
              fields: this.#fields.of(target),
              isNamedBy,
              keepSource: renderCost !== undefined,
            })
    this.#ledger.receive(granted, answer.bytes ?? 0)
    const explained = this.#secrets.explained(outcome, target)
    return believed(explained, question, validators, this.#trust, target.host)
  }

  /** Reads an answer, a long one in its turn. */
  async #read(
    attempt: Attempt,
    answer: HttpAnswer,
    place: HeavyPlace,
    options: ReadOptions,
  ): Promise<FetchOutcome> {
    const unpacked = unpackedAnswer(attempt, answer, options, LIGHT_BYTES)
    const body = this.#documents && documentIn(attempt, unpacked)
    const work = () => readAnswer(attempt, unpacked, options)
    if (!body && !unpacked.isLong) return work()
    const outcome = body
      ? await this.#readDocument(attempt, { ...unpacked, body }, place, options)
      : await this.#heavy.read(work, this.#deadline.signal)
    return outcome ?? readFailure(attempt, { kind: 'failure', reason: OUT_OF_TIME, sent: true })
  }

  async #readDocument(
    attempt: Attempt,
    answer: HttpAnswer,
    place: HeavyPlace,
    options: ReadOptions,
  ): Promise<FetchOutcome | undefined> {
    const { url } = attempt
    const { signal } = this.#deadline
    // Room for long answers is for those that are read soon.
    const leaveRoom = () => place[Symbol.dispose]()
    const document = await this.#documents!.read({ body: answer.body, url }, signal, leaveRoom)
    return document && readAnswer(attempt, { ...answer, document }, options)
  }

  /** One try to get a robots.txt; nothing when it was called off, which says nothing of the site. */
  async getRobots(url: URL): Promise<HttpAnswer | HttpFailure | undefined> {
    const { clock, keepExchange } = this.#options
    const granted = this.#ledger.reserve(ROBOTS_BYTES)
    const answer = await this.#get(
      url,
      granted,
      { 'accept-encoding': 'gzip' },
      isGood,
      keepExchange ? clock : undefined,
    )
    this.#ledger.receive(granted, answer.bytes ?? 0)
    const isHalf = answer.kind === 'answer' && answer.truncated && granted < ROBOTS_BYTES
    return isHalf || this.#closed.signal.aborted || this.#deadline.isPassed ? undefined : answer
  }

  /** What a page's scripts ask for, of at most so many bytes. Where it is cannot be told apart from a page: the same address guard holds. */
  getResource(
    url: URL,
    maxBytes: number,
    asking: Readonly<Record<string, string>>,
    end?: AbortSignal,
  ): Promise<HttpAnswer | HttpFailure> {
    const headers = { 'accept-encoding': ACCEPT_ENCODING, ...asking }
    return this.#get(url, maxBytes, headers, () => 'whole', undefined, undefined, end)
  }

  /** Reads something long when it is its turn; nothing when time is up. */
  readInTurn<T>(work: () => T): Promise<T | undefined> {
    return this.#heavy.read(work, this.#deadline.signal)
  }

  /** The operator's own fields of a page. */
  fieldsOf(target: URL): readonly FieldRule[] | undefined {
    return this.#fields.of(target)
  }

  /** What hosts' answers to conditional requests have shown. */
  hostTrusts(): HostTrust[] {
    return this.#trust.entries()
  }

  /** What somebody else has learnt of a host's 304s. */
  trustLike(trust: HostTrust): void {
    this.#trust.take(trust)
  }

  /** Whether a host (with its port, if any) is reached where a look-up says. */
  looksUp(host: string): boolean {
    return this.#connections.looksUp(new URL(`http://${host}/`))
  }

  /** The address at which a host would be reached now, if a look-up finds one. */
  locate(host: string): Promise<string | undefined> {
    return this.#connections.locate(new URL(`http://${host}/`))
  }

  /** Drops every connection; requests under way fail. */
  async close(): Promise<void> {
    this.#closed.abort()
    await Promise.all([this.#connections.close(), this.#documents?.close()])
  }

  async #get(
    url: URL,
    maxBodyBytes: number,
    asking: Readonly<Record<string, string>>,
    wantsBody: WantsBody,
    exchangeClock?: Clock,
    heavy?: HeavyPlace,
    end?: AbortSignal,
  ): Promise<HttpAnswer | HttpFailure> {
    const { userAgent, from } = this.#options
    const headers = {
      'user-agent': userAgent,
      ...(from !== undefined && { from }),
      accept: ACCEPT,
      ...asking,
    }
    const send = (bytes: number, signature?: Readonly<Record<string, string>>) =>
      this.#send(url, { ...headers, ...signature }, bytes, wantsBody, exchangeClock, heavy, end)
    const signer = this.#signer
    if (!signer) return send(maxBodyBytes)
    const request = { url, headers }
    const signature = signer.headersFor(request)
    const startedAt = performance.now()
    const answer = await send(maxBodyBytes, signature)
    if (answer.kind === 'failure' || !signer.hears(answer, request, signature)) return answer
    const restedMs = await this.#rest(url.host, performance.now() - startedAt, answer)
    if (restedMs === undefined) return answer
    const second = await send(maxBodyBytes - answer.bytes, signer.headersFor(request))
    return { ...second, bytes: (second.bytes ?? 0) + answer.bytes, restedMs }
  }

  /** Leaves a host alone for as long as it wants before it is asked once more; not if that is too long. */
  async #rest(host: string, ms: number, answer: HttpAnswer): Promise<number | undefined> {
    const restSeconds = this.#options.restAfter?.(host, ms) ?? 0
    const restMs = 1000 * Math.max(restSeconds, answer.retryAfterSeconds ?? 0)
    const signal = AbortSignal.any([this.#deadline.signal, this.#closed.signal])
    if (restMs > MAX_SIGNED_REST_MS) return undefined
    if (restMs > 0) await sleep(restMs, undefined, { signal }).catch(() => {})
    return signal.aborted ? undefined : restMs
  }

  async #send(
    url: URL,
    headers: Readonly<Record<string, string>>,
    maxBodyBytes: number,
    wantsBody: WantsBody,
    exchangeClock?: Clock,
    heavy?: HeavyPlace,
    end?: AbortSignal,
  ): Promise<HttpAnswer | HttpFailure> {
    const { onRequest, restAfter, timeouts } = this.#options
    const { isPassed, signal } = this.#deadline
    if (isPassed) return { kind: 'failure', reason: OUT_OF_TIME, sent: false }
    onRequest?.(url.href)
    const limits = {
      ...timeouts,
      maxBodyBytes,
      end: end ? AbortSignal.any([signal, end]) : signal,
      ...(heavy && { heavy }),
      retryRestMs: (ms: number) => 1000 * (restAfter?.(url.host, ms) ?? 0),
    }
    const connection = this.#connections.to(url)
    const secrets = this.#secrets.headersFor(url)
    return httpGet(connection, url, headers, limits, wantsBody, exchangeClock, secrets)
  }
}

function isGood(status: number): boolean {
  return status >= 200 && status < 300
}
