import {
  brotliDecompressSync,
  constants,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  zstdDecompressSync,
} from 'node:zlib'

export type DecodedBody =
  | { readonly kind: 'decoded'; readonly body: Uint8Array }
  /** Larger than the limit once unpacked. */
  | { readonly kind: 'too-large' }
  /** Ends before its time: cut on the way. */
  | { readonly kind: 'cut' }
  | { readonly kind: 'broken'; readonly reason: string }

/** What we ask servers to send. */
export const ACCEPT_ENCODING = 'gzip, deflate, br, zstd'

/** More layers than this only serve to hide a bomb. */
const MAX_LAYERS = 2

/** RFC 9659: a zstd window beyond 8 MiB must not be used for Content-Encoding. */
const ZSTD_WINDOW_LOG = 23

type Unpack = (body: Uint8Array, maxOutputLength: number) => Uint8Array

const UNPACK: Readonly<Record<string, Unpack>> = {
  gzip: (body, maxOutputLength) => gunzipSync(body, { maxOutputLength }),
  // The standard says zlib, some servers send it bare; the first byte tells which.
  deflate: (body, maxOutputLength) =>
    (body[0]! & 0x0f) === 8
      ? inflateSync(body, { maxOutputLength })
      : inflateRawSync(body, { maxOutputLength }),
  br: (body, maxOutputLength) => brotliDecompressSync(body, { maxOutputLength }),
  zstd: (body, maxOutputLength) =>
    zstdDecompressSync(body, {
      maxOutputLength,
      params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG },
    }),
}
const ALIASES: Readonly<Record<string, string>> = { 'x-gzip': 'gzip' }

/**
 * A body freed of its Content-Encoding, at most `maxBytes` long; never throws. Unpacking is
 * synchronous: a page costs a fraction of a millisecond, a stream of its own several times that, and
 * zlib stops at the limit, so a bomb costs no more than the largest page.
 */
export function decodeBody(
  body: Uint8Array,
  contentEncoding: string | undefined,
  maxBytes: number,
): DecodedBody {
  const layers = (contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity')
  if (layers.length > MAX_LAYERS)
    return { kind: 'broken', reason: `${layers.length} layers of Content-Encoding` }
  let decoded = body
  for (const layer of layers.reverse()) {
    const unpack = UNPACK[ALIASES[layer] ?? layer]
    if (!unpack) return { kind: 'broken', reason: `unknown Content-Encoding ${layer.slice(0, 40)}` }
    if (decoded.length === 0) break // an empty body needs no frame around it
    try {
      decoded = unpack(decoded, maxBytes)
    } catch (error) {
      return whyNot(error, layer)
    }
  }
  return decoded.length > maxBytes ? { kind: 'too-large' } : { kind: 'decoded', body: decoded }
}

function whyNot(error: unknown, layer: string): DecodedBody {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ERR_BUFFER_TOO_LARGE') return { kind: 'too-large' }
  if (code === 'Z_BUF_ERROR') return { kind: 'cut' }
  return { kind: 'broken', reason: `broken ${layer} (${code})` }
}
