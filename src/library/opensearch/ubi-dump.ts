import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { folderUntilExit } from '../open/folder-until-exit.ts'
import type { PatientOptions } from '../push/patient-request.ts'
import { openSearchAddress } from '../settings/push-address.ts'
import { OpenSearchClient } from './opensearch-client.ts'

/** The index with queries, as UBI's plugins call it; the one beside it has what people did. */
const QUERIES = 'ubi_queries'
const EVENTS = 'ubi_events'

/**
 * Files with query logs, where some may be addresses as in `opensearch://127.0.0.1:9200/ubi_queries`: what its UBI indices hold
 * comes as a file that is gone when the program ends.
 */
export function asLogFiles(names: readonly string[], options?: PatientOptions): Promise<string[]> {
  return Promise.all(
    names.map(async (name, i) => {
      const address = openSearchAddress(name)
      if (!address) return name
      const file = join(folderUntilExit('forager-ubi-'), `${i}.jsonl`)
      const client = new OpenSearchClient(address, options)
      const { index } = address
      const indices = [index, index.replace(QUERIES, EVENTS)]
      await pipeline(Readable.from(linesOf(client, [...new Set(indices)])), createWriteStream(file))
      return file
    }),
  )
}

async function* linesOf(client: OpenSearchClient, indices: readonly string[]) {
  for (const index of indices)
    for await (const { _source } of client.scroll(index)) yield `${JSON.stringify(_source)}\n`
}
