const SECONDS_A_DAY = 86_400

/** Ages are kept in seconds, rates in changes a day; a clock set back makes no negative age. */
export function ageInDays(seconds: number): number {
  return Math.max(0, seconds) / SECONDS_A_DAY
}

/** `3.0 days`. */
export function daysText(seconds: number): string {
  return `${ageInDays(seconds).toFixed(1)} days`
}
