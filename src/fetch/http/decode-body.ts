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

/** `isPart`: what can be had of a body without its end is given, and its end not missed. */
type Unpack = (body: Uint8Array, maxOutputLength: number, isPart: boolean) => Uint8Array

const deflated = (maxOutputLength: number, isPart: boolean) => ({
  maxOutputLength,
  ...(isPart && { finishFlush: constants.Z_SYNC_FLUSH }),
})
const UNPACK: Readonly<Record<string, Unpack>> = {
  gzip: (body, most, isPart) => gunzipSync(body, deflated(most, isPart)),
  // The standard says zlib, some servers send it bare; the first byte tells which.
  deflate: (body, most, isPart) =>
    (body[0]! & 0x0f) === 8
      ? inflateSync(body, deflated(most, isPart))
      : inflateRawSync(body, deflated(most, isPart)),
  br: (body, maxOutputLength, isPart) =>
    brotliDecompressSync(body, {
      maxOutputLength,
      ...(isPart && { finishFlush: constants.BROTLI_OPERATION_FLUSH }),
    }),
  zstd: (body, maxOutputLength, isPart) =>
    zstdDecompressSync(body, {
      maxOutputLength,
      params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG },
      ...(isPart && { finishFlush: constants.ZSTD_e_flush }),
    }),
}
const ALIASES: Readonly<Record<string, string>> = { 'x-gzip': 'gzip' }

/**
 * A body freed of its Content-Encoding, at most `maxBytes` long; never throws. Unpacking is
 * synchronous: a page costs a fraction of a millisecond, a stream of its own several times that, and
 * zlib stops at the limit, so a bomb costs no more than the largest page. `isPart`: the body's end did not come.
 */
export function decodeBody(
  body: Uint8Array,
  contentEncoding: string | undefined,
  maxBytes: number,
  isPart = false,
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
      decoded = unpack(decoded, maxBytes, isPart)
    } catch (error) {
      return whyNot(error, layer)
    }
  }
  return decoded.length > maxBytes ? { kind: 'too-large' } : { kind: 'decoded', body: decoded }
}

/** A body that is too long is tried by so much of it, which tells how much will fit. */
const SAMPLE = 1 / 16
/** What follows may shrink more than the sample. */
const CAUTION = 0.9

/**
 * The beginning of a body that is longer than `maxBytes` once unpacked. How much of the packed body makes so much is
 * reckoned from a sample of it. So it is unpacked three times at most, while one that begins with a bomb would be too large
 * at any length that is tried. Bombs stay too large.
 */
export function decodedBeginning(
  body: Uint8Array,
  contentEncoding: string | undefined,
  maxBytes: number,
): DecodedBody {
  if (/^[\s,]*(?:identity[\s,]*)?$/i.test(contentEncoding ?? ''))
    return { kind: 'decoded', body: body.subarray(0, maxBytes) }
  const decode = (length: number) =>
    decodeBody(body.subarray(0, length), contentEncoding, maxBytes, true)
  const length = Math.ceil(SAMPLE * body.length)
  const sample = decode(length)
  if (sample.kind !== 'decoded') return sample
  const had = sample.body.length
  if (had > 0 && !isPlausible(had, length)) return { kind: 'too-large' }
  // Nothing at all comes of less than a block.
  const times = had > 0 ? (CAUTION * maxBytes) / had : 1 / SAMPLE
  if (times < 2) return sample // both would be held
  for (const share of [1, 0.5]) {
    const longer = decode(Math.floor(share * Math.min(1, SAMPLE * times) * body.length))
    if (longer.kind === 'decoded' && longer.body.length > 0) return longer
  }
  return had > 0 ? sample : { kind: 'too-large' }
}

/** Pages shrink to a tenth, seldom to a thirtieth; what shrinks to less than this is a bomb. */
function isPlausible(decodedBytes: number, packedBytes: number): boolean {
  return decodedBytes <= 200 * packedBytes
}

function whyNot(error: unknown, layer: string): DecodedBody {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ERR_BUFFER_TOO_LARGE') return { kind: 'too-large' }
  if (code === 'Z_BUF_ERROR') return { kind: 'cut' }
  return { kind: 'broken', reason: `broken ${layer} (${code})` }
}
