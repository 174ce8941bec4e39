/** What workers hand to the planner, as files: `NAME.jsonl.gz` with outcomes, and `NAME.warc.gz` beside it. */
export interface SegmentStore {
  /** Whole and durable on return, or not there at all. The same name again has the same bytes, and does no harm. */
  put(name: string, bytes: Uint8Array): Promise<void>
  /** Undefined if there is none of that name. */
  get(name: string): Promise<Uint8Array | undefined>
  /** Those that are there, by name. */
  list(): Promise<readonly string[]>
  /** Does nothing if it is gone. */
  remove(name: string): Promise<void>
  close(): Promise<void>
}
