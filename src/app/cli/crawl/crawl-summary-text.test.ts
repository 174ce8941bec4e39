import { describe, expect, test } from 'vitest'
import { type ToldSummary as CrawlSummary, describeEnd, summaryText } from './crawl-summary-text.ts'

const summary: CrawlSummary = {
  end: 'budget spent',
  policy: 'bfs',
  dir: 'crawl',
  budget: 100,
  spent: 100,
  fetchedNow: 100,
  bytes: 1,
  outcomes: { page: 100, disallowed: 2 },
  known: 1,
  waiting: 0,
  seconds: 1,
  failures: [],
  refusals: [],
  tasks: { acquire: 100, refresh: 0, discover: 0 },
}

function notesOn(ended: CrawlSummary): string[] {
  const notes: string[] = []
  const output = { json: false, result: () => {}, note: (text: string) => notes.push(text) }
  describeEnd(ended, output)
  return notes
}

test('a crawl that spent its budget tells by which budget it goes on', () => {
  expect(summaryText(summary)).toMatch(/^budget spent: 100 of 100 fetches, 100 of them now/)
  expect(notesOn(summary)).toEqual([
    'To go on, run the same command with --budget +100: so many more, whenever it is run',
  ])
})

test('who crawls frames without rendering them hears of it', () => {
  const [note] = notesOn({ ...summary, end: 'nothing left to fetch', frames: 2 })
  expect(note).toMatch(/^2 pages say next to nothing until scripts run: --render lets/)
})

test('a budget that earlier runs exceed is said to be too small, and what to go on with counts from them', () => {
  const again = { ...summary, spent: 600, fetchedNow: 0, outcomes: {} }
  expect(summaryText(again)).toMatch(
    /^budget spent: 600 fetches by earlier runs, more than --budget 100, 0 of them now/,
  )
  expect(notesOn(again)).toEqual([
    'To go on, run the same command with --budget +1000: so many more, whenever it is run',
  ])
})

test('what was not asked for is marked, since it is no part of the budget', () => {
  expect(summaryText(summary)).toMatch(/disallowed by robots\.txt \(not asked\) +2$/m)
})

test('a run without outcomes has no table of them, and one URL is one URL', () => {
  const text = summaryText({ ...summary, fetchedNow: 0, outcomes: {} })
  expect(text).not.toMatch(/outcome|─/)
  expect(text).toMatch(/^1 URL known, 0 not fetched yet; kept in crawl$/m)
})

test('one failure is one fetch, and one URL that is left is one', () => {
  const ended: CrawlSummary = {
    ...summary,
    end: 'nothing left to fetch',
    waiting: 1,
    failures: ['http://a.test/: timeout'],
    outcomes: { page: 3, failed: 1 },
  }
  const [failed, left] = notesOn(ended)
  expect(failed).toBe('1 fetch failed, for example http://a.test/: timeout')
  expect(left).toMatch(/^1 URL is left that failed/)
})

test('hosts that turned us away are named with why, and what to do', () => {
  const refusing = [
    { host: 'a.test', urls: 2, status: 403, reason: 'asks for a signature' },
    { host: 'b.test', urls: 1, status: 451 },
  ]
  expect(notesOn({ ...summary, refusing }).slice(0, 2)).toEqual([
    expect.stringMatching(
      /^a\.test turned us away from 2 URLs \(status 403, asks for a signature\): sign requests/,
    ),
    expect.stringMatching(/^b\.test turned us away from 1 URL \(status 451\): write to its owner/),
  ])
})

test('a run with nothing to do says where to find out why', () => {
  const idle = { ...summary, end: 'nothing left to fetch', fetchedNow: 0, outcomes: {} } as const
  expect(notesOn(idle)).toEqual([
    'All known URLs were fetched, or may not be: forager explain URL tells why',
  ])
})

describe('a crawl that leaves URLs behind whose hosts rest', () => {
  const until = Date.UTC(2026, 10, 16, 9, 30) / 1000
  const busy = {
    host: 'a.test',
    until,
    urls: 7,
    copies: 2,
    reason: 'status 429',
    hasAnswered: true,
  }
  const ended: CrawlSummary = {
    ...summary,
    end: 'nothing left to fetch',
    outcomes: { page: 3 },
    waiting: 5,
    rests: [busy],
  }
  const told =
    '7 URLs wait for a.test, which is left alone until 16 November 2026, 09:30 UTC (status 429): run the same command again then'

  test('says so, and when to come back', () => {
    expect(summaryText(ended)).toMatch(/^nothing left to fetch for now: /)
    expect(notesOn(ended)).toEqual([told])
  })

  test('does not call what was put off meanwhile a failure', () => {
    const waited = { ...ended, outcomes: { page: 3, failed: 21 }, putOff: 21 }
    expect(summaryText(waited)).toMatch(/^put off while their hosts rest \(not asked\) +21$/m)
    expect(summaryText(waited)).not.toMatch(/^failed/m)
    expect(notesOn(waited)).toEqual([told])
    const [failed] = notesOn({ ...waited, putOff: 20, failures: ['http://a.test/b: status 429'] })
    expect(failed).toBe('1 fetch failed, for example http://a.test/b: status 429')
  })

  test('tells apart what failed otherwise', () => {
    const [, left] = notesOn({ ...ended, waiting: 6 })
    expect(left).toMatch(/^1 URL is left that failed/)
  })

  test('names three hosts, those first that have answered, and counts the others', () => {
    const dead = { ...busy, host: 'dead.test', hasAnswered: false }
    const notes = notesOn({ ...ended, waiting: 0, rests: [dead, dead, busy, busy, busy] })
    expect(notes).toEqual([told, told, told, '14 URLs wait for 2 other hosts likewise'])
  })

  test('says so too if nothing came at all, unless nobody ever answered', () => {
    const { exitCode } = process
    const failures = ['http://a.test/: status 429']
    const nothing = { ...ended, outcomes: { failed: 7 }, failures }
    const first = `forager: nothing could be fetched: ${failures[0]}`
    expect(notesOn(nothing)).toEqual([first, told])
    expect(notesOn({ ...nothing, rests: [{ ...busy, hasAnswered: false }] })).toEqual([first])
    process.exitCode = exitCode
  })
})
