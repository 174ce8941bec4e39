const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const ZONE_HOURS: ReadonlyMap<string, number> = new Map([
  ['est', -5],
  ['edt', -4],
  ['cst', -6],
  ['cdt', -5],
  ['mst', -7],
  ['mdt', -6],
  ['pst', -8],
  ['pdt', -7],
  ['cet', 1],
  ['cest', 2],
])

// W3C's profile of ISO 8601, where the parts may be left out from the right.
const ISO =
  /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:(?:t|\s+)(\d\d):(\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?\s*(z|[a-z]{3,4}|[+-]\d\d:?\d\d)?)?)?)?$/
// RFC 822, its successors, and RFC 850: `Friday, 25-Jun-10 15:00:00 UTC`.
const DAY_MONTH_YEAR =
  /^(?:[a-z]{3,9}\.?,?\s*)?(\d{1,2})[\s-]+([a-z]{3})[a-z]{0,6}\.?[\s-]+(\d{4}|\d\d)(?:,?\s+(\d{1,2}):(\d\d)(?::(\d\d))?\s*(z|[a-z]{2,4}|(?:gmt|utc)?[+-]\d\d:?\d\d)?)?$/
// C's asctime: `Sun Nov  6 08:49:37 1994`.
const ASCTIME = /^[a-z]{3,9}\s+([a-z]{3})\s+(\d{1,2})\s+(\d\d):(\d\d):(\d\d)\s+(\d{4})$/
const LONGEST_DATE = 64

/**
 * A date as headers, sitemaps and feeds write it, in seconds since 1970; undefined if it is none.
 * Without a zone, or in one we do not know, it is UTC: never the zone of this machine.
 */
export function parseWebDate(text: string): number | undefined {
  const date = text.trim().toLowerCase()
  if (date.length > LONGEST_DATE) return undefined
  const iso = ISO.exec(date)
  if (iso) {
    const [, year, month = '1', day = '1', hour, minute, second, zone] = iso
    return seconds(year, Number(month), day, hour, minute, second, zone)
  }
  const written = DAY_MONTH_YEAR.exec(date)
  if (written) {
    const [, day, month, year, hour, minute, second, zone] = written
    return seconds(fourDigits(year), monthNumber(month), day, hour, minute, second, zone)
  }
  const asctime = ASCTIME.exec(date)
  if (!asctime) return undefined
  const [, month, day, hour, minute, second, year] = asctime
  return seconds(year, monthNumber(month), day, hour, minute, second)
}

function seconds(
  year: string,
  month: number,
  day: string,
  hour = '0',
  minute = '0',
  second = '0',
  zone = 'z',
): number | undefined {
  if (month < 1 || month > 12 || Number(hour) > 24 || Number(minute) > 59) return undefined
  const date = new Date(0)
  date.setUTCFullYear(Number(year), month - 1, Number(day))
  if (date.getUTCMonth() !== month - 1) return undefined // 31 June, or day 0
  const time = Number(hour) * 3600 + Number(minute) * 60 + Number(second)
  return date.getTime() / 1000 + time - zoneSeconds(zone)
}

function zoneSeconds(zone: string): number {
  const offset = /([+-])(\d\d):?(\d\d)$/.exec(zone)
  if (!offset) return (ZONE_HOURS.get(zone) ?? 0) * 3600
  const [, sign, hours, minutes] = offset
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60)
}

function monthNumber(name: string): number {
  return MONTHS.indexOf(name) + 1
}

/** RFC 2822 §4.3 on years of two digits. */
function fourDigits(year: string): string {
  if (year.length === 4) return year
  return `${Number(year) < 50 ? 20 : 19}${year}`
}
