import { REL_FEED, REL_HUB, REL_NOFOLLOW, REL_SITEMAP, REL_UNVOTED } from '#parse/page/page.ts'
import { looksLikeSoftError } from '#parse/page/soft-404.ts'
import { said } from '../../text/said.ts'
import { duration } from '../terminal/output.ts'
import { type Line, linesText } from '../words/labelled-lines.ts'
import { refusedAddressText } from '../words/refused-address.ts'
import { robotsText } from '../words/robots-text.ts'
import type { FetchStep } from './fetch-steps.ts'
import type { RequestTiming } from './request-timings.ts'

const EXCERPT_CHARS = 300

/** What `forager fetch --json` prints. */
interface FetchReport {
  /** As the user wrote it. */
  readonly asked: string
  /** The form under which a crawl knows it. */
  readonly url: string
  readonly userAgent: string
  readonly steps: readonly object[]
  readonly page?: PageReport
  /** What a crawl would do with it, in a sentence. */
  readonly verdict: string
  readonly isPage: boolean
}

/** What a page offers to a crawl. */
interface PageReport {
  readonly form: string
  readonly title: string
  readonly language?: string
  /** The language it declares, if it speaks another. */
  readonly declaredLanguage?: string
  readonly charset?: string
  readonly canonical?: string
  /** Longer than the limit: only its beginning was read. */
  readonly cut?: true
  /** What the page asks of us: noindex, nofollow … */
  readonly directives: readonly string[]
  readonly textChars: number
  readonly excerpt: string
  readonly contentHash: string
  /** It says next to nothing until its scripts run. */
  readonly isFrame?: boolean
  readonly softError: boolean
  readonly etag?: string
  readonly lastModified?: string
  readonly linkCount: number
  readonly links: readonly { url: string; anchor: string; nofollow: boolean }[]
  /** Feeds and sitemaps that the page, its headers or robots.txt name. */
  readonly hubs: readonly string[]
}

/** Everything learnt from the steps, ready to be printed in either form. */
export function fetchReport(
  asked: string,
  userAgent: string,
  steps: readonly FetchStep[],
  shownLinks: number,
): FetchReport {
  const last = steps.at(-1)
  const page = last && pageReport(last, shownLinks)
  return {
    asked,
    url: steps[0]?.url ?? asked,
    userAgent,
    steps: steps.map(stepReport),
    page,
    verdict: verdictOf(steps, page),
    isPage: page !== undefined,
  }
}

function stepReport({ outcome, ...step }: FetchStep): object {
  const { kind, ms } = outcome
  return {
    ...step,
    outcome: kind,
    ...('status' in outcome && { status: outcome.status }),
    ...('reason' in outcome && { reason: outcome.reason }),
    ...('rule' in outcome && { rule: outcome.rule }),
    ...('target' in outcome && { target: outcome.target }),
    ...('retryAfterSeconds' in outcome && { retryAfterSeconds: outcome.retryAfterSeconds }),
    ms,
  }
}

function pageReport(
  { outcome, received, robots }: FetchStep,
  shown: number,
): PageReport | undefined {
  if (outcome.kind !== 'page') return undefined
  const { page, found = [], contentHash, etag, lastModified } = outcome
  const { title, text, language, canonical, form, links } = page
  const votes = links.filter(({ rel }) => form !== 'page' || (rel & REL_UNVOTED) === 0)
  const hubs = [...links, ...found].filter(
    ({ rel }) => (rel & (REL_HUB | REL_FEED | REL_SITEMAP)) !== 0,
  )
  const charset = /charset=["']?([\w.:-]+)/i.exec(received?.contentType ?? '')?.[1]
  return {
    form,
    title,
    language,
    declaredLanguage: page.declaredLanguage,
    charset: charset?.toLowerCase(),
    canonical,
    cut: page.cut,
    directives: directivesOf(page),
    textChars: text.length,
    excerpt: text.slice(0, EXCERPT_CHARS),
    contentHash,
    isFrame: page.scriptNeed === 'shell' || undefined,
    softError: looksLikeSoftError(page),
    etag,
    lastModified,
    linkCount: votes.length,
    links: votes
      .slice(0, shown)
      .map(({ url, anchor, rel }) => ({ url, anchor, nofollow: (rel & REL_NOFOLLOW) !== 0 })),
    hubs:
      form === 'page'
        ? [...new Set([...hubs.map(({ url }) => url), ...(robots?.sitemaps ?? [])])]
        : [],
  }
}

type Failure = Extract<FetchStep['outcome'], { kind: 'failed' }>
type ParsedPage = Extract<FetchStep['outcome'], { kind: 'page' }>['page']

function directivesOf(page: ParsedPage): string[] {
  const { unavailableAfter, refreshTo, contentUsage } = page
  return said(
    ...(['noindex', 'nofollow', 'noarchive', 'nosnippet'] as const).filter((name) => page[name]),
    unavailableAfter !== undefined &&
      `unavailable_after ${new Date(unavailableAfter * 1000).toISOString()}`,
    refreshTo !== undefined && `refresh to ${refreshTo}`,
    contentUsage !== undefined && `Content-Usage: ${contentUsage}`,
  )
}

function verdictOf(steps: readonly FetchStep[], page: PageReport | undefined): string {
  const last = steps.at(-1)
  if (!last) return 'no answer came'
  const { outcome } = last
  switch (outcome.kind) {
    case 'page':
      return pageVerdict(last, page!)
    case 'unchanged':
      return 'our copy is still good: it stays'
    case 'redirect':
      return `it redirects to ${outcome.target}, which ${steps.length > 1 ? 'was seen before, is out of scope or one hop too many' : 'a crawl would leave alone'}`
    case 'gone':
      return 'it is gone: not fetched again'
    case 'unreadable':
      return `nothing we can read (${outcome.reason}): not kept`
    case 'denied':
      return `the server denies it (status ${outcome.status}${asked(outcome.reason)}): not kept, not insisted on`
    case 'disallowed':
      return `robots.txt forbids it (${outcome.rule}): not fetched`
    case 'forbidden':
      return refusedAddressText(outcome.url, outcome.reason)
    case 'failed':
      return `it failed (${outcome.reason}): tried again later${restText(outcome)}`
  }
}

/** The server's own request if it answered at all, else our manners. */
function restText({ status, retryAfterSeconds: seconds }: Failure): string {
  if (seconds === undefined) return ''
  const who = status === undefined ? 'it would be left alone' : 'as it asks to be left alone'
  return `, ${who} for ${duration(Math.ceil(seconds))}`
}

function asked(reason: string | undefined): string {
  return reason === undefined ? '' : `, ${reason}`
}

function pageVerdict({ url, outOfScope }: FetchStep, page: PageReport): string {
  if (outOfScope !== undefined) return `a crawl would not fetch it: ${outOfScope}`
  const says = new Set(page.directives)
  if (page.form !== 'page') return `a ${page.form}: its ${page.linkCount} URLs would be learnt`
  const index = says.has('noindex')
    ? 'kept, but not shown in results (noindex)'
    : page.softError
      ? 'kept, but it looks like an error page: not shown in results'
      : page.canonical !== undefined && page.canonical !== url
        ? `kept as a copy of ${page.canonical}`
        : 'kept'
  const links = says.has('nofollow')
    ? 'its links are not followed (nofollow)'
    : `its ${page.linkCount} links are followed as far as they are in scope`
  return `${index}; ${links}`
}

/** The report for people. */
export function fetchText(report: FetchReport, steps: readonly FetchStep[]): string {
  const lines: Line[] = []
  const add = (label: string, value: string | undefined) => {
    if (value !== undefined && value !== '') lines.push([label, value])
  }
  add('asked for', report.asked)
  add('as', report.userAgent)
  for (const [i, step] of steps.entries()) {
    lines.push(['', ''])
    add(i === 0 ? 'URL' : `hop ${i}`, step.url)
    add('scope', step.outOfScope === undefined ? 'in scope' : `left alone: ${step.outOfScope}`)
    add('trap sign', step.trapSign)
    add('robots.txt', step.robots ? robotsText(step.robots) : 'not asked')
    if (step.robotsTiming) add('', `asked in ${partsText(step.robotsTiming)}`)
    add('answer', answerText(step))
    add('address', step.received?.address)
    add('time', timeText(step.outcome.ms, step.timing))
    add('content', contentText(step))
  }
  const { page } = report
  if (page) {
    lines.push(['', ''])
    add('title', page.title)
    const declared = page.declaredLanguage
    add('language', `${page.language ?? ''}${declared ? `, though it declares ${declared}` : ''}`)
    add('canonical', page.canonical)
    add('directives', page.directives.join(', ') || 'none')
    add('text', `${page.textChars.toLocaleString('en')} characters: ${page.excerpt}`)
    if (page.isFrame) add('scripts', 'it says next to nothing until they run: see crawl --render')
    if (page.cut) add('cut', 'it is longer than --max-body: only its beginning was read')
    add('content hash', page.contentHash.slice(0, 16))
    if (page.softError) add('looks like', 'an error page that says 200 (soft 404)')
    for (const hub of page.hubs) add('feed, sitemap', hub)
    add('links', page.linkCount.toLocaleString('en'))
    for (const { url, anchor, nofollow } of page.links)
      add('', `${url}${anchor && `  "${anchor}"`}${nofollow ? '  nofollow' : ''}`)
  }
  lines.push(['', ''])
  add('so', report.verdict)
  return linesText(lines)
}

function answerText({ outcome }: FetchStep): string {
  const status = 'status' in outcome && outcome.status !== undefined ? `${outcome.status}, ` : ''
  if (outcome.kind === 'redirect') return `${status}redirect to ${outcome.target}`
  const why = 'reason' in outcome ? ` (${outcome.reason})` : ''
  const isAsked = outcome.kind === 'failed' && outcome.status !== undefined
  const rest = isAsked ? outcome.retryAfterSeconds : undefined
  return `${status}${outcome.kind}${why}${rest === undefined ? '' : `, Retry-After ${rest} s`}`
}

function timeText(totalMs: number, timing: RequestTiming | undefined): string {
  const parts = timing ? partsText(timing) : ''
  return `${totalMs.toFixed(0)} ms${parts && ` (${parts})`}`
}

function partsText({ dnsMs, connectMs, firstByteMs, bodyMs }: RequestTiming): string {
  const parts = { DNS: dnsMs, connect: connectMs, 'first byte': firstByteMs, body: bodyMs }
  return Object.entries(parts)
    .flatMap(([name, ms]) => (ms === undefined ? [] : [`${name} ${ms.toFixed(0)} ms`]))
    .join(', ')
}

function contentText({ received }: FetchStep): string | undefined {
  if (!received) return undefined
  const { contentType = 'no type', encoding, wireBytes, decodedBytes, truncated } = received
  const packed = encoding === undefined ? '' : `, ${encoding}`
  const unpacked =
    decodedBytes === undefined || decodedBytes === wireBytes
      ? ''
      : ` → ${decodedBytes.toLocaleString('en')}`
  return `${contentType}${packed}, ${wireBytes.toLocaleString('en')}${unpacked} bytes${truncated ? `, cut (${truncated})` : ''}`
}
