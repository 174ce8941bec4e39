import type { FleetNote } from '#fetch/fleet/leased-fetcher.ts'
import type { ImportReport } from '#repository/queries/import-queries.ts'

/** Something that whoever crawls should know, before or while it goes on. Doors put it into words. */
export type CrawlNote =
  /** Lines of query logs that could not be read. */
  | { readonly kind: 'lines skipped'; readonly report: ImportReport }
  /** Somebody else has the directory open for a moment. */
  | { readonly kind: 'waiting for directory'; readonly dir: string }
  /** A seed names a user or a password, which are not sent. */
  | { readonly kind: 'credentials dropped'; readonly seed: string }
  /** A file with secrets in it that others on this machine may read. */
  | { readonly kind: 'readable by others'; readonly file: string }
  /** A site of one's own that is neither among the seeds nor known. */
  | { readonly kind: 'site not known'; readonly match: string }
  /** Nothing that the crawl begins with is to be included. */
  | { readonly kind: 'includes no seed'; readonly patterns: readonly string[] }
  /** Copies that are older than `refreshAfter`: half of every plan is for them. */
  | { readonly kind: 'copies first'; readonly copies: number }
  /** The time is that of the archive which was crawled here. */
  | { readonly kind: 'archive time'; readonly now: number }
  /** Without an index links are all there is to go by. */
  | { readonly kind: 'policy without index'; readonly policy: string }
  /** Nobody chose a policy, and the last run had another one than the default. */
  | { readonly kind: 'policy as before'; readonly policy: string }
  /** What to know of the policy, or of the file it came from; settings stand in braces. */
  | { readonly kind: 'policy'; readonly text: string }
  /** The policy will fetch no copies again. */
  | { readonly kind: 'no copies'; readonly policy: string; readonly why: string }
  /** `untilGain` cannot stop a crawl whose gains nobody measures. */
  | { readonly kind: 'gains not measured' }
  /** Fetches of a run that was cut off, now learnt. */
  | { readonly kind: 'taken up'; readonly fetches: number }
  /** Fetches that were noted at times still to come. */
  | { readonly kind: 'clock was wrong'; readonly fetches: number }
  /** A half-written record was cut off a WARC file. */
  | { readonly kind: 'warc repaired'; readonly cutBytes: number }
  /** Somebody asked for it, by way of the crawl's directory. */
  | { readonly kind: 'paused' | 'resumed' | 'stopping' }
  /** Another server did not answer well, and is asked again after a while. */
  | {
      readonly kind: 'tries again'
      readonly of: string
      readonly fault: string
      readonly afterMs: number
    }
  /** A target of pages did not take them; they are kept for the next time. */
  | { readonly kind: 'push failed'; readonly to: string; readonly error: Error }
  /** Of the workers that fetch elsewhere, and what they meet at. */
  | { readonly kind: 'fleet'; readonly note: FleetNote }
  /** New settings could not be used: the old ones hold. */
  | { readonly kind: 'reload failed'; readonly error: Error }

export type NoteListener = (note: CrawlNote) => void
