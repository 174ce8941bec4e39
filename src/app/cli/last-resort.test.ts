import { describe, expect, test } from 'vitest'
import { damageOfTables, ourFault } from './last-resort.ts'
import { pathFault } from './path-fault.ts'
import { mistakeText } from './settings/complaint.ts'

describe('an error that only we can have made', () => {
  test('is one line that says so, where it was met, and how to see more', () => {
    const { line, story } = ourFault(
      new TypeError('x is\nundefined'),
      ['lab', 'run', 'x'],
      undefined,
    )
    expect(line).toBe(
      'this is a fault of forager, not yours, met in "forager lab run": TypeError: x is undefined. Please report it; FORAGER_DEBUG=1 shows where it comes from',
    )
    expect(story).toBeUndefined()
  })

  test.each([
    ['FORAGER_DEBUG', ['crawl', 'a.org'], '1'],
    ['--log-level debug', ['crawl', '--log-level', 'debug'], undefined],
    ['--log-level=debug', ['crawl', '--log-level=debug'], undefined],
  ])('comes with its stack by %s', (_, args, debug) => {
    const { line, story } = ourFault(new Error('x'), args, debug)
    expect(line).toMatch(/met in "forager crawl": Error: x\. Please report it$/)
    expect(story).toMatch(/at .*last-resort\.test\.ts/)
  })

  test.each([null, undefined, 'a text', { toString: 1 }, Object.create(null), 'x'.repeat(1e6)])(
    'may be anything that can be thrown',
    (thrown) => {
      const { line } = ourFault(thrown, [], undefined)
      expect(line).toMatch(/^this is a fault of forager/)
      expect(line.length).toBeLessThan(600)
    },
  )
})

describe('tables found damaged after they were opened', () => {
  const corrupt = (place = '') =>
    new Error(`IO Error: Corrupt database file${place}: computed checksum 1 does not match 2`)
  test.each([
    ['the directory that was named', corrupt(), ['crawl', '--dir', 'mine'], 'mine'],
    ['the usual one', corrupt(), ['crawl'], 'forager-data'],
    ['the one that the message names', corrupt(' "/x/state.duckdb"'), ['crawl'], '/x'],
    ['a wreck', new Error('FATAL Error: it broke'), ['status', '--dir=d'], 'd'],
  ])('name the command that repairs them: %s', (_, error, args, dir) => {
    const damage = damageOfTables(error, args)
    expect(damage?.message).toMatch(/^\S+state\.duckdb is damaged \(.*\)/)
    expect(mistakeText(damage)).toContain(`forager check --dir ${dir} --repair`)
  })

  test('are not blamed for other errors', () => {
    for (const error of [new Error('Binder Error: x'), new Error('x'), null, 'IO Error: x'])
      expect(damageOfTables(error, [])).toBeUndefined()
  })
})

test('a path that the system refuses is named with the reason', () => {
  const refused = (code: string) => Object.assign(new Error(code), { code, path: '/a/b' })
  expect(pathFault(refused('ELOOP'))).toMatch(/^\/a\/b: its symbolic links lead in a circle/)
  expect(pathFault(new Error('Unknown error: File name too long'))).toMatch(/too long/)
  expect(pathFault(refused('EPIPE'))).toBeUndefined()
  expect(pathFault(null)).toBeUndefined()
})
