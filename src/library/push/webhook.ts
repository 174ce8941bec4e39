import { createHash, createHmac } from 'node:crypto'
import type { PageRow } from './page-row.ts'
import { nameOf, type PatientOptions, patientRequest } from './patient-request.ts'
import type { PushTarget } from './push-target.ts'

/** Pages of one message at most. */
const PAGES_AT_ONCE = 100
/** Secrets that begin so are base64, as Standard Webhooks has them. */
const ENCODED = 'whsec_'

/** What receivers are told of a page. */
export interface PageEvent
  extends Pick<PageRow, 'position' | 'url' | 'event' | 'state' | 'since' | 'title' | 'language'> {
  readonly content_hash?: string
}

/** What a message says. */
interface PageMessage {
  readonly type: 'pages.changed'
  /** When the last of the pages became what it is. */
  readonly timestamp: string
  readonly data: { readonly pages: readonly PageEvent[] }
}

interface WebhookOptions extends Omit<PatientOptions, 'signal'> {
  readonly url: string
  readonly secret: string
  /** Seconds since 1970. */
  readonly now?: () => number
}

/**
 * Tells a web address of new, changed and gone pages, by signed messages as Standard Webhooks has them. A message that is
 * sent again has the same id.
 */
export function webhook({ url, secret, now = wallClock, wait, note }: WebhookOptions): PushTarget {
  const deliver = async (pages: readonly PageRow[], signal?: AbortSignal) => {
    for (let first = 0; first < pages.length; first += PAGES_AT_ONCE) {
      const body = messageOf(pages.slice(first, first + PAGES_AT_ONCE))
      const request = () => signed(body, secret, Math.floor(now()))
      await patientRequest(url, request, { signal, wait, note })
    }
  }
  return { name: nameOf(url), wantsTexts: false, deliver }
}

function messageOf(rows: readonly PageRow[]): string {
  const pages = rows.map(
    ({ position, url, event, state, since, title, language, content_hash }): PageEvent => ({
      ...{ position, url, event, state, since, title, language, content_hash },
    }),
  )
  const [timestamp] = pages
    .map(({ since }) => since)
    .sort()
    .slice(-1)
  const message: PageMessage = { type: 'pages.changed', timestamp, data: { pages } }
  return JSON.stringify(message)
}

/** The id is that of the content, so a message keeps it over retries, kills and restarts. */
function signed(body: string, secret: string, seconds: number): RequestInit {
  const id = `msg_${createHash('sha256').update(body).digest('hex').slice(0, 32)}`
  return {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': `${seconds}`,
      'webhook-signature': signatureOf(secret, id, seconds, body),
    },
  }
}

/** HMAC-SHA256 of id, time and body. */
export function signatureOf(secret: string, id: string, seconds: number, body: string): string {
  const key = secret.startsWith(ENCODED)
    ? Buffer.from(secret.slice(ENCODED.length), 'base64')
    : Buffer.from(secret)
  const mac = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')
  return `v1,${mac}`
}

const wallClock = () => Date.now() / 1000
