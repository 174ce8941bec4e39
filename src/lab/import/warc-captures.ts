import type { WarcRecord } from '#repository/warc/read/warc-reader.ts'
import { type Capture, captureOf } from './capture.ts'

/**
 * What the records of a WARC file tell, one after the other. Where a robots.txt redirected to is no page that
 * anybody crawled: the metadata behind such an answer says so, and until then the answer is held back.
 */
export class WarcCaptures {
  #held: { readonly id: string | undefined; readonly capture: Capture } | undefined

  /** The captures that are sure with this record. */
  take(record: WarcRecord): Capture[] {
    const capture = captureOf(record)
    if (record.type === 'metadata') {
      if (isForRobots(record)) this.#drop(record.fields.get('warc-concurrent-to'))
      return capture ? [capture] : []
    }
    if (capture === undefined) return []
    const before = this.end()
    this.#held = { id: record.fields.get('warc-record-id'), capture }
    return before
  }

  /** What is left when there are no more records. */
  end(): Capture[] {
    const held = this.#held
    this.#held = undefined
    return held ? [held.capture] : []
  }

  #drop(id: string | undefined): void {
    const held = this.#held
    if (held && held.id === id && held.capture.kind !== 'robots') this.#held = undefined
  }
}

/** As our own crawls write it. */
function isForRobots({ block }: WarcRecord): boolean {
  return /^purpose:[ \t]*robots\r?$/im.test(block.toString('latin1', 0, 4096))
}
