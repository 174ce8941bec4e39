import { describe, expect, test } from 'vitest'
import type { RobotsRecord } from '#crawl/ports.ts'
import { maxAgeSeconds, type RobotsFinding, robotsRecord, textInForce } from './robots-record.ts'

const DAY = 86_400
const recordAfter = (findings: [at: number, RobotsFinding][]) =>
  findings.reduce<RobotsRecord | undefined>(
    (previous, [at, finding]) => robotsRecord('https://a.example', previous, finding, at),
    undefined,
  )!
const file: RobotsFinding = { kind: 'file', text: 'User-agent: *\nDisallow: /x' }
const unreachable: RobotsFinding = { kind: 'unreachable', reason: 'status 500' }

describe('how long a robots.txt is good', () => {
  test.each<[string, RobotsFinding, seconds: number]>([
    ['a day, if nothing else is said', file, DAY],
    ['as long as Cache-Control says', { ...file, maxAgeSeconds: 7_200 }, 7_200],
    ['a day at most', { ...file, maxAgeSeconds: 1e9 }, DAY],
    ['an hour at least', { ...file, maxAgeSeconds: 0 }, 3_600],
    ['so too if there is none', { kind: 'none', maxAgeSeconds: 7_200 }, 7_200],
    ['a day if it is closed', { kind: 'closed', reason: 'status 403' }, DAY],
    ['ten minutes if it could not be had', unreachable, 600],
    ['longer if the server says so', { ...unreachable, retryAfterSeconds: 900 }, 900],
    ['but not for ever', { ...unreachable, retryAfterSeconds: 1e9 }, DAY],
  ])('%s', (_, finding, seconds) => {
    expect(recordAfter([[100, finding]]).validUntil).toBe(100 + seconds)
  })

  test('failures are asked about ever later, until one try works', () => {
    const waits = [1, 2, 3, 8, 20].map((failures) => {
      const record = recordAfter(Array(failures).fill([100, unreachable]))
      return record.validUntil - 100
    })
    expect(waits).toEqual([600, 1_200, 2_400, 76_800, DAY])
    expect(
      recordAfter([
        [0, unreachable],
        [0, unreachable],
        [0, file],
        [0, unreachable],
      ]),
    ).toMatchObject({
      validUntil: 600,
      failures: 1,
    })
  })

  test.each([
    ['max-age=60', 60],
    ['public, Max-Age=3600, immutable', 3600],
    ['s-maxage=9', undefined],
    ['no-store', undefined],
    [['private', 'max-age="5"'], 5],
    [undefined, undefined],
  ])('Cache-Control %j means %s', (header, expected) => {
    expect(maxAgeSeconds(header)).toBe(expected)
  })
})

describe('whose rules hold', () => {
  const textAt = (now: number, ...findings: [number, RobotsFinding][]) =>
    textInForce(recordAfter(findings), now)

  test('those of the file', () => {
    expect(textAt(10, [0, file])).toContain('/x')
  })

  test('those of the last good copy while the file cannot be had, for thirty days', () => {
    const gone: [number, RobotsFinding][] = [
      [DAY, unreachable],
      [29 * DAY, unreachable],
    ]
    expect(textAt(30 * DAY, [0, file], ...gone)).toContain('/x')
    expect(textAt(30 * DAY + 1, [0, file], ...gone)).toBeUndefined()
  })

  test('nobody’s, and nothing is allowed, while there never was a file to be had', () => {
    expect(textAt(0, [0, unreachable])).toBeUndefined()
    expect(textAt(0, [0, { kind: 'none' }], [0, unreachable])).toBeUndefined()
  })

  test('what is there, after a month of tries: the last good copy, or nothing', () => {
    const tries = (first: number): [number, RobotsFinding][] =>
      [0, 1, 10, 20, 30].map((day) => [first + day * DAY, unreachable])
    expect(textAt(30 * DAY, ...tries(0))).toBe('')
    expect(textAt(30 * DAY - 1, ...tries(0))).toBeUndefined()
    expect(textAt(30 * DAY, ...tries(0).slice(1))).toBeUndefined()
    expect(textAt(91 * DAY, [0, file], ...tries(60 * DAY))).toContain('/x')
  })

  test('nobody’s, and all is allowed, when there is none, or none any more', () => {
    expect(textAt(0, [0, { kind: 'none' }])).toBe('')
    expect(textAt(0, [0, file], [1, { kind: 'none' }])).toBe('')
  })

  test('nothing is allowed when the site is closed', () => {
    expect(textAt(0, [0, file], [1, { kind: 'closed', reason: 'status 401' }])).toBeUndefined()
  })
})
