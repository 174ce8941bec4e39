import type { Exchange } from '#learn/entries/outcome.ts'
import { REVISIT_MIME } from '../cdxj.ts'
import { sha1Digest } from '../digest.ts'
import type { Capture } from '../last-captures.ts'
import {
  isContentEncoded,
  mimeOf,
  statusOf,
  storedRequestHead,
  storedResponseHead,
} from '../read/stored-heads.ts'
import { warcDate } from '../warc-files.ts'
import { RecordPacker } from './record-packer.ts'

export interface WarcInfo {
  /** Name and version. */
  readonly software: string
  /** How to reach those who crawl, as the requests say (`From`, or a URL). */
  readonly contact?: string
  readonly userAgent?: string
  /** How robots.txt is treated: `classic` if it is obeyed, else `ignore`. */
  readonly robots?: string
}

/** What the crawl knows of a fetch besides the bytes; goes into its `metadata` record. */
export interface CaptureFacts {
  readonly url: string
  /** It was given, not found. */
  readonly isSeed?: boolean
  readonly purpose?: string
  readonly gain?: number
  readonly fetchTimeMs?: number
  /** The page as its scripts have made it, and when that was. */
  readonly dom?: Uint8Array
  readonly at?: number
}

const HTTP_RESPONSE = 'application/http; msgtype=response'
const HTTP_REQUEST = 'application/http; msgtype=request'
const WARC_FIELDS = 'application/warc-fields'
const RENDERED = 'text/html; charset=utf-8'
const SPECIFICATION =
  'http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/'
const PROFILES = 'http://netpreserve.org/warc/1.1/revisit/'

/** An exchange as it is kept: its URL, and the `warcinfo` record that begins its file. */
interface Kept {
  readonly url: string
  readonly exchange: Exchange
  readonly warcinfoId: string
}

/** Makes records of WARC/1.1, every one a gzip member of its own; where they go is none of its business. */
export class WarcRecords {
  readonly #packer = new RecordPacker()
  readonly #newId: () => string

  /** Ids are uuids. */
  constructor(newId: () => string) {
    this.#newId = newId
  }

  /** What a file begins with. */
  warcinfo(info: WarcInfo, file: string, at: number): { id: string; member: Buffer } {
    const id = this.#newId()
    const fields = [
      ['WARC-Type', 'warcinfo'],
      ['WARC-Record-ID', urn(id)],
      ['WARC-Date', warcDate(at)],
      ['WARC-Filename', file],
      ['Content-Type', WARC_FIELDS],
    ] as const
    const member = this.#packer.pack(
      fields,
      warcFields({
        software: info.software,
        format: 'WARC File Format 1.1',
        conformsTo: SPECIFICATION,
        'http-header-from': info.contact,
        'http-header-user-agent': info.userAgent,
        robots: info.robots,
      }),
    )
    return { id, member }
  }

  /** The response, or a revisit if it says no more than the original does. */
  capture(kept: Kept, original: Capture | undefined) {
    const { exchange } = kept
    const { body, truncated, ip } = exchange
    const { text: head, protocol } = storedResponseHead(exchange.responseHead, body.length)
    const status = statusOf(head)
    const ownDigest = sha1Digest(body)
    const revisit = revisitOf(exchange, status, ownDigest, original)
    const digest = revisit?.original.digest ?? ownDigest
    const id = this.#newId()
    const member = this.#packer.pack(
      [
        ['WARC-Type', revisit ? 'revisit' : 'response'],
        ...sharedFields(kept, id),
        ['WARC-IP-Address', ip],
        ['WARC-Protocol', protocol],
        ['WARC-Payload-Digest', digest],
        ['WARC-Truncated', truncated],
        ['WARC-Profile', revisit && PROFILES + revisit.profile],
        ['WARC-Refers-To', revisit && urn(revisit.original.id)],
        ['WARC-Refers-To-Target-URI', revisit && kept.url],
        ['WARC-Refers-To-Date', revisit && warcDate(revisit.original.at)],
        ['Content-Type', HTTP_RESPONSE],
      ],
      head,
      revisit ? undefined : body,
      isContentEncoded(head),
    )
    return { member, id, digest, status, mime: revisit ? REVISIT_MIME : (mimeOf(head) ?? 'unk') }
  }

  /** What stands behind a response: the request that brought it, what scripts made of it, what the crawl knows. */
  beside(kept: Kept, responseId: string, facts: CaptureFacts): Buffer[] {
    return [
      this.#request(kept, responseId),
      ...this.#conversion(kept, responseId, facts),
      ...this.#metadata(kept, responseId, facts),
    ]
  }

  #request(kept: Kept, responseId: string): Buffer {
    const { requestHead, ip } = kept.exchange
    const { text: head, protocol } = storedRequestHead(requestHead)
    return this.#packer.pack(
      [
        ['WARC-Type', 'request'],
        ...sharedFields(kept, this.#newId()),
        ['WARC-Concurrent-To', urn(responseId)],
        ['WARC-IP-Address', ip],
        ['WARC-Protocol', protocol],
        ['Content-Type', HTTP_REQUEST],
      ],
      head,
    )
  }

  /** No record if no script ran. */
  #conversion(kept: Kept, responseId: string, { dom, at }: CaptureFacts): Buffer[] {
    if (!dom) return []
    const fields = [
      ['WARC-Type', 'conversion'],
      ['WARC-Record-ID', urn(this.#newId())],
      ['WARC-Date', warcDate(at ?? kept.exchange.startedAt)],
      ['WARC-Target-URI', kept.url],
      ['WARC-Warcinfo-ID', urn(kept.warcinfoId)],
      ['WARC-Refers-To', urn(responseId)],
      ['Content-Type', RENDERED],
    ] as const
    return [this.#packer.pack(fields, '', dom)]
  }

  /** No record if nothing is known. */
  #metadata(kept: Kept, responseId: string, facts: CaptureFacts): Buffer[] {
    const { isSeed, purpose, gain, fetchTimeMs } = facts
    const text = warcFields({
      seed: isSeed ? kept.url : undefined,
      fetchTimeMs: fetchTimeMs === undefined ? undefined : String(Math.round(fetchTimeMs)),
      purpose,
      predictedGain: gain === undefined ? undefined : String(gain),
    })
    if (text === '') return []
    const fields = [
      ['WARC-Type', 'metadata'],
      ...sharedFields(kept, this.#newId()),
      ['WARC-Concurrent-To', urn(responseId)],
      ['Content-Type', WARC_FIELDS],
    ] as const
    return [this.#packer.pack(fields, text)]
  }
}

function sharedFields({ url, exchange, warcinfoId }: Kept, id: string) {
  return [
    ['WARC-Record-ID', urn(id)],
    ['WARC-Date', warcDate(exchange.startedAt)],
    ['WARC-Target-URI', url],
    ['WARC-Warcinfo-ID', urn(warcinfoId)],
  ] as const
}

interface Revisit {
  readonly profile: 'identical-payload-digest' | 'server-not-modified'
  readonly original: Capture
}

/** Whether an answer says no more than an earlier one that is on file. */
function revisitOf(
  { body, truncated }: Exchange,
  status: number,
  digest: string,
  original: Capture | undefined,
): Revisit | undefined {
  if (!original) return undefined
  if (status === 304) return { profile: 'server-not-modified', original }
  if (truncated || body.length === 0 || digest !== original.digest) return undefined
  return { profile: 'identical-payload-digest', original }
}

const urn = (id: string): string => `<urn:uuid:${id}>`

/** Lines `name: value` of the fields that have a value. */
function warcFields(fields: Readonly<Record<string, string | undefined>>): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${value!.replace(/[\r\n]+/g, ' ')}\r\n`)
    .join('')
}
