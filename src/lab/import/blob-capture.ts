import { parsePage } from '#parse/parse-page.ts'
import type { Capture } from './capture.ts'

/** Why a file called .html is no page. */
export type BlobFault = 'tooLarge' | 'binary' | 'lfsPointers' | 'noPages'

const PROBED_BYTES = 8000
const LFS_POINTER = 'version https://git-lfs.github.com/spec/'

/** What a file of a published site says as the page at `url`, or why it says nothing. */
export function captureOfBlob(
  url: string,
  at: number,
  blob: { readonly id: string; readonly bytes?: Uint8Array },
): Capture | BlobFault {
  const { id: digest, bytes } = blob
  if (!bytes) return 'tooLarge'
  if (isBinary(bytes)) return 'binary'
  if (startsWith(bytes, LFS_POINTER)) return 'lfsPointers'
  const page = parsePage(bytes, undefined, url)
  if (page.form !== 'page') return 'noPages'
  // A static server cannot answer with a redirect, so generators write pages that refresh at once.
  if (page.refreshTo !== undefined)
    return { kind: 'redirect', url, at, target: page.refreshTo, digest }
  return { kind: 'page', url, at, page, digest }
}

/** Whether a file is input of a site generator, not what it publishes: it opens with front matter. */
export function isSource(bytes: Uint8Array): boolean {
  return startsWith(bytes, '---\n') || startsWith(bytes, '---\r\n')
}

/** No HTML has a zero byte, unless it is UTF-16, which says so at its start. */
function isBinary(bytes: Uint8Array): boolean {
  const isUtf16 =
    (bytes[0] === 0xfe && bytes[1] === 0xff) || (bytes[0] === 0xff && bytes[1] === 0xfe)
  return !isUtf16 && bytes.subarray(0, PROBED_BYTES).includes(0)
}

function startsWith(bytes: Uint8Array, text: string): boolean {
  return (
    bytes.length >= text.length && [...text].every((char, i) => bytes[i] === char.charCodeAt(0))
  )
}
