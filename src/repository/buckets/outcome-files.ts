import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { FetchEntry } from '#learn/entries/fetch-entry.ts'
import { readEntryFile, writeEntryFile } from '../log/entry-file.ts'
import { fetchFromStored, type StoredFetch, storedFetch } from '../log/stored-fetch.ts'

/** What was planned for a bucket when its fetches were sent. */
interface FetchedHead {
  readonly startedAt: number
  readonly planned: number
  readonly price?: number
}

/** What came for a bucket, in the order in which it came. */
interface FetchedOfBucket extends Partial<FetchedHead> {
  readonly fetches: readonly FetchEntry[]
}

export async function writeOutcomes(
  folder: string,
  bucket: number,
  head: FetchedHead,
  fetches: Iterable<FetchEntry>,
): Promise<void> {
  await writeEntryFile(pathIn(folder, bucket), head, stored(fetches))
}

function* stored(fetches: Iterable<FetchEntry>): Generator<StoredFetch> {
  for (const fetch of fetches) yield storedFetch(fetch)
}

export async function readOutcomes(folder: string, bucket: number): Promise<FetchedOfBucket> {
  const path = pathIn(folder, bucket)
  if (!existsSync(path)) return { fetches: [] }
  const [head, ...fetches] = (await Array.fromAsync(readEntryFile(path))) as [
    FetchedHead,
    ...StoredFetch[],
  ]
  return { ...head, fetches: fetches.map((fetch) => fetchFromStored(fetch)) }
}

function pathIn(folder: string, bucket: number): string {
  return join(folder, `bucket=${String(bucket).padStart(6, '0')}.jsonl.zst`)
}
