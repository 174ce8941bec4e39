import { statSync } from 'node:fs'
import { basename } from 'node:path'
import { cdxjLine } from '../cdxj.ts'
import { sha1Digest } from '../digest.ts'
import { entryOf, INDEXED } from '../index-warc.ts'
import { readHttpMessage } from '../read/http-message.ts'
import { readWarc, type WarcRecord } from '../read/warc-reader.ts'

/** A response or revisit that is whole. */
interface WholeAnswer {
  /** Its line in the index, without line end. */
  readonly line: string
  /** The uuid of its record. */
  readonly id: string
}

/** Bytes [from, to) that hold no whole record. */
export interface WarcGap {
  readonly from: number
  readonly to: number
  readonly reason: string
  /** It is the end of the file, as a kill leaves it. */
  readonly isTail: boolean
  /** The URL of the last whole answer before it. */
  readonly after?: string
}

export interface InspectedWarc {
  readonly size: number
  /** By offset. */
  readonly answers: Map<number, WholeAnswer>
  readonly gaps: readonly WarcGap[]
  /** The last whole record, and the offset of the last whole answer. */
  readonly last: { readonly type?: string; readonly answer?: number }
}

/**
 * Reads every record of a WARC file: gzip's checksums and the digests must agree. Of a gzip header only the time, level
 * and system are not covered, which nobody reads: any other change makes the member unreadable.
 */
export async function inspectWarc(path: string): Promise<InspectedWarc> {
  const { size } = statSync(path)
  const answers = new Map<number, WholeAnswer>()
  const gaps: WarcGap[] = []
  let open: Omit<WarcGap, 'to'> | undefined
  let type: string | undefined
  let answer: number | undefined
  let url: string | undefined
  const onDamage = (damage: { offset: number; reason: string; isTail: boolean }) => {
    const { offset: from, reason, isTail } = damage
    open ??= { from, reason, isTail, after: url }
  }
  for await (const record of readWarc(path, { onDamage })) {
    const { offset } = record
    if (open) gaps.push({ ...open, to: offset, isTail: false })
    open = undefined
    const reason = digestProblem(record)
    if (reason !== undefined) {
      onDamage({ offset, reason, isTail: false })
      continue
    }
    type = record.type
    const entry = INDEXED.has(type) ? entryOf(record, basename(path)) : undefined
    if (!entry) continue
    answers.set(offset, { line: cdxjLine(entry).trimEnd(), id: entry.record })
    answer = offset
    url = entry.url
  }
  if (open) gaps.push({ ...open, to: size })
  return { size, answers, gaps, last: { type, answer } }
}

function digestProblem({ type, fields, block, blockBytes }: WarcRecord): string | undefined {
  if (block.length < blockBytes) return undefined // too long to be held; its checksum was compared
  const blockDigest = fields.get('warc-block-digest')
  if (blockDigest?.startsWith('sha1:') && blockDigest !== sha1Digest(block))
    return 'its block has another digest'
  const payloadDigest = fields.get('warc-payload-digest')
  const http = type === 'response' ? readHttpMessage(block) : undefined
  if (http && payloadDigest?.startsWith('sha1:') && payloadDigest !== sha1Digest(http.body))
    return 'its payload has another digest'
  return undefined
}
