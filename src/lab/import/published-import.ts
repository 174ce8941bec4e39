import { type BlobFault, captureOfBlob, isSource } from './blob-capture.ts'
import { ImportedWeb } from './imported-web.ts'
import type { PublishedPage } from './published-site.ts'

/** A page that shows a blob not read before. */
export interface UnreadPage {
  readonly url: string
  readonly blob: string
}

/** Gathers a static site from its states, oldest first; what an address has shown is read once. */
export class PublishedImport {
  readonly web = new ImportedWeb()
  readonly #faults = new Map<string, BlobFault>()
  /** Files that turned out to be the source of a site, which needs a generator to become one. */
  sources = 0
  read = 0

  /** Files that are called .html and are no pages, by why. */
  get leftOut(): Record<BlobFault, number> {
    const counts = { tooLarge: 0, binary: 0, lfsPointers: 0, noPages: 0 }
    for (const fault of this.#faults.values()) counts[fault]++
    return counts
  }

  /** Notes what needs no reading at a state, and gives what does. */
  note(pages: readonly PublishedPage[], at: number): UnreadPage[] {
    const unread: UnreadPage[] = []
    for (const { url, blob } of pages) {
      if (blob === undefined || this.#faults.has(blob)) this.web.add({ kind: 'gone', url, at })
      else if (this.web.knowsDigest(url, blob))
        this.web.add({ kind: 'unchanged', url, at, digest: blob })
      else unread.push({ url, blob })
    }
    return unread
  }

  /** Takes in the file of a page at a state; no bytes if it is too large. */
  take({ url, blob }: UnreadPage, at: number, bytes: Uint8Array | undefined): void {
    this.read++
    if (bytes && isSource(bytes)) this.sources++
    const capture = captureOfBlob(url, at, { id: blob, bytes })
    if (typeof capture === 'object') {
      this.web.add(capture)
      return
    }
    this.#faults.set(blob, capture)
    this.web.add({ kind: 'gone', url, at })
  }
}
