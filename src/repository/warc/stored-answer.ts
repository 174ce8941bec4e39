import { join } from 'node:path'
import { SettingError } from '#errors/setting-error.ts'
import { readCdxjLine } from './cdxj.ts'
import { type HttpMessage, readHttpMessage } from './read/http-message.ts'
import { readWarc, type WarcRecord } from './read/warc-reader.ts'
import { INDEX_FILE } from './recover-warcs.ts'
import { forEachCdxjLine } from './sort-cdxj.ts'

/** Where a record lies in a folder of WARC files. */
export interface RecordPlace {
  readonly file: string
  readonly offset: number
}

/** An answer as it was kept. */
interface StoredAnswer extends HttpMessage {
  /** The body was longer than what was kept of it. */
  readonly isCut: boolean
}

/**
 * The answer that a record holds; a revisit gets its body from the record it refers to. Undefined if the file, or
 * either record, is damaged or missing.
 */
export async function storedAnswer(
  folder: string,
  place: RecordPlace,
): Promise<StoredAnswer | undefined> {
  const record = await recordAt(folder, place)
  const answer = record && readHttpMessage(record.block)
  if (record?.type === 'response') return answer && { ...answer, isCut: isCut(record) }
  const id = record?.fields.get('warc-refers-to')?.replace(/^urn:uuid:/, '')
  const original = record?.type === 'revisit' && id && (await placeOf(folder, id))
  if (!original || !answer) return undefined
  const response = await recordAt(folder, original)
  const whole = response?.type === 'response' ? readHttpMessage(response.block) : undefined
  return whole && response && { ...answer, body: whole.body, isCut: isCut(response) }
}

function isCut({ fields }: WarcRecord): boolean {
  return fields.get('warc-truncated') === 'length'
}

async function recordAt(
  folder: string,
  { file, offset }: RecordPlace,
): Promise<WarcRecord | undefined> {
  let isDamaged = false
  const onDamage = () => {
    isDamaged = true
  }
  try {
    for await (const record of readWarc(join(folder, file), { from: offset, onDamage }))
      return !isDamaged && record.offset === offset ? record : undefined
  } catch (error) {
    if (!(error instanceof SettingError)) throw error // no such file, or no record there
  }
  return undefined
}

/** Few pages changed without their bytes changing, so the index is read anew for each of them. */
export async function placeOf(folder: string, id: string): Promise<RecordPlace | undefined> {
  let place: RecordPlace | undefined
  await forEachCdxjLine(join(folder, INDEX_FILE), (line) => {
    if (!line.includes(id)) return
    const entry = readCdxjLine(line)
    if (entry?.record === id) place = { file: entry.filename, offset: entry.offset }
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  return place
}
