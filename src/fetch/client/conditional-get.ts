import type { FetchRequest } from '#crawl/ports.ts'
import type { FetchOutcome, PageOutcome } from '#learn/entries/outcome.ts'
import type { Question, Validators, ValidatorsTrust } from './validators-trust.ts'

/** A header's value may hold no line end: what a server once sent must not become a header of ours. */
const CLEAN = /^[\t\x20-\x7e\x80-\xff]+$/
const ETAG = /^(W\/)?"[^"]*"$/

/**
 * The headers that ask "only if it is no longer what I have". If-None-Match wins where both are known
 * (RFC 9110 §13.1.3), so the date goes along for servers that know nothing else.
 */
export function conditionalHeaders(
  validators: FetchRequest['validators'],
): Readonly<Record<string, string>> {
  const { etag, lastModified } = validators ?? {}
  return {
    ...(etag !== undefined && CLEAN.test(etag) && { 'if-none-match': quoted(etag) }),
    ...(lastModified !== undefined &&
      CLEAN.test(lastModified) && { 'if-modified-since': lastModified }),
  }
}

/** Some servers forget the quotes when they send a tag, and want them when it comes back. */
function quoted(etag: string): string {
  return ETAG.test(etag) ? etag : `"${etag.replaceAll('"', '')}"`
}

/**
 * The outcome, unless it is a 304 that the host gives to any question: that says nothing about the
 * page, so it failed, and the next try asks without validators. Either way the host's trust learns.
 */
export function believed(
  outcome: FetchOutcome,
  question: Question,
  copy: Validators | undefined,
  trust: ValidatorsTrust,
  host: string,
): FetchOutcome {
  if (question.kind === 'none') return outcome
  if (outcome.kind === 'page') {
    const reply = comesLike(outcome, copy) ? 'same' : 'changed'
    trust.learn(host, question.kind, reply, outcome.at)
    return outcome
  }
  if (outcome.kind !== 'unchanged') return outcome
  if (trust.learn(host, question.kind, 'unchanged', outcome.at)) return outcome
  const { bytes: _, ...seen } = outcome
  return { ...seen, kind: 'failed', reason: 'answers 304 to any question', sent: true }
}

/** True when a page came in full with the very validator we asked about: a 304 would have done. */
function comesLike({ etag, lastModified }: PageOutcome, copy: Validators | undefined): boolean {
  if (etag !== undefined && copy?.etag !== undefined) return etag === copy.etag
  return lastModified !== undefined && lastModified === copy?.lastModified
}
