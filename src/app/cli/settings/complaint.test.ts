import { expect, test } from 'vitest'
import { SettingError } from '#errors/setting-error.ts'
import { UsageError } from '../../text/usage-error.ts'
import { flagOf, mistakeText } from './complaint.ts'

test('settings in a reason become flags on the command line, and stay names elsewhere', () => {
  const error = new SettingError('at', '{at} 9 is too late: name another {maxDepth}, not {noIndex}')
  expect(mistakeText(error)).toBe('--at 9 is too late: name another --max-depth, not --no-index')
  expect(error.message).toBe('at 9 is too late: name another maxDepth, not index: false')
  expect(error).toMatchObject({ setting: 'at', name: 'SettingError' })
})

test('what else could help is a command', () => {
  const nothing = { remedy: { kind: 'begin a crawl', dir: 'x' } } as const
  expect(mistakeText(new SettingError('dir', 'there is no crawl in x', nothing))).toBe(
    'there is no crawl in x, as in forager crawl https://example.org/ --dir x',
  )
})

test('only mistakes of users are told as such', () => {
  expect(mistakeText(new UsageError('--out is missing'))).toBe('--out is missing')
  expect(mistakeText(new Error('ours'))).toBeUndefined()
  expect(flagOf('maxPagesPerHost')).toBe('--max-pages-per-host')
})
