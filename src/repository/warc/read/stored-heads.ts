/** A head as the file keeps it. */
interface StoredHead {
  readonly text: string
  /** `h2` when the exchange was HTTP/2, whose heads are written in the words of HTTP/1.1. */
  readonly protocol?: string
}

const HTTP_2 = /^((?:[A-Z]+ \S+ )?)HTTP\/2(?:\.0)?(?=[ \r])/
const TRANSFER_ENCODING = /^transfer-encoding(?=[ \t]*:)/im
const CONTENT_LENGTH = /^content-length[ \t]*:.*\r\n/gim
/** What a crawl was trusted with is not for those who read its files. */
const SECRETS = /^((?:proxy-)?authorization|cookie)[ \t]*:.*$/gim

/**
 * The head of an answer whose body is stored without its transfer-coding. Readers would take chunks
 * off a second time if the head still promised them, so that header is renamed, as archives do, and
 * Content-Length tells what is there.
 */
export function storedResponseHead(head: string, bodyBytes: number): StoredHead {
  const { text, protocol } = plainHead(head)
  if (!TRANSFER_ENCODING.test(text)) return { text, protocol }
  const renamed = text
    .replace(CONTENT_LENGTH, '')
    .replace(TRANSFER_ENCODING, 'X-Archive-Orig-Transfer-Encoding')
  return { text: `${renamed.slice(0, -2)}Content-Length: ${bodyBytes}\r\n\r\n`, protocol }
}

/** The head of a request, without passwords and cookies. */
export function storedRequestHead(head: string): StoredHead {
  const { text, protocol } = plainHead(head)
  return { text: text.replace(SECRETS, '$1: [removed]'), protocol }
}

function plainHead(head: string): StoredHead {
  const whole = head.endsWith('\r\n\r\n') ? head : `${head.trimEnd()}\r\n\r\n`
  if (!HTTP_2.test(whole)) return { text: whole }
  return { text: whole.replace(HTTP_2, '$1HTTP/1.1'), protocol: 'h2' }
}

/** The status in an answer's first line; 0 if it has none. */
export function statusOf(head: string): number {
  return Number(/^HTTP\/[\d.]+ (\d{3})/.exec(head)?.[1] ?? 0)
}

/** The media type that a head names, lower case and without parameters. */
export function mimeOf(head: string): string | undefined {
  return /^content-type[ \t]*:[ \t]*([^\s;,]+)/im.exec(head)?.[1].toLowerCase()
}

/** Whether the body came compressed. */
export function isContentEncoded(head: string): boolean {
  return /^content-encoding[ \t]*:[ \t]*(?:x-gzip|gzip|deflate|br|zstd)/im.test(head)
}
