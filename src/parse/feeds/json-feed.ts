import {
  type Link,
  MAX_ANCHOR_CHARS,
  MAX_LINKS,
  MAX_TITLE_CHARS,
  type ParsedPage,
  REL_FEED,
  REL_HUB,
} from '../page/page.ts'
import { PushLinkReader } from '../page/push-links.ts'
import { detached } from '../text/detached.ts'
import { parseWebDate } from '../text/web-date.ts'
import { urlResolver } from '../url/canonical-url.ts'
import { feedPage, isWebAddress, titleWords } from './feed.ts'

/** Values and commas, also those in texts: a feed of 10 MiB would need one for every 26 characters. */
const MAX_VALUES = 400_000
/** More are not looked at. */
const MAX_HUBS = 10
const COMMA = 0x2c
const BRACKET = 0x5b
const BRACE = 0x7b

/** The items of a JSON Feed (versions 1 and 1.1); undefined if the text is none. */
export function parseJsonFeed(json: string, url: string): ParsedPage | undefined {
  const feed = parsedObject(json)
  if (!feed || !textOf(feed.version).includes('jsonfeed.org/')) return undefined
  const resolve = urlResolver(url)
  const links: Link[] = []
  for (const item of Array.isArray(feed.items) ? feed.items : []) {
    if (links.length >= MAX_LINKS) break
    if (!isObject(item)) continue
    const id = textOf(item.id)
    const address = textOf(item.url) || textOf(item.external_url) || (isWebAddress(id) ? id : '')
    const target = address === '' ? undefined : resolve(address)
    if (target === undefined) continue
    const lastModified = parseWebDate(textOf(item.date_modified) || textOf(item.date_published))
    const link = {
      url: detached(target),
      anchor: titleWords(textOf(item.title), MAX_ANCHOR_CHARS),
      rel: REL_FEED,
    }
    links.push(lastModified === undefined ? link : { ...link, lastModified })
    const summary = titleWords(textOf(item.summary), MAX_ANCHOR_CHARS)
    if (summary !== '') links.push({ ...link, anchor: summary })
  }
  const next = textOf(feed.next_url)
  const nextPage = next === '' ? undefined : resolve(next)
  if (nextPage !== undefined) links.push({ url: detached(nextPage), anchor: '', rel: REL_HUB })
  const push = new PushLinkReader(url)
  push.take('self', textOf(feed.feed_url))
  for (const hub of Array.isArray(feed.hubs) ? feed.hubs.slice(0, MAX_HUBS) : [])
    if (isObject(hub) && textOf(hub.type) === 'WebSub') push.take('hub', textOf(hub.url))
  return feedPage(titleWords(textOf(feed.title), MAX_TITLE_CHARS), links, push.found())
}

function parsedObject(json: string): Readonly<Record<string, unknown>> | undefined {
  if (hasTooManyValues(json)) return undefined
  try {
    const value: unknown = JSON.parse(json)
    return isObject(value) ? value : undefined
  } catch {
    return undefined // not JSON, or nested beyond all measure
  }
}

/** Counts what may begin a value, also within texts: megabytes of nothing but brackets take long to make objects of. */
function hasTooManyValues(json: string): boolean {
  let values = 0
  for (let at = 0; at < json.length && values <= MAX_VALUES; at++) {
    const code = json.charCodeAt(at)
    if (code === COMMA || code === BRACKET || code === BRACE) values++
  }
  return values > MAX_VALUES
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
