import type { Rest } from '#learn/resting-origins.ts'
import { plainText } from '#parse/text/plain-text.ts'
import { momentText } from '../../text/age.ts'
import { duration, some } from '../terminal/output.ts'

/** Hosts named one by one when a crawl has ended. */
const NAMED_HOSTS = 3

/** Whom a crawl waits for, and for how long. */
export function waitingText({ host, until, urls, reason }: Rest, now: number): string {
  const left = duration(Math.max(0, until - now))
  return `waiting ${left} for ${host}${whyText(reason)}: ${some(urls, 'URL')} left there`
}

/** Which URLs a crawl leaves behind because their hosts rest, and what to do; hosts known to live come first. */
export function restLines(rests: readonly Rest[]): string[] {
  const sorted = rests.toSorted((a, b) => Number(b.hasAnswered) - Number(a.hasAnswered))
  const others = sorted.slice(NAMED_HOSTS)
  const lines = sorted.slice(0, NAMED_HOSTS).map(restLine)
  if (others.length === 0) return lines
  const urls = others.reduce((sum, rest) => sum + rest.urls, 0)
  const waiting = some(urls, 'URL waits', 'URLs wait')
  return [...lines, `${waiting} for ${some(others.length, 'other host')} likewise`]
}

function restLine({ host, until, urls, reason }: Rest): string {
  const waiting = `${some(urls, 'URL waits', 'URLs wait')} for ${host}`
  return `${waiting}, which is left alone until ${momentText(until)}${whyText(reason)}: run the same command again then`
}

function whyText(reason: string | undefined): string {
  return reason === undefined ? '' : ` (${plainText(reason)})`
}
