import type { Clock } from '#crawl/ports.ts'
import type { Exchange } from '#learn/entries/outcome.ts'
import type { Connection } from '../wire/connections.ts'

// Imported, the module would load all that it exports, a second client of HTTP too: 30 ms in every thread.
const { STATUS_CODES } = process.getBuiltinModule('node:http')

/** As undici hands them over: names and values in turn as received, or an object from HTTP/2. */
export type RawHeaders = readonly (Buffer | string)[] | Readonly<Record<string, unknown>>

/** Notes the heads of one request and its answer, as the WARC file wants them. */
export class ExchangeRecorder {
  readonly #connection: Connection
  readonly #requestHead: string
  readonly #startedAt: number
  #responseHead = ''

  constructor(
    connection: Connection,
    url: URL,
    headers: Readonly<Record<string, string>>,
    clock: Clock,
  ) {
    this.#connection = connection
    this.#requestHead = requestHead(url, headers)
    this.#startedAt = clock.now()
  }

  answered(status: number, statusText: string | undefined, headers: RawHeaders): void {
    this.#responseHead = responseHead(status, statusText, headers)
  }

  exchange(body: Uint8Array, truncated?: Exchange['truncated']): Exchange {
    const ip = this.#connection.address
    return {
      requestHead: this.#requestHead,
      responseHead: this.#responseHead,
      body,
      ...(truncated && { truncated }),
      ...(ip !== undefined && { ip }),
      startedAt: this.#startedAt,
    }
  }
}

/**
 * A GET's request line and headers as sent. HTTP/2 has neither lines nor Host: it is written as the
 * HTTP/1.1 that means the same, which is what readers of WARC files understand.
 */
function requestHead(url: URL, headers: Readonly<Record<string, string>>): string {
  const lines = [
    `GET ${url.pathname}${url.search} HTTP/1.1`,
    `host: ${url.host}`,
    'connection: keep-alive',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  return `${lines.join('\r\n')}\r\n\r\n`
}

/** An answer's status line and headers, one character a byte, in the order and case they came. */
function responseHead(status: number, statusText: string | undefined, headers: RawHeaders): string {
  let head = `HTTP/1.1 ${status} ${statusText || (STATUS_CODES[status] ?? '')}\r\n`
  for (const [name, value] of pairsOf(headers)) head += `${name}: ${value}\r\n`
  return `${head}\r\n`
}

function* pairsOf(headers: RawHeaders): Generator<readonly [string, string]> {
  if (isList(headers)) {
    for (let i = 0; i + 1 < headers.length; i += 2) yield [text(headers[i]!), text(headers[i + 1]!)]
    return
  }
  for (const [name, value] of Object.entries(headers))
    for (const one of Array.isArray(value) ? value : [value]) yield [name, String(one)]
}

function isList(headers: RawHeaders): headers is readonly (Buffer | string)[] {
  return Array.isArray(headers)
}

function text(value: Buffer | string): string {
  return typeof value === 'string' ? value : value.toString('latin1')
}
