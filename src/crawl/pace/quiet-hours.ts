/** Hours of some days of the week in which nothing is asked. */
export interface QuietWindow {
  /** By weekday, Sunday first. */
  readonly days: readonly boolean[]
  /** Minutes of the day; an end that is not after the beginning is on the next day. */
  readonly from: number
  readonly to: number
  /** An IANA name; that of the machine if left out. */
  readonly zone?: string
}

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const DAY_MINUTES = 1_440
const SHAPE = /^(?:([a-z,-]+)\s+)?(\d\d):(\d\d)\s*-\s*(\d\d):(\d\d)(?:\s+(\S+))?$/i

/** Reads `22:00-06:00`, `Mon-Fri 08:00-18:00` or `Sat,Sun 00:00-24:00 Europe/Berlin`; undefined if it is none. */
export function parseQuietHours(text: string): QuietWindow | undefined {
  const [, dayNames, fromHour, fromMinute, toHour, toMinute, zone] = SHAPE.exec(text.trim()) ?? []
  if (fromHour === undefined) return undefined
  const days = dayNames === undefined ? DAYS.map(() => true) : daysOf(dayNames.toLowerCase())
  const [from, to] = [minutesOf(fromHour, fromMinute), minutesOf(toHour, toMinute)]
  if (!days || from === undefined || to === undefined || from === to) return undefined
  if (zone !== undefined && !isZone(zone)) return undefined
  return { days, from, to, ...(zone !== undefined && { zone }) }
}

/** When quiet hours end that hold now; 0 if none do. All day, every day, ends after a week. */
export function quietUntil(windows: readonly QuietWindow[], now: number): number {
  let until = now
  for (let longest = now + 7 * DAY_MINUTES * 60; until < longest; ) {
    const ends = windows.map((window) => endOf(window, until))
    const end = Math.max(0, ...ends)
    if (end === 0) return until > now ? until : 0
    until = end
  }
  return until
}

/** The same for whoever asks often: it is worked out once a minute. */
export function quietHours(windows: readonly QuietWindow[]): (now: number) => number {
  let [minute, until] = [-1, 0]
  return (now) => {
    const asked = Math.floor(now / 60)
    if (asked !== minute) until = windows.length > 0 ? quietUntil(windows, now) : 0
    minute = asked
    return until
  }
}

/** The end of a window that holds at a time, 0 if it does not. The clock may be set meanwhile: who waits looks again. */
function endOf({ days, from, to, zone }: QuietWindow, at: number): number {
  const { day, minute, second } = localTime(at, zone)
  const isOvernight = to <= from
  const yesterday = days[(day + 6) % 7]
  const startOfMinute = at - second
  if (days[day] && minute >= from && (isOvernight || minute < to))
    return startOfMinute + 60 * (to - minute + (isOvernight ? DAY_MINUTES : 0))
  if (isOvernight && yesterday && minute < to) return startOfMinute + 60 * (to - minute)
  return 0
}

const formats = new Map<string | undefined, Intl.DateTimeFormat>()

function localTime(at: number, zone: string | undefined) {
  const format = formats.get(zone) ?? formatOf(zone)
  formats.set(zone, format)
  const parts = new Map(format.formatToParts(at * 1000).map(({ type, value }) => [type, value]))
  const number = (type: string) => Number(parts.get(type as Intl.DateTimeFormatPartTypes))
  return {
    day: DAYS.indexOf(parts.get('weekday')!.toLowerCase()),
    minute: 60 * number('hour') + number('minute'),
    second: number('second') + (at - Math.floor(at)),
  }
}

function formatOf(timeZone: string | undefined): Intl.DateTimeFormat {
  const clock = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    hourCycle: 'h23',
    ...clock,
  })
}

function isZone(name: string): boolean {
  try {
    formatOf(name)
    return true
  } catch {
    return false
  }
}

function minutesOf(hour: string, minute: string): number | undefined {
  const minutes = 60 * Number(hour) + Number(minute)
  return Number(minute) < 60 && minutes <= DAY_MINUTES ? minutes : undefined
}

/** `mon-fri`, `sat,sun`; a range may go over the end of the week. */
function daysOf(names: string): boolean[] | undefined {
  const days = DAYS.map(() => false)
  for (const part of names.split(',')) {
    const [first, last = first, ...more] = part.split('-').map((name) => DAYS.indexOf(name))
    if (first < 0 || last < 0 || more.length > 0) return undefined
    for (let day = first; ; day = (day + 1) % 7) {
      days[day] = true
      if (day === last) break
    }
  }
  return days
}
