import { CollapsedText } from '../text/collapsed-text.ts'
import { canonicalUrl } from '../url/canonical-url.ts'
import { relatedLink, relWords } from './link-relation.ts'
import { type Link, MAX_ANCHOR_CHARS, type PushLinks } from './page.ts'
import { PushLinkReader } from './push-links.ts'

interface HeaderLinks {
  /** The first valid rel=canonical. */
  readonly canonical?: string
  readonly links: readonly Link[]
  readonly push?: PushLinks
}

/** More would be a flood, not a header. */
const MAX_HEADER_CHARS = 64 * 1024
const MAX_HEADER_LINKS = 100

/** What Link headers (RFC 8288) say of the page at `url`: its canonical address and related URLs. */
export function parseLinkHeader(header: string | readonly string[], url: string): HeaderLinks {
  const links: Link[] = []
  const push = new PushLinkReader(url)
  let canonical: string | undefined
  for (const value of typeof header === 'string' ? [header] : header)
    for (const { target, parameters } of linkValues(value.slice(0, MAX_HEADER_CHARS))) {
      if (parameters.anchor !== undefined) continue // it speaks of another page
      const { rel, type, hreflang } = parameters
      if (rel === undefined) continue
      push.take(rel.toLowerCase(), target)
      const isCanonical = canonical === undefined && relWords(rel).includes('canonical')
      const bits =
        links.length < MAX_HEADER_LINKS ? relatedLink({ rel, type, hreflang }) : undefined
      if (!isCanonical && bits === undefined) continue
      const resolved = canonicalUrl(target, url)
      if (resolved === undefined) continue
      if (isCanonical) canonical = resolved
      if (bits === undefined) continue
      links.push({ url: resolved, anchor: anchorOf(parameters.title), rel: bits })
    }
  return { canonical, links, push: push.found() }
}

interface LinkValue {
  readonly target: string
  /** By lower-case name; of repeated parameters the first one counts. */
  readonly parameters: Readonly<Record<string, string | undefined>>
}

/** Everything up to a comma outside quotes: the target in `<>`, then its parameters. */
function linkValues(header: string): LinkValue[] {
  const values: LinkValue[] = []
  for (let at = header.indexOf('<'); at >= 0; at = header.indexOf('<', at)) {
    const close = header.indexOf('>', at)
    if (close < 0) break
    const target = header.slice(at + 1, close).trim()
    const { parameters, end } = readParameters(header, close + 1)
    values.push({ target, parameters })
    at = end
  }
  return values
}

// `; name`, then perhaps `=` and a quoted string or a bare word. A quote left open runs to the end.
const PARAMETER = /[\s;]*([^\s;,="<>]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"?|([^\s;,"]*)))?/sy

function readParameters(header: string, start: number) {
  const parameters: Record<string, string | undefined> = Object.create(null)
  let end = start
  while (end < header.length) {
    PARAMETER.lastIndex = end
    const found = PARAMETER.exec(header)
    if (!found) break
    const [, name, quoted, bare] = found
    parameters[name.toLowerCase()] ??= quoted?.replace(/\\(.)/gs, '$1') ?? bare ?? ''
    end = PARAMETER.lastIndex
  }
  const comma = header.indexOf(',', end)
  return { parameters, end: comma < 0 ? header.length : comma }
}

function anchorOf(title = ''): string {
  const anchor = new CollapsedText(MAX_ANCHOR_CHARS)
  anchor.add(title)
  return anchor.toString()
}
