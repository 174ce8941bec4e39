import type { SegmentStore } from '#crawl/segments/segment-store.ts'
import { folderSegments } from './folder-segments.ts'
import { s3Place, s3Segments } from './s3-segments.ts'

/** The store that a folder or an `s3://` address names. */
export function openSegments(place: string): Promise<SegmentStore> {
  const s3 = s3Place(place)
  return s3 ? s3Segments(s3) : folderSegments(place)
}
