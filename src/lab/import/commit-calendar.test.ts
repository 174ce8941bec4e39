import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Commit, CommitDays, commitCalendar } from './commit-calendar.ts'

const DAY = 86_400
const at = (time: string) => Date.parse(time) / 1000

function calendarOf(
  times: readonly number[],
  range: Partial<Parameters<typeof commitCalendar>[1]>,
) {
  const days = new CommitDays()
  for (const [i, time] of times.entries()) days.add({ id: String(i), at: time })
  return commitCalendar(days, { stepDays: 7, ...range })
}

test('snapshots are counted back from the last commit, each with the last commit until its day ends', () => {
  const times = ['2026-01-22T10:00Z', '2026-01-15T23:59Z', '2026-01-15T03:00Z', '2026-01-03T10:00Z']
  const { dates, commits, snapshotOf } = calendarOf(times.map(at), {})
  expect(dates).toEqual(['2026-01-08', '2026-01-15', '2026-01-22'])
  expect(commits.map(({ id }) => id)).toEqual(['3', '1', '0'])
  expect(dates.map((date) => snapshotOf(at(date)))).toEqual([0, 1, 2])
})

test('the range is the user’s, but never begins before there was a commit', () => {
  const times = [at('2026-01-22T10:00Z'), at('2026-01-03T10:00Z')]
  expect(calendarOf(times, { to: '2026-02-05' }).dates.at(-1)).toBe('2026-02-05')
  expect(calendarOf(times, { to: '2026-01-03' }).dates).toEqual(['2026-01-03'])
  expect(calendarOf(times, { from: '2020-01-01' }).dates[0]).toBe('2026-01-08')
  expect(calendarOf(times, { from: '2026-01-20' }).dates).toEqual(['2026-01-22'])
  expect(() => calendarOf(times, { to: '2300-01-01' })).toThrow(/stepDays 7 makes \d+ snapshots/)
})

test('a commit with a date that cannot be right is passed over', () => {
  const { dates } = calendarOf([1e15, at('2026-01-03T10:00Z'), 0, -5, Number.NaN], {})
  expect(dates).toEqual(['2026-01-03'])
  expect(() => calendarOf([0], {})).toThrow(/no commit has a date that can be right/)
})

test('each snapshot has the commit that a search through all of them finds', () => {
  const start = at('2026-01-01')
  const times = fc.array(fc.integer({ min: start, max: start + 60 * DAY }), { minLength: 1 })
  fc.assert(
    fc.property(times, fc.integer({ min: 1, max: 20 }), (moments, stepDays) => {
      const { dates, commits } = calendarOf(moments, { stepDays })
      const all: Commit[] = moments.map((time, i) => ({ id: String(i), at: time }))
      expect(at(dates.at(-1)!)).toBe(Math.floor(Math.max(...moments) / DAY) * DAY)
      for (const [i, date] of dates.entries()) {
        const made = all.filter((commit) => commit.at < at(date) + DAY)
        expect(commits[i]).toEqual(made.sort((a, b) => b.at - a.at)[0])
        if (i > 0) expect(at(date) - at(dates[i - 1])).toBe(stepDays * DAY)
      }
    }),
  )
})
