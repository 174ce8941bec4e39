import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isDiskFull } from '#library/open/disk-full.ts'
import { temporaryFolder } from '#repository/temporary-folder.test-kit.ts'
import { withoutCredentials } from '../../text/without-credentials.ts'
import { openLog } from './crawl-log.ts'

test('a log has one JSON object a line, from the wanted level on, and is appended to', () => {
  const file = join(temporaryFolder(), 'deep', 'crawl.jsonl')
  for (const round of [1, 2]) {
    const log = openLog(file, 'info', () => 1_000)
    log.write('debug', 'fetch', { url: 'http://a.test/' })
    log.write('info', 'cycle', { round, text: 'two\nlines' })
    log.close()
  }
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  const time = '1970-01-01T00:16:40.000Z'
  expect(lines.map((line) => JSON.parse(line))).toEqual(
    [1, 2].map((round) => ({ time, level: 'info', event: 'cycle', round, text: 'two\nlines' })),
  )
})

test('user names and passwords stay out of it', () => {
  const file = join(temporaryFolder(), 'crawl.jsonl')
  const log = openLog(file, 'info', () => 0)
  log.write('info', 'start', { proxy: 'http://me:s3cret@proxy.example:3128/' })
  log.close()
  expect(readFileSync(file, 'utf8')).not.toMatch(/s3cret|me:/)
  expect(withoutCredentials('see https://u:p@a.org/x@y and http://b.org/m@n')).toBe(
    'see https://***@a.org/x@y and http://b.org/m@n',
  )
})

test('a log that cannot be written is a clear mistake', () => {
  expect(() => openLog('/dev/null/crawl.jsonl', 'info', () => 0)).toThrow(
    /--log \/dev\/null\/crawl\.jsonl cannot be written \(\w+\): choose another place/,
  )
})

test('a full disk is known by its code, by its words, and behind other errors', () => {
  const coded = Object.assign(new Error('write'), { code: 'EDQUOT' })
  expect(isDiskFull(coded)).toBe(true)
  expect(isDiskFull(new Error('cannot open', { cause: coded }))).toBe(true)
  expect(isDiskFull(new Error('IO Error: Could not write: No space left on device'))).toBe(true)
  expect(isDiskFull(Object.assign(new Error('open'), { code: 'EACCES' }))).toBe(false)
  expect(isDiskFull('ENOSPC')).toBe(false)
})
