import type { ExplainedInBucket } from '#library/buckets/look.ts'
import { momentText } from '../../text/age.ts'
import { said } from '../../text/said.ts'
import { shortNumber, some } from '../terminal/output.ts'

/** What a crawl in buckets knows of a URL, in lines. */
export function inBucketText(found: ExplainedInBucket): string {
  const { url, known, bucket, epoch } = found
  if (!known) return `${url}\nnot known; it would be in bucket ${bucket}`
  const { firstSeen = 0, source, foundBy, depth, fetches = 0, lastOutcome, lastFetchedAt } = found
  const { linksFromHere = 0, linksFromElsewhere = 0, drafted, bid, cut } = found
  return said(
    url,
    `in bucket ${bucket}, as of epoch ${epoch}`,
    `found ${momentText(firstSeen)} as ${source}${foundBy ? ` on ${foundBy}` : ''}, ${some(depth ?? 0, 'link')} from a seed`,
    `linked to by ${some(linksFromHere, 'page')} of its bucket and ${linksFromElsewhere} of others`,
    fetches > 0 &&
      `fetched ${some(fetches, 'time')}, last ${momentText(lastFetchedAt ?? 0)}: ${lastOutcome}`,
    drafted === undefined && 'no candidate in this epoch',
    drafted !== undefined &&
      bid === undefined &&
      'a candidate without a bid: its quotas are full, or others of its bucket are better',
    bid !== undefined &&
      `bids ${shortNumber(bid)}${cut === undefined ? '' : `; the last fetch that the epoch affords bids ${shortNumber(cut)}`}`,
  ).join('\n')
}
