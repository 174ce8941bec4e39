/** How files begin that no reader of pages can use, whatever type they are sent as. */
const BEGINNINGS: readonly (readonly [kind: string, bytes: string])[] = [
  ['PDF', '%PDF-'],
  ['PNG', '\x89PNG\r\n'],
  ['JPEG', '\xff\xd8\xff'],
  ['GIF', 'GIF8'],
  ['WebP, WAV or AVI', 'RIFF'],
  ['ZIP', 'PK\x03\x04'],
  ['gzip', '\x1f\x8b\x08'],
  ['Ogg', 'OggS'],
  ['MP3', 'ID3\x03'],
  ['Word or Excel', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'],
  ['font', 'wOF'],
]
/** So much is looked at, as browsers do. */
const LOOKED_AT_BYTES = 1445
/** Control characters that no text has: all but tab, line ends, form feed and escape. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const NO_TEXT = /[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]/

/** What a body is that was sent as a page and is none; undefined for what may be text. */
export function binaryKind(body: Uint8Array, mediaType: string): string | undefined {
  const { buffer, byteOffset, length } = body
  const beginning = Buffer.from(buffer, byteOffset, Math.min(length, LOOKED_AT_BYTES))
  const start = beginning.toString('latin1')
  const known = BEGINNINGS.find(([, bytes]) => start.startsWith(bytes))
  if (known) return known[0]
  // Servers call what they do not know text/plain; a page in HTML may well have a stray byte.
  if (
    !/^text\/(?:plain|markdown|csv)$/.test(mediaType) ||
    /^(?:\xef\xbb\xbf|\xfe\xff|\xff\xfe)/.test(start)
  )
    return undefined
  return NO_TEXT.test(start) ? 'no text' : undefined
}
