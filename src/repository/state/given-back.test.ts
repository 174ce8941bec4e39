import { DuckDBConnection } from '@duckdb/node-api'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { JournalEntry } from '#crawl/ports.ts'
import { temporaryFolder } from '../temporary-folder.test-kit.ts'
import { CrawlStore } from './crawl-store.ts'

const entry: JournalEntry = {
  ...{ cycle: 1, purpose: 'acquire', predictedGain: 0, bid: 0 },
  outcome: { id: 0, url: 'http://a.test/', at: 1, ms: 1, kind: 'gone', status: 404, bytes: 0 },
}

test('in the midst of a cycle too, what was freed is given back once the process has grown', async () => {
  const dir = temporaryFolder()
  const ask = vi.spyOn(DuckDBConnection.prototype, 'run')
  const store = await CrawlStore.open(dir)
  onTestFinished(() => store.close())
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers().restoreAllMocks())
  const givesBack = async () => {
    vi.advanceTimersByTime(1_000)
    ask.mockClear()
    await store.journal(entry)
    return ask.mock.calls.filter(([sql]) => /^SET memory_limit/.test(sql)).length
  }
  await givesBack()
  expect(await givesBack()).toBe(0)
  const grown = Buffer.alloc(64 << 20, 1) // so large that nothing freed before can hold it
  expect(await givesBack()).toBe(1)
  expect(await givesBack()).toBe(0)
  expect(grown[0]).toBe(1)
})
