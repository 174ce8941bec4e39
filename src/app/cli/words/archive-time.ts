import type { OpenCrawl } from '#library/open/open-crawl.ts'
import { momentText } from '../../text/age.ts'
import type { Output } from '../terminal/output.ts'

/** Tells people which time it is, where it is not theirs. */
export function noteArchiveTime(
  { now, isArchiveTime }: Pick<OpenCrawl, 'now' | 'isArchiveTime'>,
  output: Pick<Output, 'note'>,
): void {
  if (isArchiveTime)
    output.note(`an archive was crawled here, so the time is its own: ${momentText(now)}`)
}
