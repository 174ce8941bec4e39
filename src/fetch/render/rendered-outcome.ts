import { hash } from 'node:crypto'
import type { PageOutcome, Rendering } from '#learn/entries/outcome.ts'
import type { FieldRule } from '#parse/fields/field-rules.ts'
import type { ParsedPage } from '#parse/page/page.ts'
import { parsePage } from '#parse/parse-page.ts'
import type { RenderAnswer } from './renderer.ts'

const HTML = 'text/html; charset=utf-8'
/** Text that is longer by less is no gain. */
const LEAST_MORE_CHARS = 100
const LEAST_MORE_SHARE = 0.1

/** A page that was fetched and rendered: what scripts made of it, or itself if they made nothing more of it. */
export function renderedOutcome(
  fetched: PageOutcome,
  answer: RenderAnswer,
  cost: number,
  agentToken: string,
  fields?: readonly FieldRule[],
): PageOutcome {
  const { source: _, ...outcome } = fetched
  const { dom, reason, requests, refused, bytes: scriptBytes } = answer
  // A browser that never saw it took no longer than any fetch.
  const paid = answer.ms > 0 ? cost : 1
  const used = { cost: paid, requests, refused, bytes: scriptBytes }
  const whole = { ms: outcome.ms + answer.ms, bytes: outcome.bytes + scriptBytes }
  const as = (rendering: Rendering) => ({ ...outcome, ...whole, rendering })
  if (dom === undefined) return as({ state: 'failed', ...used, reason: reason ?? 'no answer' })
  const page = renderedPage(dom, outcome.page, outcome.url, agentToken, fields)
  if (!saysMore(page, outcome.page)) return as({ state: 'fruitless', ...used })
  const { etag: __, lastModified: ___, ...others } = as({ state: 'done', ...used })
  return { ...others, page, contentHash: hashOf(page), dom }
}

/** What scripts have made of a page, with what was asked before any ran. */
export function renderedPage(
  dom: Uint8Array,
  fetched: ParsedPage,
  url: string,
  agentToken?: string,
  fields?: readonly FieldRule[],
): ParsedPage {
  const rendered = parsePage(dom, HTML, url, agentToken, undefined, fields)
  return withStricter(rendered, fetched)
}

function saysMore(rendered: ParsedPage, fetched: ParsedPage): boolean {
  const least = Math.max(LEAST_MORE_CHARS, LEAST_MORE_SHARE * fetched.text.length)
  if (rendered.text.length >= fetched.text.length + least) return true
  const known = new Set(fetched.links.map(({ url }) => url))
  return rendered.links.some(({ url }) => !known.has(url))
}

/** What headers and markup asked for before any script ran holds for what scripts have made, too. */
function withStricter({ scriptNeed: _, ...rendered }: ParsedPage, fetched: ParsedPage): ParsedPage {
  const { noarchive, nosnippet, unavailableAfter, contentUsage } = { ...rendered, ...fetched }
  return {
    ...rendered,
    noindex: rendered.noindex || fetched.noindex,
    nofollow: rendered.nofollow || fetched.nofollow,
    ...(noarchive && { noarchive }),
    ...(nosnippet && { nosnippet }),
    ...(unavailableAfter !== undefined && { unavailableAfter }),
    ...(contentUsage !== undefined && { contentUsage }),
    ...(rendered.canonical === undefined &&
      fetched.canonical !== undefined && { canonical: fetched.canonical }),
  }
}

/** Of what is read of it: markup that scripts make is seldom the same to the byte. */
function hashOf({ title, text, links, noindex, nofollow }: ParsedPage): string {
  const targets = links.map(({ url }) => url)
  return hash('sha256', JSON.stringify([title, text, targets, noindex, nofollow]), 'hex')
}
