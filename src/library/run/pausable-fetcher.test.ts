import { expect, test } from 'vitest'
import type { Fetcher, FetchRequest } from '#crawl/ports.ts'
import type { FetchOutcome } from '#learn/entries/outcome.ts'
import { pausable } from './pausable-fetcher.ts'

/** Answers one request whenever `answer` is called; notes what it was asked for. */
function slowFetcher() {
  const asked: string[] = []
  let answer = () => {}
  const fetcher: Fetcher = {
    async *fetchAll(requests: readonly FetchRequest[], signal: AbortSignal) {
      for (const { id, url } of requests) {
        if (signal.aborted) return
        asked.push(url)
        await new Promise<void>((resolve) => {
          answer = resolve
        })
        yield { id, url, at: 0, ms: 0, kind: 'gone', status: 404, bytes: 0 } satisfies FetchOutcome
      }
    },
    inFlight: () => [],
    close: async () => {},
  }
  return { fetcher, asked, answer: () => answer() }
}

const requests = ['a', 'b', 'c'].map((url, id) => ({ id, url, priority: 0 }))

test('a pause lets what is under way be answered, ends the call, and holds the next until resumed', async () => {
  const slow = slowFetcher()
  const fetcher = pausable(slow.fetcher)
  const { signal } = new AbortController()
  const first = fetcher.fetchAll(requests, signal)[Symbol.asyncIterator]()
  const coming = first.next()
  fetcher.pause()
  expect(fetcher.paused).toBe(true)
  slow.answer()
  expect((await coming).value?.url).toBe('a')
  expect((await first.next()).done).toBe(true)

  const second = fetcher.fetchAll(requests.slice(1), signal)[Symbol.asyncIterator]()
  const held = second.next()
  await new Promise(setImmediate)
  expect(slow.asked).toEqual(['a'])
  fetcher.resume()
  await new Promise(setImmediate)
  expect(slow.asked).toEqual(['a', 'b'])
  slow.answer()
  expect((await held).value?.url).toBe('b')
})

test('a crawl that is stopped while paused ends, and sends nothing', async () => {
  const slow = slowFetcher()
  const fetcher = pausable(slow.fetcher)
  const stop = new AbortController()
  fetcher.pause()
  const outcome = fetcher.fetchAll(requests, stop.signal)[Symbol.asyncIterator]().next()
  stop.abort()
  expect((await outcome).done).toBe(true)
  expect(slow.asked).toEqual([])
})
