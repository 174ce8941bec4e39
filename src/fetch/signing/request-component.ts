/** A GET as far as a signature can cover it. */
export interface SignableRequest {
  readonly url: URL
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>
}

/** The value of a component of a GET (RFC 9421 §2.1 and §2.2); undefined for what the request does not have. */
export function requestComponent(
  name: string,
  { url, headers }: SignableRequest,
): string | undefined {
  switch (name) {
    case '@method':
      return 'GET'
    case '@authority':
      return url.host
    case '@scheme':
      return url.protocol.slice(0, -1)
    case '@target-uri':
      return url.href.replace(/#.*$/, '')
    case '@request-target':
      return url.pathname + url.search
    case '@path':
      return url.pathname
    case '@query':
      return url.search || '?'
    default:
      return headers[name]?.trim()
  }
}
