import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseQuietHours, type QuietWindow, quietUntil } from './quiet-hours.ts'

const at = (text: string) => Date.parse(text) / 1000
const windows = (...texts: string[]) => texts.map((text) => parseQuietHours(text)!)
const until = (texts: string[], now: string) => {
  const end = quietUntil(windows(...texts), at(now))
  return end === 0 ? 'not quiet' : new Date(end * 1000).toISOString().slice(0, 16)
}

test.each([
  [['22:00-06:00 UTC'], '2027-03-01T23:30:00Z', '2027-03-02T06:00'],
  [['22:00-06:00 UTC'], '2027-03-02T05:59:59Z', '2027-03-02T06:00'],
  [['22:00-06:00 UTC'], '2027-03-02T06:00:00Z', 'not quiet'],
  [['22:00-06:00 UTC'], '2027-03-02T21:59:59.9Z', 'not quiet'],
  [['Mon-Fri 08:00-18:00 Europe/Berlin'], '2027-03-01T07:00:00Z', '2027-03-01T17:00'],
  [['Mon-Fri 08:00-18:00 Europe/Berlin'], '2027-03-06T07:00:00Z', 'not quiet'],
  [['Sat,Sun 00:00-24:00 UTC'], '2027-03-06T10:00:00Z', '2027-03-08T00:00'],
  [['fri 22:00-06:00 UTC'], '2027-03-06T03:00:00Z', '2027-03-06T06:00'],
  [['fri 22:00-06:00 UTC'], '2027-03-05T03:00:00Z', 'not quiet'],
  [['22:00-02:00 UTC', '01:00-05:30 UTC'], '2027-03-05T23:00:00Z', '2027-03-06T05:30'],
  [['00:00-24:00 UTC'], '2027-03-05T23:00:00Z', '2027-03-13T00:00'],
  // The night on which clocks are set back has an hour more.
  [['22:00-06:00 Europe/Berlin'], '2027-10-30T21:00:00Z', '2027-10-31T05:00'],
])('with quiet hours %j it is quiet at %s until %s', (texts, now, end) => {
  expect(until(texts, now)).toBe(end)
})

test.each([
  '',
  '22-06',
  '22:00',
  '25:00-06:00',
  '22:61-06:00',
  '08:00-08:00',
  'Mo 08:00-10:00',
  'Mon-Tue-Wed 08:00-10:00',
  '08:00-10:00 Nowhere/Land',
])('"%s" names no quiet hours', (text) => {
  // biome-ignore format: one list
  expect(parseQuietHours(text)).toBeUndefined()
})

/** Whether a minute of the week is quiet, by the words of a window. */
function isQuiet({ days, from, to }: QuietWindow, day: number, minute: number): boolean {
  if (to > from) return days[day] && minute >= from && minute < to
  return (days[day] && minute >= from) || (days[(day + 6) % 7] && minute < to)
}

test('quiet hours end at the first minute at which no window holds', () => {
  const window = fc.record({
    days: fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }),
    from: fc.integer({ min: 0, max: 1_439 }),
    to: fc.integer({ min: 1, max: 1_440 }),
    zone: fc.constant('UTC'),
  })
  const some = fc.array(
    window.filter(({ from, to }) => from !== to),
    { maxLength: 3 },
  )
  fc.assert(
    fc.property(some, fc.integer({ min: 0, max: 10_079 }), (all, minute) => {
      const sunday = at('2027-02-28T00:00:00Z')
      const quietAt = (some: number) =>
        all.some((each) => isQuiet(each, Math.floor(some / 1_440) % 7, some % 1_440))
      let end = minute
      while (end < minute + 10_080 && quietAt(end)) end++
      const found = quietUntil(all, sunday + 60 * minute)
      if (end === minute) expect(found).toBe(0)
      else if (end < minute + 10_080) expect(found).toBe(sunday + 60 * end)
    }),
  )
})
