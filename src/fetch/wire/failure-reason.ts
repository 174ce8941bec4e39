/** A request ran out of the time it was given. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError'
}

/** What came is no answer by the rules of HTTP. */
export class MalformedAnswer extends Error {
  override readonly name = 'MalformedAnswer'
}

/** The server sends on and on, and little of it is an answer. */
export class NoiseError extends Error {
  override readonly name = 'NoiseError'
}

const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'host not found',
  EAI_AGAIN: 'host not found (DNS does not answer)',
  ECONNREFUSED: 'connection refused',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  ETIMEDOUT: 'connect timeout',
  UND_ERR_CONNECT_TIMEOUT: 'connect timeout',
  ECONNRESET: 'connection reset',
  EPIPE: 'connection reset',
  UND_ERR_SOCKET: 'connection closed early',
  UND_ERR_INFO: 'connection closed early',
  UND_ERR_HEADERS_OVERFLOW: 'headers too large',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'wrong Content-Length',
  ERR_HTTP2_STREAM_CANCEL: 'connection closed early',
  UND_ERR_DESTROYED: 'fetcher closed',
  // Of undici's own, about an answer that it did not foresee.
  ERR_ASSERTION: 'malformed HTTP',
}

/** Why a request failed, in two or three words that stay the same for the same cause. */
export function failureReason(error: Error): string {
  if (error instanceof TimeoutError || error instanceof NoiseError) return error.message
  if (error instanceof MalformedAnswer) return `malformed HTTP (${error.message})`
  const code = codeOf(error)
  if (code === 'UND_ERR_SOCKET' && error.message.startsWith('bad '))
    return `malformed HTTP (${error.message})`
  const reason = REASONS[code]
  if (reason) return reason
  if (error.name === 'HTTPParserError') return `malformed HTTP (${parserComplaint(error)})`
  if (code.startsWith('ERR_HTTP2_')) return 'malformed HTTP/2'
  if (isTlsCode(code)) return `TLS (${code})`
  return code || error.message
}

/** The system's or library's code of an error; empty without one. */
export function codeOf(error: Error): string {
  if ('code' in error && typeof error.code === 'string') return error.code
  // Several addresses tried, none worked: the last one's word will do.
  if (error instanceof AggregateError && error.errors.length) return codeOf(error.errors.at(-1))
  return ''
}

/** OpenSSL has many words for a certificate it does not believe. */
function isTlsCode(code: string): boolean {
  return /CERT|TLS|SSL|SIGN|VERIFY|ISSUER|HOSTNAME_MISMATCH|INVALID_(CA|PURPOSE)|CRL|^EPROTO$/.test(
    code,
  )
}

/** undici puts the parser's own words into brackets. */
function parserComplaint(error: Error): string {
  return /\((.+)\)/.exec(error.message)?.[1] ?? codeOf(error)
}

/** True when we hung up on a server that sent far more than an answer. */
export function isFlood(reason: string): boolean {
  return reason.startsWith('flood ')
}

/** True when the server hung up before a word, as it may do with any connection left idle. */
export function isHangUp(reason: string): boolean {
  return reason === 'connection reset' || reason === 'connection closed early'
}
