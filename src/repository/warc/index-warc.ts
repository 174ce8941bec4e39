import { basename } from 'node:path'
import { type CdxjEntry, REVISIT_MIME } from './cdxj.ts'
import { readHttpMessage } from './read/http-message.ts'
import { mimeOf } from './read/stored-heads.ts'
import { type ReadWarcOptions, readWarc, type WarcRecord } from './read/warc-reader.ts'
import { secondsOf } from './warc-files.ts'

export const INDEXED: ReadonlySet<string> = new Set(['response', 'revisit'])
/** An index needs heads only. */
const HEAD_BYTES = 1 << 18

/** The index entries of a WARC file's responses and revisits, in order, from a record's offset on. */
export async function* indexWarc(
  path: string,
  options: Pick<ReadWarcOptions, 'from' | 'onDamage'> = {},
): AsyncGenerator<CdxjEntry> {
  const filename = basename(path)
  for await (const record of readWarc(path, {
    ...options,
    blocksOf: INDEXED,
    maxBlockBytes: HEAD_BYTES,
  })) {
    const entry = INDEXED.has(record.type) ? entryOf(record, filename) : undefined
    if (entry) yield entry
  }
}

/** What the index says of a response or revisit; undefined if that is too little. */
export function entryOf(record: WarcRecord, filename: string): CdxjEntry | undefined {
  const { fields, offset, length, type } = record
  const url = fields.get('warc-target-uri')
  const at = secondsOf(fields.get('warc-date') ?? '')
  if (url === undefined || at === undefined) return undefined
  const http = readHttpMessage(record.block)
  return {
    url,
    at: Math.floor(at),
    mime: type === 'revisit' ? REVISIT_MIME : (mimeOf(http?.head ?? '') ?? 'unk'),
    status: http?.status ?? 0,
    digest: fields.get('warc-payload-digest') ?? '-',
    length,
    offset,
    filename,
    record: (fields.get('warc-record-id') ?? '').replace(/^urn:uuid:/, ''),
    truncated: fields.get('warc-truncated'),
  }
}
