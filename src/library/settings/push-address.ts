/** The environment variable that has the secret of webhooks, if no file does. */
export const WEBHOOK_VARIABLE = 'FORAGER_WEBHOOK_SECRET'
/** The one with what an OpenSearch server wants as authorization, if the address has no user and password. */
const OPENSEARCH_VARIABLE = 'FORAGER_OPENSEARCH_AUTH'

const WEBHOOK_SCHEMES = ['http:', 'https:']
/** Elasticsearch answers to the same requests. */
const OPENSEARCH = /^(?:opensearch|elasticsearch)(?:\+(https?))?:/
/** As both have it: lower case, and none of a few characters. */
const INDEX_NAME = /^\/[^-_+A-Z\\/*?"<>| ,#:][^A-Z\\/*?"<>| ,#:]*$/
const USUAL_PORT = 9200

/** An index of an OpenSearch or Elasticsearch server. */
export interface OpenSearchAddress {
  /** As in `http://127.0.0.1:9200`. */
  readonly origin: string
  readonly index: string
  /** The header that the server is told who we are by. */
  readonly authorization?: string
  /** The fields that queries look into, as in `title^3`; ours if left out. */
  readonly fields?: readonly string[]
}

/** Whether pages can be pushed to an address. */
export function isPushAddress(text: string): boolean {
  return isWebhook(text) || openSearchAddress(text) !== undefined
}

function isWebhook(text: string): boolean {
  return URL.canParse(text) && WEBHOOK_SCHEMES.includes(new URL(text).protocol)
}

/** Reads `opensearch://user:password@host:9200/index?fields=title^3,text`; undefined if it is none. */
export function openSearchAddress(text: string): OpenSearchAddress | undefined {
  const scheme = OPENSEARCH.exec(text)
  if (!scheme) return undefined
  // By a scheme that has no usual port of its own, which would be left out.
  const address = text.replace(OPENSEARCH, 'opensearch:')
  if (!URL.canParse(address)) return undefined
  const { hostname, port, pathname, username, password, searchParams } = new URL(address)
  if (hostname === '' || !INDEX_NAME.test(pathname)) return undefined
  const fields = searchParams.get('fields')?.split(',')
  const authorization = username
    ? `Basic ${btoa(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`)}`
    : process.env[OPENSEARCH_VARIABLE]
  return {
    origin: `${scheme[1] ?? 'http'}://${hostname}:${port || USUAL_PORT}`,
    index: pathname.slice(1),
    ...(authorization && { authorization }),
    ...(fields && { fields }),
  }
}
