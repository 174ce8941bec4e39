import { isPagePath, rivalsOf, urlOfPath } from './site-paths.ts'

/** A change of one file from one state of the site to the next. */
export interface PublishedChange {
  readonly path: string
  readonly kind: 'file' | 'symlink' | 'submodule' | 'deleted'
  readonly blob: string
}

/** What an address shows from now on: the content of a blob, or nothing any more. */
export interface PublishedPage {
  readonly url: string
  readonly blob: string | undefined
}

/** Which files a static site consists of as it goes from state to state, and what that changes. */
export class PublishedSite {
  readonly #base: string
  /** The blob of each page file there is now. */
  readonly #blobs = new Map<string, string>()
  readonly #touched = new Set<string>()
  readonly #passedOver = {
    symlinks: new Set<string>(),
    submodules: new Set<string>(),
    badNames: new Set<string>(),
  }

  /** `base` is the address of the site's root, and ends in a slash. */
  constructor(base: string) {
    this.#base = base
  }

  /** Files that were passed over at some time, by why. */
  get passedOver(): { symlinks: number; submodules: number; badNames: number } {
    const { symlinks, submodules, badNames } = this.#passedOver
    return { symlinks: symlinks.size, submodules: submodules.size, badNames: badNames.size }
  }

  /** Notes a change. A link to elsewhere is no page: where it leads is outside of the history. */
  apply({ path, kind, blob }: PublishedChange): void {
    if (kind === 'submodule') this.#passedOver.submodules.add(path)
    if (!isPagePath(path)) return
    if (kind === 'symlink') this.#passedOver.symlinks.add(path)
    if (kind === 'file') this.#blobs.set(path, blob)
    else if (!this.#blobs.delete(path)) return
    this.#touched.add(path)
  }

  /** What the changes since the last call mean for addresses, each once. */
  takeChanges(): PublishedPage[] {
    const pages = new Map<string, PublishedPage>()
    for (const path of this.#touched) {
      const url = urlOfPath(this.#base, path)
      if (url === undefined) {
        this.#passedOver.badNames.add(path)
        continue
      }
      const shown = rivalsOf(path).find((rival) => this.#blobs.has(rival))
      pages.set(url, { url, blob: shown === undefined ? undefined : this.#blobs.get(shown) })
    }
    this.#touched.clear()
    return [...pages.values()]
  }
}

/** How many pages a change makes us read. */
export function pagesToRead({ kind, path }: PublishedChange): number {
  return kind === 'file' && isPagePath(path) ? 1 : 0
}
