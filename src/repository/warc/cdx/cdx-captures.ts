import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { type CdxjEntry, readCdxjLine } from '../cdxj.ts'

/** What the lab reads; other bodies need not be fetched. */
const PAGE_TYPE = /^(?:text\/(?:html|plain)|application\/xhtml\+xml|unk|warc\/revisit)$/

/** Which captures of an index are wanted. */
interface WantedCaptures {
  readonly isWanted: (url: URL) => boolean
  readonly most: number
}

/**
 * The captures that index files list, in their order: CDXJ, as Common Crawl and pywb write it, plain or gzipped. Pages are
 * chosen, and answers without a body.
 */
export async function* cdxCaptures(
  files: readonly string[],
  { isWanted, most }: WantedCaptures,
): AsyncGenerator<CdxjEntry> {
  let found = 0
  for (const file of files)
    for await (const line of linesOf(file)) {
      if (found >= most) return
      const entry = readCdxjLine(asCdxj(line))
      const url = entry && URL.parse(entry.url)
      if (!url || !isWanted(url) || !mayBePage(entry)) continue
      found++
      yield entry
    }
}

/** Index servers answer with the JSON alone, key and time in it. */
function asCdxj(line: string): string {
  const time = line.startsWith('{') ? /"timestamp": *"(\d{14})"/.exec(line)?.[1] : undefined
  return time === undefined ? line : `- ${time} ${line}`
}

function mayBePage({ status, mime }: CdxjEntry): boolean {
  return status !== 200 || PAGE_TYPE.test(mime ?? 'unk')
}

function linesOf(file: string): AsyncIterable<string> {
  const bytes = createReadStream(file)
  const input = file.endsWith('.gz') ? bytes.pipe(createGunzip()) : bytes
  bytes.on('error', (error) => input.destroy(error))
  return createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })
}
