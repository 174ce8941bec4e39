import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#repository/temporary-folder.test-kit.ts'
import { askCrawl, dropRequest, takeRequest } from './control-file.ts'
import { readProgress, runningCrawl, writeProgress } from './progress-file.ts'

const PROGRESS = {
  pid: process.pid,
  at: 1,
  doing: 'crawling',
  policy: 'bfs',
  budget: 10,
  spent: 3,
  known: 5,
  fetchesPerSecond: 1,
} as const

test('a request is taken once, and leaves nothing behind', () => {
  const dir = temporaryFolder()
  expect(takeRequest(dir)).toBeUndefined()
  const asked = askCrawl(dir, 'pause')
  expect(takeRequest(dir)).toEqual(asked)
  expect(takeRequest(dir)).toBeUndefined()
  expect(readdirSync(dir)).toEqual([])
})

test.each(['', '{', 'null', '{"control":"explode"}', '[]'])(
  'the request %j is taken away and not obeyed',
  (text) => {
    const dir = temporaryFolder()
    writeFileSync(join(dir, 'control.json'), text)
    expect(takeRequest(dir)).toBeUndefined()
    expect(existsSync(join(dir, 'control.json'))).toBe(false)
  },
)

test('the latest of two requests counts', () => {
  const dir = temporaryFolder()
  askCrawl(dir, 'pause')
  askCrawl(dir, 'stop')
  expect(takeRequest(dir)?.control).toBe('stop')
  dropRequest(dir) // none left: no complaint
})

test('a crawl runs while its process lives', () => {
  const dir = temporaryFolder()
  expect(runningCrawl(dir)).toBeUndefined()
  writeProgress(dir, PROGRESS)
  expect(runningCrawl(dir)).toEqual(PROGRESS)
  writeProgress(dir, { ...PROGRESS, pid: 2 ** 22 + 1 }) // beyond what Linux gives out
  expect(readProgress(dir)).toBeDefined()
  expect(runningCrawl(dir)).toBeUndefined()
})

test('progress that cannot be written is left unsaid', () => {
  const nowhere = join(temporaryFolder(), 'gone')
  expect(() => writeProgress(nowhere, PROGRESS)).not.toThrow()
})
