const PRESCAN_BYTES = 1024

/**
 * The text of a body, whatever its bytes. The encoding is taken from the byte order mark, else
 * the Content-Type header, else the document's own declaration. Without any it is UTF-8 if the
 * bytes allow it, and windows-1252 if not. Unknown names are ignored.
 */
export function decodeBody(body: Uint8Array, contentType?: string): string {
  const decoder =
    decoderFor(byteOrderMark(body)) ??
    decoderFor(charsetOfHeader(contentType)) ??
    decoderFor(declaredCharset(body))
  return decoder ? decode(body, decoder) : decodeUndeclared(body)
}

/** Of these, a byte that does not belong where it stands takes a hundred times as long as one that does. */
const SLOW = /^(?:euc-|iso-2022-|shift_jis|big5|gb)/
const PIECE_BYTES = 64 * 1024
/** So many are no mistakes: what follows is in no such encoding. */
const MOST_FAULTS = 2 ** 18

function decode(body: Uint8Array, decoder: Decoder): string {
  if (body.length <= MOST_FAULTS || !SLOW.test(decoder.encoding)) return decoder.decode(body)
  const pieces: string[] = []
  let faults = 0
  let at = 0
  for (; at < body.length && faults < MOST_FAULTS; at += PIECE_BYTES) {
    const piece = decoder.decode(body.subarray(at, at + PIECE_BYTES), { stream: true })
    faults += faultsIn(piece)
    pieces.push(piece)
  }
  pieces.push(decoder.decode(), new TextDecoder('windows-1252').decode(body.subarray(at)))
  return pieces.join('')
}

function faultsIn(text: string): number {
  let faults = 0
  for (let at = text.indexOf('\ufffd'); at >= 0; at = text.indexOf('\ufffd', at + 1)) faults++
  return faults
}

function byteOrderMark(body: Uint8Array): string | undefined {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return 'utf-8'
  if (body[0] === 0xfe && body[1] === 0xff) return 'utf-16be'
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le'
  return undefined
}

function charsetOfHeader(contentType = ''): string | undefined {
  return /charset\s*=\s*["']?([^\s;"',]+)/i.exec(contentType)?.[1]
}

/** `<meta charset>`, its http-equiv form, or an XML declaration near the start of the document. */
function declaredCharset(body: Uint8Array): string | undefined {
  const head = String.fromCharCode(...body.subarray(0, PRESCAN_BYTES)).replace(/<!--.*?-->/gs, '')
  const declared =
    /<meta\s[^>]*?charset\s*=\s*["']?\s*([^\s;"'/>]+)/i.exec(head)?.[1] ??
    /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([^"']+)/.exec(head)?.[1]
  // Read as ASCII to be found at all, it cannot be UTF-16: the HTML standard says to read UTF-8.
  return declared && /^utf-?16/i.test(declared) ? 'utf-8' : declared
}

function decodeUndeclared(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    return new TextDecoder('windows-1252').decode(body)
  }
}

type Decoder = InstanceType<typeof TextDecoder>
const decoders = new Map<string, Decoder>()

function decoderFor(label: string | undefined): Decoder | undefined {
  if (label === undefined) return undefined
  const name = label.toLowerCase()
  const known = decoders.get(name)
  if (known) return known
  try {
    const decoder = new TextDecoder(name)
    decoders.set(name, decoder) // only real labels get here, and there are some 220 of them
    return decoder
  } catch {
    return undefined
  }
}
