import type { Damage } from '../damage.ts'

/** Where a crawl keeps its things. */
export interface CrawlPlace {
  readonly dir: string
  /** Of the WARC files, which may lie elsewhere. */
  readonly warcDir: string
}

/** One part of a crawl's directory that can be checked, and mended by itself. */
export interface Part {
  readonly name: string
  /** Its files and folders, relative to the directory. */
  readonly paths: readonly string[]
  /** Whether it can be read while a crawl writes it. */
  readonly whileCrawling: boolean
  /** What is not as it was written. Writes nothing. */
  check(place: CrawlPlace): Promise<Damage[]>
  /** Mends what it can; gives what is lost. Nobody else may have the directory open. */
  repair(place: CrawlPlace): Promise<Damage[]>
}
