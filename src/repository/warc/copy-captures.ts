import { closeSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { SettingError } from '#errors/setting-error.ts'
import { INDEXED } from './index-warc.ts'
import { readWarc, type WarcRecord } from './read/warc-reader.ts'
import { placeOf, type RecordPlace } from './stored-answer.ts'

/** What follows a response or revisit and belongs to it. */
export const BESIDE: ReadonlySet<string> = new Set(['request', 'conversion', 'metadata'])

/** An exchange as it lies in a WARC file, byte for byte. */
interface StoredCapture {
  readonly bytes: Buffer
  /** The uuid of the response that has the body, if this one is a revisit. */
  readonly original?: string
}

/**
 * The records of an exchange, and of the one that has its body if it is a revisit. None if any is damaged or missing. Where
 * originals lie is remembered in `copied`, so that each is there once.
 */
export async function copiesOf(
  folder: string,
  place: RecordPlace,
  copied: Set<string>,
): Promise<readonly Buffer[] | undefined> {
  if (copied.has(keyOf(place))) return []
  const capture = await captureAt(folder, place)
  if (!capture) return undefined
  const { original } = capture
  const from = original === undefined ? undefined : await placeOf(folder, original)
  const before = from ? await copiesOf(folder, from, copied) : []
  if (!before || (original !== undefined && !from)) return undefined
  copied.add(keyOf(place))
  return [...before, capture.bytes]
}

/** A response or revisit with what belongs to it: the request, conversion and metadata behind it. */
async function captureAt(folder: string, place: RecordPlace): Promise<StoredCapture | undefined> {
  const path = join(folder, place.file)
  let first: WarcRecord | undefined
  let end = place.offset
  let isDamaged = false
  const onDamage = () => {
    isDamaged = true
  }
  try {
    for await (const record of readWarc(path, { from: end, blocksOf: new Set(), onDamage })) {
      const belongs = first ? BESIDE.has(record.type) : INDEXED.has(record.type)
      if (!belongs || record.offset !== end || record.length === 0) break
      first ??= record
      end += record.length
    }
  } catch (error) {
    if (!(error instanceof SettingError)) throw error // no such file, or no record there
  }
  if (!first || isDamaged) return undefined
  const original = first.type === 'revisit' ? (first.fields.get('warc-refers-to') ?? '') : undefined
  return { bytes: bytesOf(path, place.offset, end), original: original?.replace(/^urn:uuid:/, '') }
}

function bytesOf(path: string, start: number, end: number): Buffer {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.allocUnsafe(end - start)
    let read = 0
    while (read < bytes.length) {
      const some = readSync(file, bytes, read, bytes.length - read, start + read)
      if (some === 0) throw new Error(`${path} became shorter while it was read`)
      read += some
    }
    return bytes
  } finally {
    closeSync(file)
  }
}

function keyOf({ file, offset }: RecordPlace): string {
  return `${file} ${offset}`
}
