import { parseWebDate } from '#parse/text/web-date.ts'

/** Longer waits are the planner's business: by then it has something better to go by. */
const MAX_SECONDS = 24 * 3600

/**
 * For how many seconds a busy server (429, 503) asks to be left alone, at most a day; undefined when it
 * says nothing we understand. A date is compared with the server's own clock if it shows one.
 */
export function retryAfterSeconds(
  status: number,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  now: number,
): number | undefined {
  if (status !== 429 && status !== 503) return undefined
  const [text = ''] = [headers['retry-after']].flat()
  if (/^\s*\d+\s*$/.test(text)) return Math.min(Number(text), MAX_SECONDS)
  const until = parseWebDate(text)
  if (until === undefined) return undefined
  const theirNow = parseWebDate([headers.date].flat()[0] ?? '') ?? now
  return Math.min(Math.max(until - theirNow, 0), MAX_SECONDS)
}
