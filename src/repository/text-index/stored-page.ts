/** What a result list shows of a page. */
export interface StoredPage {
  readonly url: string
  readonly title: string
  readonly text: string
  /** Seconds since 1970. */
  readonly fetchedAt: number
  /** As a tag in lower case, if it is known. */
  readonly language?: string
}

/** What the index took in beside that; needed to make it anew. */
export interface IndexedAs {
  /** What links called it. */
  readonly anchors: readonly string[]
  /** Its text was indexed, but may not be shown, and is not kept. */
  readonly isHidden: boolean
}

/** The entry of a page in a group: a line of JSON, then its text. */
export function writeEntry(page: StoredPage, indexed?: IndexedAs): string {
  const { url, fetchedAt, title, text, language } = page
  const more = indexed ? [indexed.anchors, indexed.isHidden, language] : []
  return `${JSON.stringify([url, fetchedAt, title, ...more])}\n${text}`
}

/** The page of an entry; those of the first edition say nothing of the index. Undefined if it is none. */
export function readEntry(
  entry: string,
): { readonly stored: StoredPage; readonly indexed?: IndexedAs } | undefined {
  const lineEnd = entry.indexOf('\n')
  try {
    const [url, fetchedAt, title, anchors, isHidden, language] = JSON.parse(entry.slice(0, lineEnd))
    const text = entry.slice(lineEnd + 1)
    const stored = { url, title, text, fetchedAt, ...(language && { language }) }
    return anchors === undefined ? { stored } : { stored, indexed: { anchors, isHidden } }
  } catch {
    return undefined // only without a checksum
  }
}
