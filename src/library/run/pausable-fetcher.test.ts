import { expect, test } from 'vitest'
import type { Board, Fetcher } from '#crawl/ports.ts'
import type { FetchOutcome } from '#learn/entries/outcome.ts'
import { pausable } from './pausable-fetcher.ts'

/** Sends one request at a time, and answers it whenever `answer` is called; notes what it was asked for. */
function slowFetcher() {
  const asked: string[] = []
  let board: Board = { requests: [], sends: 0 }
  let answer = () => {}
  const fetcher: Fetcher = {
    post(next) {
      board = next
    },
    async next() {
      const [request, ...requests] = board.requests
      if (!request) return undefined
      board = { ...board, requests }
      asked.push(request.url)
      await new Promise<void>((resolve) => {
        answer = resolve
      })
      const { id, url } = request
      return { id, url, at: 0, ms: 0, kind: 'gone', status: 404, bytes: 0 } satisfies FetchOutcome
    },
    inFlight: () => [],
    close: async () => {},
  }
  return { fetcher, asked, answer: () => answer() }
}

const requests = ['a', 'b', 'c'].map((url, id) => ({ id, url, priority: 0 }))
const all = { requests, sends: 3 }

test('a pause lets what is under way be answered, and holds the next board until resumed', async () => {
  const slow = slowFetcher()
  const fetcher = pausable(slow.fetcher)
  fetcher.post(all)
  const coming = fetcher.next()
  fetcher.pause()
  expect(fetcher.paused).toBe(true)
  slow.answer()
  expect((await coming)?.url).toBe('a')
  expect(await fetcher.next()).toBeUndefined()

  fetcher.post({ requests: requests.slice(1), sends: 2 })
  const held = fetcher.next()
  await new Promise(setImmediate)
  expect(slow.asked).toEqual(['a'])
  fetcher.resume()
  await new Promise(setImmediate)
  expect(slow.asked).toEqual(['a', 'b'])
  slow.answer()
  expect((await held)?.url).toBe('b')
})

test('a board that was partly sent before a pause is not posted again: what is left of it is not known', async () => {
  const slow = slowFetcher()
  const fetcher = pausable(slow.fetcher)
  fetcher.post(all)
  fetcher.pause()
  fetcher.resume()
  expect(await fetcher.next()).toBeUndefined()
  expect(slow.asked).toEqual([])
})

test('a crawl that is stopped while paused ends, and sends nothing', async () => {
  const slow = slowFetcher()
  const fetcher = pausable(slow.fetcher)
  fetcher.pause()
  fetcher.post(all)
  const outcome = fetcher.next()
  fetcher.post({ requests: [], sends: 0 })
  expect(await outcome).toBeUndefined()
  expect(slow.asked).toEqual([])
})

test('the pace of hosts is known through a pausable fetcher too, though its methods are of a class', () => {
  const { fetcher } = slowFetcher()
  const live: Fetcher = Object.create({ ...fetcher, paceOf: () => 3 })
  expect(pausable(live).paceOf?.('a.example')).toBe(3)
  expect(pausable(fetcher).paceOf?.('a.example')).toBe(0)
})
