import { expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '#repository/temporary-folder.test-kit.ts'
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

test('a service that reloads lives on for others, and hears afterwards what they asked meanwhile', async () => {
  const dir = temporaryFolder()
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
  const dir = temporaryFolder()
  beating(dir, () => 'crawling')()
  askCrawl(dir, 'stop')
  const end = beating(dir, () => 'crawling')
  onTestFinished(end)
  expect(runningCrawl(dir)?.doing).toBe('crawling')
  expect(takeRequest(dir)).toBeUndefined()
})
