import { describe, expect, test } from 'vitest'
import { type HostOutlook, hadBetterEnd } from './call-end.ts'

const PATIENCE = { minCallSeconds: 5, maxCallSeconds: 60, lateSeconds: 2 }
const ends = (hosts: HostOutlook[], width: number, elapsedSeconds: number, sent = 0) =>
  hadBetterEnd(hosts, { width, elapsedSeconds, sent }, PATIENCE)

const soon: HostOutlook = { readyInSeconds: 1, rests: true }
const later: HostOutlook = { readyInSeconds: 30, rests: true }
const asked: HostOutlook = { owesForSeconds: 0.5, readyInSeconds: 0, rests: true }
const silent: HostOutlook = { owesForSeconds: 9, readyInSeconds: 0, rests: true }
const free: HostOutlook = { owesForSeconds: 0.1, readyInSeconds: 0, rests: false }

describe('a call ends before all is answered', () => {
  test.each<[string, HostOutlook[], width: number, elapsed: number, boolean]>([
    ['not in its first seconds', [later, silent], 100, 4.9, false],
    ['soon, when only a late answer is left', [{ owesForSeconds: 2, rests: true }], 1, 2, true],
    ['not at once, however late it is', [{ owesForSeconds: 90, rests: true }], 1, 1.9, false],
    ['not at once, when one may come yet', [{ owesForSeconds: 1, rests: true }], 1, 0.1, false],
    ['soon, when all owe an answer for long', [silent, { ...free, owesForSeconds: 3 }], 9, 3, true],
    ['when most of its hosts are done', [soon, asked], 10, 5, true],
    ['not while half of them go on', [soon, asked, soon, asked, soon], 10, 5, false],
    ['when most of them make us wait', [soon, later, later, silent], 4, 5, true],
    ['not because its only host rests', [soon], 1, 50, false],
    ['because its only host rests for long', [later], 1, 5, true],
    ['because its only host does not answer', [silent], 1, 5, true],
    ['after a minute, however well it goes', [soon, asked, soon], 3, 60, true],
    ['not while a host that needs no rest goes on', [free, later, silent], 50, 600, false],
    ['when that one falls silent', [{ ...free, owesForSeconds: 6 }], 1, 6, true],
  ])('%s', (_, hosts, width, elapsed, expected) => {
    expect(ends(hosts, width, elapsed)).toBe(expected)
  })
})

test('a call that has sent enough ends as soon as most of its hosts are done', () => {
  expect(ends([soon, later], 10, 2, 20)).toBe(true)
  expect(ends([soon, later], 10, 2, 19)).toBe(false)
  expect(ends([soon, later], 10, 1.9, 20)).toBe(false)
  expect(ends([soon, soon], 4, 2, 20)).toBe(false)
})
