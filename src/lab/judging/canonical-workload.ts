import { canonicalUrl } from '#parse/url/canonical-url.ts'
import type { Workload } from '#workload/workload.ts'

/** The workload with its URLs in canonical form, as crawls know them. */
export function canonicalWorkload(workload: Workload): Workload {
  const canonical = <T extends { readonly url: string }>(item: T): T => {
    const url = canonicalUrl(item.url)
    return url === undefined || url === item.url ? item : { ...item, url }
  }
  return {
    queries: workload.queries,
    judgments: workload.judgments.map(canonical),
    clicks: workload.clicks.map(canonical),
  }
}
