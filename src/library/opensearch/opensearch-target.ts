import { isShown, type PageRow } from '../push/page-row.ts'
import type { PatientOptions } from '../push/patient-request.ts'
import type { PushTarget } from '../push/push-target.ts'
import type { OpenSearchAddress } from '../settings/push-address.ts'
import { OpenSearchClient, type PageWrite } from './opensearch-client.ts'

/** Keeps an index of OpenSearch in step with the pages that searchers may see. */
export function openSearchTarget(
  address: OpenSearchAddress,
  options: Omit<PatientOptions, 'signal'> = {},
): PushTarget {
  const client = new OpenSearchClient(address, options)
  return {
    name: client.name,
    wantsTexts: true,
    deliver: (pages, signal) => client.write(pages.map(writeOf), signal),
  }
}

function writeOf(row: PageRow): PageWrite {
  const { url, host, since, title, text, language, content_at } = row
  const document = { url, host, title, text, language, fetched_at: content_at }
  return { url, version: Date.parse(since), ...(isShown(row) && { document }) }
}
