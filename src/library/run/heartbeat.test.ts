import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { askCrawl, takeRequest } from '../control/control-file.ts'
import { type Doing, runningCrawl } from '../control/progress-file.ts'
import { startHeartbeat } from './heartbeat.ts'

function beating(dir: string, doing: () => Doing, reload = () => {}): () => void {
  return startHeartbeat({
    dir,
    fetcher: {} as never,
    progress: () => ({
      doing: doing(),
      policy: 'unified',
      spent: 0,
      known: 0,
      fetchesPerSecond: 0,
    }),
    stop: () => {},
    reload,
    note: () => {},
  })
}

function emptyDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'forager-heart-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

test('a service that reloads lives on for others, and hears afterwards what they asked meanwhile', async () => {
  const dir = emptyDir()
  let doing: Doing = 'crawling'
  const end = beating(dir, () => doing)
  doing = 'reloading'
  end()
  expect(runningCrawl(dir)?.doing).toBe('reloading')
  askCrawl(dir, 'reload')
  const reload = vi.fn()
  const endNext = beating(dir, () => 'crawling', reload)
  await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce())
  endNext()
  expect(runningCrawl(dir)).toBeUndefined()
})

test('what was asked of a crawl that ended is not asked of the next', () => {
  const dir = emptyDir()
  beating(dir, () => 'crawling')()
  askCrawl(dir, 'stop')
  const end = beating(dir, () => 'crawling')
  onTestFinished(end)
  expect(runningCrawl(dir)?.doing).toBe('crawling')
  expect(takeRequest(dir)).toBeUndefined()
})
