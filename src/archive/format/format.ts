import type { Workload } from '#workload/workload.ts'

/**
 * The lines of the archive format `evolution/1`: a recorded web with a clock. One folder an archive;
 * `docs/reference/archive-format.md` describes the files. `b` and `l` are run-length lists of line numbers,
 * `[start, count, start, count, …]`.
 */

/** A state of the whole site; `i` counts from 0. */
interface SnapshotRecord {
  readonly i: number
  readonly date: string // YYYY-MM-DD
  readonly live: number
}

/** `site.json`. */
export interface SiteRecord {
  readonly format: 'evolution/1'
  readonly id: string
  readonly name: string
  readonly kind?: string
  readonly origin?: string
  /** Seed URLs. */
  readonly start: readonly string[]
  readonly source?: unknown
  readonly licence?: string
  readonly snapshots: readonly SnapshotRecord[]
  /** Our addition: robots.txt by host, where the recorded web has one. */
  readonly robots?: Readonly<Record<string, string>>
}

/** `pages.jsonl.gz`: version was live at every snapshot from a to b inclusive; in gaps the page was gone. */
export interface PageRecord {
  readonly i: number
  readonly url: string
  readonly v: readonly (readonly [a: number, b: number, version: number])[]
}

/** `versions.jsonl.gz`: one content of page `p`; versions of a page are neighbours, oldest first. */
export interface VersionRecord {
  readonly i: number
  readonly p: number
  /** Hash of title + text + links. */
  readonly h: string
  /** Hash of title + main text. */
  readonly c: string
  readonly t: string
  /** Text length before any cap. */
  readonly n: number
  readonly b: readonly number[]
  readonly l: readonly number[]
  /** Target, when this version is a redirect. */
  readonly rd?: string
}

/** `blocks.jsonl.gz`: a 1 marks boilerplate (menus, side bars). */
export type BlockRecord = readonly [text: string] | readonly [text: string, boilerplate: 1]

/** `links.jsonl.gz`: 1 = a page of this archive, 2 = on-site but not a page of it, none = off-site. */
export type LinkRecord =
  | readonly [url: string, anchor: string]
  | readonly [url: string, anchor: string, where: 1 | 2]

/** A whole archive as `writeArchive` takes it: lines in order, `i` counting from 0 in each file. */
export interface ArchiveRecords {
  readonly site: SiteRecord
  readonly pages: Iterable<PageRecord>
  readonly versions: Iterable<VersionRecord>
  readonly blocks: Iterable<BlockRecord>
  readonly links: Iterable<LinkRecord>
  readonly workload?: Workload
}
