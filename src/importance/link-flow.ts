import { type Csr, rowCount, transpose } from '#numeric/csr.ts'

/**
 * A link graph laid out for pulling: what each URL receives is a sum over the pages that link to
 * it. Most known URLs were never fetched and link to nothing, so linking pages get numbers of
 * their own. The vector that is read at random is then small enough for the processor's cache.
 */
export interface LinkFlow {
  readonly urlCount: number
  /** The URLs that have out-links, ascending. */
  readonly linkers: Uint32Array
  /** Out-links of each of them. */
  readonly outDegrees: Uint32Array
  /** For each URL the linkers that point to it, as indices of `linkers`. */
  readonly inLinks: Csr
}

/** The same links, laid out for pulling. */
export function linkFlow(links: Csr): LinkFlow {
  const urlCount = rowCount(links)
  const { offsets } = links
  let linkerCount = 0
  for (let url = 0; url < urlCount; url++) if (offsets[url] < offsets[url + 1]) linkerCount++
  const linkers = new Uint32Array(linkerCount)
  const outDegrees = new Uint32Array(linkerCount)
  const filledOffsets = new Uint32Array(linkerCount + 1)
  let linker = 0
  for (let url = 0; url < urlCount; url++) {
    if (offsets[url] === offsets[url + 1]) continue
    linkers[linker] = url
    outDegrees[linker] = offsets[url + 1] - offsets[url]
    filledOffsets[++linker] = offsets[url + 1]
  }
  const filledRows = { offsets: filledOffsets, targets: links.targets }
  return { urlCount, linkers, outDegrees, inLinks: transpose(filledRows, urlCount) }
}
