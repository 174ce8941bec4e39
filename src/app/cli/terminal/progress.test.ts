import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { waitingText } from '../words/resting-hosts.ts'
import { CLEARED_LINE, outputFor } from './output.ts'
import { Progress } from './progress.ts'

let written: string
beforeEach(() => {
  written = ''
  vi.useFakeTimers()
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written += text
    return true
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
  setTerminal(undefined)
})

const { isTTY, columns } = process.stderr
function setTerminal(width: number | undefined): void {
  Object.assign(
    process.stderr,
    width === undefined ? { isTTY, columns } : { isTTY: true, columns: width },
  )
}

/** What a terminal of that width shows in the end; longer lines go on in its next row. */
function shownOn(width: number): string[] {
  const rows: string[] = ['']
  for (const char of written.replaceAll(CLEARED_LINE, '\r')) {
    if (char === '\n' || (char !== '\r' && rows.at(-1)!.length === width)) rows.push('')
    if (char === '\r') rows[rows.length - 1] = ''
    else if (char !== '\n') rows[rows.length - 1] += char
  }
  return rows
}

test('on a narrow terminal the living line stays one line, and a remark takes its place', () => {
  setTerminal(40)
  const progress = new Progress('crawl', 'fetches', 1000)
  for (let done = 0; done < 5; done++) {
    vi.advanceTimersByTime(300)
    progress.update(done, '1,725 URLs known, 66 % new pages, 0 % copies, 34 % links')
  }
  expect(shownOn(40)).toEqual(['crawl: 4 of 1,000 fetches (0 %), 3.3/s…'])
  outputFor({}).note('stopping')
  progress.clear()
  expect(shownOn(40)).toEqual(['stopping', ''])
})

test('where nobody watches, lines are whole and plain', () => {
  Object.assign(process.stderr, { isTTY: false, columns: 40 })
  const progress = new Progress('crawl', 'fetches', 1000)
  progress.update(0)
  vi.advanceTimersByTime(6_000)
  progress.update(12, '1,725 URLs known')
  expect(written).toBe(
    'crawl: 12 of 1,000 fetches (1 %), 2.0/s, 8 min 14 s left, 1,725 URLs known\n',
  )
})

test('the time left is that of the limit, where that ends it sooner', () => {
  Object.assign(process.stderr, { isTTY: false })
  const progress = new Progress('crawl', 'fetches', 1000, true, 60)
  progress.update(0)
  vi.advanceTimersByTime(6_000)
  progress.update(12)
  expect(written).toBe('crawl: 12 of 1,000 fetches (1 %), 2.0/s, 54 s left\n')
})

test('the time it took to begin does not count as pace', () => {
  Object.assign(process.stderr, { isTTY: false })
  const progress = new Progress('crawl', 'fetches', 400)
  vi.advanceTimersByTime(60_000)
  progress.update(201)
  expect(written).toBe('crawl: 201 of 400 fetches (50 %)\n')
  written = ''
  vi.advanceTimersByTime(10_000)
  progress.update(301)
  expect(written).toBe('crawl: 301 of 400 fetches (75 %), 10/s, 9.9 s left\n')
})

test('while a crawl waits, the living line says for whom, and where nobody watches one line does', () => {
  const rest = { host: 'a.test', urls: 1, copies: 0, reason: 'status 429', hasAnswered: true }
  const wait = (progress: Progress, left: number, isNews: boolean) =>
    progress.wait(12, waitingText({ ...rest, until: 1_000 + left }, 1_000), isNews)
  setTerminal(100)
  const watched = new Progress('crawl', 'fetches', 1000)
  wait(watched, 300, true)
  wait(watched, 299, false)
  const line = 'crawl: 12 of 1,000 fetches (1 %), waiting'
  expect(shownOn(100)).toEqual([`${line} 4 min 59 s for a.test (status 429): 1 URL left there`])
  written = ''
  Object.assign(process.stderr, { isTTY: false })
  const piped = new Progress('crawl', 'fetches', 1000)
  wait(piped, 300, true)
  wait(piped, 299, false)
  expect(written).toBe(`${line} 5 min 0 s for a.test (status 429): 1 URL left there\n`)
  new Progress('crawl', 'fetches', 1000, false).wait(12, 'waiting', true)
  expect(written.split('\n').length).toBe(2)
})
