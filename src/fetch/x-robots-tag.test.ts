import { expect, test } from 'vitest'
import { readXRobotsTag } from './x-robots-tag.ts'

test.each([
  [undefined, '--'],
  ['noindex', 'i-'],
  ['NoFollow', '-f'],
  ['none', 'if'],
  ['noarchive, nofollow', '-f'],
  ['forager: noindex', 'i-'],
  ['otherbot: noindex, nofollow', '--'],
  ['otherbot: noindex, forager: nofollow', '-f'],
  ['*: noindex', 'i-'],
  ['unavailable_after: 25 Jun 2030 15:00:00 PST, nofollow', '-f'],
  ['max-snippet: 20, noindex', 'i-'],
  [['otherbot: noindex', 'nofollow'], '-f'],
  ['', '--'],
])('X-Robots-Tag %j', (header, expected) => {
  const { noindex, nofollow } = readXRobotsTag(header, 'Forager')
  expect(`${noindex ? 'i' : '-'}${nofollow ? 'f' : '-'}`).toBe(expected)
})
