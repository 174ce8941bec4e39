const UNITS = [
  ['year', 365.25 * 86_400],
  ['month', 30.44 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const
const words = new Intl.RelativeTimeFormat('en', { numeric: 'always' })

/** How long ago that was, as people say it: "2 days ago". Times in seconds. */
export function ageText(then: number, now: number): string {
  const seconds = Math.max(0, now - then)
  for (const [unit, size] of UNITS)
    if (seconds >= size) return words.format(-Math.floor(seconds / size), unit)
  return 'just now'
}

/** The moment itself: "12 November 2026, 09:30 UTC". */
export function momentText(seconds: number): string {
  const format = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const
  return `${new Date(seconds * 1000).toLocaleString('en-GB', format).replace(' at ', ', ')} UTC`
}
