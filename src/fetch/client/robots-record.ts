import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { RobotsRecord } from '#crawl/ports.ts'

/** What came of asking for a robots.txt. */
export type RobotsFinding =
  | { readonly kind: 'file'; readonly text: string; readonly maxAgeSeconds?: number }
  | { readonly kind: 'none'; readonly maxAgeSeconds?: number }
  | { readonly kind: 'closed'; readonly reason: string }
  | { readonly kind: 'unreachable'; readonly reason: string; readonly retryAfterSeconds?: number }

/** RFC 9309 §2.4: no longer than a day, unless the file cannot be had. */
const MAX_VALID_SECONDS = 86_400
/** Many servers say `max-age=0` to everything; nobody wants robots.txt fetched before every page. */
const MIN_VALID_SECONDS = 3_600
/** A failure is asked about again soon, as it may have been a moment's; then ever later. */
const FIRST_FAILURE_SECONDS = 600
/** RFC 9309 §2.3.1.4: for so long the last good copy stands in for a file that cannot be had. */
const LAST_GOOD_SECONDS = 30 * 86_400
/** And after so long, and so many tries, it counts as not there. */
const GIVEN_UP_SECONDS = 30 * 86_400
const GIVEN_UP_TRIES = 5

/** An origin's record after it was asked again. */
export function robotsRecord(
  origin: string,
  previous: RobotsRecord | undefined,
  finding: RobotsFinding,
  now: number,
): RobotsRecord {
  const base = { origin, kind: finding.kind, fetchedAt: now }
  switch (finding.kind) {
    case 'file': {
      const validUntil = now + validSeconds(finding.maxAgeSeconds)
      return { ...base, validUntil, text: finding.text, textAt: now, failures: 0 }
    }
    case 'none':
      return { ...base, validUntil: now + validSeconds(finding.maxAgeSeconds), failures: 0 }
    case 'closed':
      return { ...base, reason: finding.reason, validUntil: now + validSeconds(), failures: 0 }
    case 'unreachable': {
      const failures = (previous?.failures ?? 0) + 1
      const own = FIRST_FAILURE_SECONDS * 2 ** (failures - 1)
      const wait = Math.min(Math.max(own, finding.retryAfterSeconds ?? 0), MAX_VALID_SECONDS)
      return {
        ...base,
        reason: finding.reason,
        validUntil: now + wait,
        failures,
        failingSince: previous?.failingSince ?? now,
        ...(previous?.text !== undefined && { text: previous.text, textAt: previous.textAt! }),
      }
    }
  }
}

/**
 * The text whose rules hold: the file's, else the last good copy's, '' if there is none. Nobody's
 * while the file cannot be had and there is no copy to go by, until we give up hope: then what is there counts.
 */
export function textInForce(record: RobotsRecord, now: number): string | undefined {
  if (record.kind === 'none') return ''
  if (record.kind === 'file') return record.text
  if (record.kind === 'closed') return undefined
  const { text = '', textAt = Number.NEGATIVE_INFINITY, failingSince = now, failures } = record
  const isGivenUp = now - failingSince >= GIVEN_UP_SECONDS && failures >= GIVEN_UP_TRIES
  return isGivenUp || now - textAt <= LAST_GOOD_SECONDS ? text : undefined
}

/** The `max-age` of a Cache-Control header, if it states one. */
export function maxAgeSeconds(header: string | string[] | undefined): number | undefined {
  const age = /(?:^|[,\s])max-age\s*=\s*"?(\d{1,10})/i.exec([header].flat().join(','))?.[1]
  return age === undefined ? undefined : Number(age)
}

function validSeconds(maxAge = MAX_VALID_SECONDS): number {
  return Math.min(Math.max(maxAge, MIN_VALID_SECONDS), MAX_VALID_SECONDS)
}

/** Shorter texts are hardly worth it. */
const PACKED_CHARS = 4_096

/** How long the packed ones are: to count them they need not be unpacked. */
const chars = new WeakMap<RobotsRecord, number>()

/** A record whose text is packed if it is long: once its rules are ready, it is only read to be handed on. */
export function packedRecord(record: RobotsRecord): RobotsRecord {
  const { text } = record
  if (text === undefined || text.length < PACKED_CHARS || chars.has(record)) return record
  const bytes = new Uint8Array(deflateRawSync(text, { level: 1 })) // without the room that was left
  const packed = {
    ...record,
    get text() {
      return inflateRawSync(bytes).toString()
    },
  }
  chars.set(packed, text.length)
  return packed
}

/** The length of a record's text. */
export function textChars(record: RobotsRecord): number {
  return chars.get(record) ?? record.text?.length ?? 0
}
