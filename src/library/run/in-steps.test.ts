import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EMPTY_BOARD, type Fetcher, type FetchRequest } from '#crawl/ports.ts'
import { costOf, type FetchOutcome } from '#learn/entries/outcome.ts'
import { seededRandom } from '#numeric/random.ts'
import { inSteps } from './in-steps.ts'

/** Sends what it may, answers in any order, and every tenth outcome costs nothing, as robots.txt forbids it. */
function busyFetcher(seed: number, concurrency: number) {
  const random = seededRandom(seed)
  const sent: number[] = []
  const inFlight: FetchRequest[] = []
  let waiting: FetchRequest[] = []
  let sends = 0
  const send = () => {
    while (sends > 0 && waiting.length > 0 && inFlight.length < concurrency) {
      const request = waiting.shift()!
      sends--
      sent.push(request.id)
      inFlight.push(request)
    }
  }
  const fetcher: Fetcher = {
    post(board) {
      waiting = board.requests.filter(({ id }) => !inFlight.some((one) => one.id === id))
      sends = board.sends
      send()
    },
    async next(_until, untilSent = Number.POSITIVE_INFINITY) {
      send()
      if (inFlight.length === 0) return undefined
      if (untilSent <= 0 && sends === 0 && random.below(2) === 0) return undefined
      const [{ id, url }] = inFlight.splice(random.below(inFlight.length), 1)
      const is = { id, url, at: 0, ms: 0 }
      if (id % 10 > 0) return { ...is, kind: 'gone', status: 404, bytes: 0 } satisfies FetchOutcome
      sends++
      return { ...is, kind: 'disallowed' } as FetchOutcome
    },
    inFlight: () => inFlight.map(({ id }) => id),
    close: async () => {},
  }
  return { fetcher, sent }
}

test('a board is sent as a whole, each step noted first, and no more is unknown than a step', async () => {
  const of = (most: number) => fc.integer({ min: 1, max: most })
  await fc.assert(
    fc.asyncProperty(
      of(1e6),
      of(8),
      of(60),
      of(60),
      of(12),
      async (seed, concurrency, requests, sends, size) => {
        const { fetcher, sent } = busyFetcher(seed, concurrency)
        let [paid, mayBeSent] = [0, 0]
        const note = (unpaid: number) => {
          mayBeSent = paid + unpaid
          expect(unpaid).toBeLessThanOrEqual(size)
        }
        const stepping = inSteps(fetcher, { size, note })
        const board = Array.from({ length: requests }, (_, id) => ({
          id,
          url: `${id}`,
          priority: 0,
        }))
        stepping.post({ requests: board, sends })
        for (let outcome = await stepping.next(); outcome; outcome = await stepping.next()) {
          paid += costOf(outcome)
          expect(paid + fetcher.inFlight().length).toBeLessThanOrEqual(mayBeSent)
        }
        expect(new Set(sent).size).toBe(sent.length)
        const free = sent.filter((id) => id % 10 === 0).length
        expect(sent.length).toBe(Math.min(requests, sends + free))
      },
    ),
  )
})

test('an empty board is posted as it is, and nothing is noted', () => {
  const { fetcher, sent } = busyFetcher(1, 8)
  const noted: number[] = []
  inSteps(fetcher, { size: 10, note: (unpaid) => noted.push(unpaid) }).post(EMPTY_BOARD)
  expect([sent, noted]).toEqual([[], []])
})
