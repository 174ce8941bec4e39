import { randomUUID } from 'node:crypto'
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Exchange } from '#crawl/outcome.ts'
import { AppendedFile } from './appended-file.ts'
import { type CdxjEntry, cdxjLine, REVISIT_MIME } from './cdxj.ts'
import { sha1Digest } from './digest.ts'
import type { Capture, LastCaptures } from './last-captures.ts'
import { RecordPacker } from './record-packer.ts'
import { INDEX_FILE, type OpenedWarcs, remember, repairWarcs } from './repair.ts'
import { sortCdxj } from './sort-cdxj.ts'
import {
  isContentEncoded,
  mimeOf,
  statusOf,
  storedRequestHead,
  storedResponseHead,
} from './stored-heads.ts'
import { warcDate, warcFileName, warcFilesIn } from './warc-files.ts'

export interface WarcOptions {
  /** First part of every file name. */
  readonly prefix?: string
  /** A file that has reached this size is followed by a new one. */
  readonly rolloverBytes?: number
  readonly gzipLevel?: number
  /** What the `warcinfo` record says of the crawl. */
  readonly info: WarcInfo
  /** Seconds since 1970. */
  readonly now?: () => number
  /** Uuids. */
  readonly newId?: () => string
}

export interface WarcInfo {
  /** Name and version. */
  readonly software: string
  readonly operator?: string
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
  /** Where its URL was found. */
  readonly via?: string
  readonly purpose?: string
  readonly gain?: number
  readonly fetchTimeMs?: number
}

/** Where the response or revisit record of an exchange lies; `file` is a name in the folder. */
export interface WarcPlace {
  readonly file: string
  readonly offset: number
  readonly length: number
}

const ROLLOVER_BYTES = 1e9
const HTTP_RESPONSE = 'application/http; msgtype=response'
const HTTP_REQUEST = 'application/http; msgtype=request'
const WARC_FIELDS = 'application/warc-fields'
const SPECIFICATION =
  'http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/'
const PROFILES = 'http://netpreserve.org/warc/1.1/revisit/'

/**
 * Writes exchanges as WARC/1.1, every record a gzip member of its own. All records of an exchange are
 * handed to the operating system in one piece before `append` returns: a kill loses at most the one
 * being written, and the next `open` cuts off what is left of it. A file is never renamed, and is
 * valid up to its last whole record at any moment.
 */
export class WarcWriter {
  /** What opening the folder had to repair. */
  readonly opened: OpenedWarcs
  readonly #dir: string
  readonly #prefix: string
  readonly #options: WarcOptions
  readonly #packer: RecordPacker
  readonly #captures: LastCaptures
  readonly #newId: () => string
  #index: AppendedFile | undefined
  #file: AppendedFile | undefined
  #name: string
  #serial: number
  #warcinfoId = ''

  private constructor(dir: string, options: WarcOptions, opened: OpenedWarcs) {
    this.opened = opened
    this.#dir = dir
    this.#options = options
    this.#prefix = options.prefix ?? 'forager'
    this.#packer = new RecordPacker(options.gzipLevel ?? 1)
    this.#captures = opened.captures
    this.#newId = options.newId ?? randomUUID
    const newest = warcFilesIn(dir, this.#prefix).at(-1)
    this.#serial = newest?.serial ?? 0
    this.#name = newest && !this.#isFull(newest.name) ? newest.name : ''
  }

  /** Opens or makes a folder of WARC files and repairs what a kill left there. */
  static async open(dir: string, options: WarcOptions): Promise<WarcWriter> {
    mkdirSync(dir, { recursive: true })
    const opened = await repairWarcs(dir, options.prefix ?? 'forager')
    return new WarcWriter(dir, options, opened)
  }

  /** Keeps an exchange; on return it outlives the process. Throws, and keeps nothing, on a full disk. */
  append(exchange: Exchange, facts: CaptureFacts): WarcPlace {
    const opening = this.#openFile()
    const file = this.#file!
    const url = facts.url.replace(/[\0-\x20\x7f]/g, encodeURIComponent)
    const capture = this.#packCapture(url, exchange)
    const { member, id, digest, mime, status } = capture
    const more = [
      this.#packRequest(url, exchange, id),
      ...this.#packMetadata(url, exchange, id, facts),
    ]
    const offset = file.size + opening.reduce((sum, part) => sum + part.length, 0)
    try {
      file.append([...opening, member, ...more])
    } catch (error) {
      this.#warcinfoId = '' // it may have been part of what was taken back
      throw error
    }
    const entry: CdxjEntry = {
      url,
      at: Math.floor(exchange.startedAt),
      mime,
      status,
      digest,
      offset,
      length: member.length,
      filename: this.#name,
      record: id,
      truncated: exchange.truncated,
    }
    remember(entry, this.#captures)
    this.#index ??= new AppendedFile(join(this.#dir, INDEX_FILE))
    this.#index.append([Buffer.from(cdxjLine(entry))])
    return { file: this.#name, offset, length: member.length }
  }

  /** Closes the files and sorts the index. */
  async close(): Promise<void> {
    this.#file?.close()
    this.#file = undefined
    this.#name = ''
    if (!this.#index) return
    this.#index.close()
    this.#index = undefined
    await sortCdxj(join(this.#dir, INDEX_FILE))
  }

  /** Makes sure that a file is open; gives the record that is still to be written before all others. */
  #openFile(): Buffer[] {
    if (this.#file && this.#file.size >= this.#rolloverBytes) {
      this.#file.close()
      this.#file = undefined
      this.#name = ''
    }
    if (this.#file) return this.#warcinfoId === '' ? [this.#packWarcinfo()] : []
    if (this.#name === '') this.#name = warcFileName(this.#prefix, this.#now(), ++this.#serial)
    this.#file = new AppendedFile(join(this.#dir, this.#name))
    return [this.#packWarcinfo()]
  }

  get #rolloverBytes(): number {
    return this.#options.rolloverBytes ?? ROLLOVER_BYTES
  }

  #isFull(name: string): boolean {
    return statSync(join(this.#dir, name)).size >= this.#rolloverBytes
  }

  #now(): number {
    return this.#options.now?.() ?? Date.now() / 1000
  }

  #packWarcinfo(): Buffer {
    const { info } = this.#options
    this.#warcinfoId = this.#newId()
    const fields = [
      ['WARC-Type', 'warcinfo'],
      ['WARC-Record-ID', urn(this.#warcinfoId)],
      ['WARC-Date', warcDate(this.#now())],
      ['WARC-Filename', this.#name],
      ['Content-Type', WARC_FIELDS],
    ] as const
    return this.#packer.pack(
      fields,
      warcFields({
        software: info.software,
        format: 'WARC File Format 1.1',
        conformsTo: SPECIFICATION,
        operator: info.operator,
        'http-header-from': info.contact,
        'http-header-user-agent': info.userAgent,
        robots: info.robots,
      }),
    )
  }

  #packCapture(url: string, exchange: Exchange) {
    const { body, truncated, startedAt, ip } = exchange
    const { text: head, protocol } = storedResponseHead(exchange.responseHead, body.length)
    const status = statusOf(head)
    const ownDigest = sha1Digest(body)
    const revisit = revisitOf(exchange, status, ownDigest, this.#captures.get(url))
    const digest = revisit?.original.digest ?? ownDigest
    const id = this.#newId()
    const member = this.#packer.pack(
      [
        ['WARC-Type', revisit ? 'revisit' : 'response'],
        ...this.#sharedFields(url, startedAt, id),
        ['WARC-IP-Address', ip],
        ['WARC-Protocol', protocol],
        ['WARC-Payload-Digest', digest],
        ['WARC-Truncated', truncated],
        ['WARC-Profile', revisit && PROFILES + revisit.profile],
        ['WARC-Refers-To', revisit && urn(revisit.original.id)],
        ['WARC-Refers-To-Target-URI', revisit && url],
        ['WARC-Refers-To-Date', revisit && warcDate(revisit.original.at)],
        ['Content-Type', HTTP_RESPONSE],
      ],
      head,
      revisit ? undefined : body,
      isContentEncoded(head),
    )
    return { member, id, digest, status, mime: revisit ? REVISIT_MIME : (mimeOf(head) ?? 'unk') }
  }

  #packRequest(url: string, { requestHead, startedAt, ip }: Exchange, responseId: string): Buffer {
    const { text: head, protocol } = storedRequestHead(requestHead)
    return this.#packer.pack(
      [
        ['WARC-Type', 'request'],
        ...this.#sharedFields(url, startedAt, this.#newId()),
        ['WARC-Concurrent-To', urn(responseId)],
        ['WARC-IP-Address', ip],
        ['WARC-Protocol', protocol],
        ['Content-Type', HTTP_REQUEST],
      ],
      head,
    )
  }

  #packMetadata(
    url: string,
    { startedAt }: Exchange,
    responseId: string,
    { isSeed, via, purpose, gain, fetchTimeMs }: CaptureFacts,
  ): Buffer[] {
    const text = warcFields({
      seed: isSeed ? url : undefined,
      via,
      fetchTimeMs: fetchTimeMs === undefined ? undefined : String(Math.round(fetchTimeMs)),
      purpose,
      predictedGain: gain === undefined ? undefined : String(gain),
    })
    if (text === '') return []
    const fields = [
      ['WARC-Type', 'metadata'],
      ...this.#sharedFields(url, startedAt, this.#newId()),
      ['WARC-Concurrent-To', urn(responseId)],
      ['Content-Type', WARC_FIELDS],
    ] as const
    return [this.#packer.pack(fields, text)]
  }

  #sharedFields(url: string, at: number, id: string) {
    return [
      ['WARC-Record-ID', urn(id)],
      ['WARC-Date', warcDate(at)],
      ['WARC-Target-URI', url],
      ['WARC-Warcinfo-ID', urn(this.#warcinfoId)],
    ] as const
  }
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
