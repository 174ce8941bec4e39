import { join } from 'node:path'
import { SettingError } from '#errors/setting-error.ts'
import { BESIDE } from './copy-captures.ts'
import { readWarc } from './read/warc-reader.ts'
import type { RecordPlace } from './stored-answer.ts'

/** What scripts had made of an answer, if that was kept beside it. */
export async function storedConversion(
  folder: string,
  { file, offset }: RecordPlace,
): Promise<Uint8Array | undefined> {
  try {
    for await (const record of readWarc(join(folder, file), { from: offset, onDamage: () => {} })) {
      if (record.type === 'conversion') return record.block
      if (record.offset !== offset && !BESIDE.has(record.type)) return undefined
    }
  } catch (error) {
    if (!(error instanceof SettingError)) throw error // no such file, or no record there
  }
  return undefined
}
