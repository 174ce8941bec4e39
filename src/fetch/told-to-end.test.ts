import { describe, expect, test } from 'vitest'
import {
  fetcherTo,
  outcomesOf,
  requestsFor,
  scriptedServer,
  smallSite,
} from './scripted-server.test-kit.ts'

describe('a fetcher that is told to end', () => {
  const clock = { now: () => Date.now() / 1000 }

  test('breaks off what hangs, and the host rests from then on, in the next run too', async () => {
    await using server = await scriptedServer((request, response) => {
      if (request.url !== '/never') smallSite()(request, response)
    })
    await using fetcher = fetcherTo(server.port, { clock, delayMs: 3_000, responseFactor: 0 })
    const stop = new AbortController()
    const coming = outcomesOf(fetcher, requestsFor('http://a.example/never'), stop.signal)
    while (server.pages().length === 0) await new Promise(setImmediate)
    // What is saved while it hangs must do as well: the process may end before the next commit.
    const [whileAsked] = (await fetcher.memory()).hostStates
    expect(whileAsked.readyAt).toBeGreaterThan(clock.now() + 2)
    stop.abort()
    fetcher.endWithin!(0.1)
    expect(await coming).toMatchObject([
      { kind: 'failed', reason: 'out of time', sent: true, brokenOff: true },
    ])
    const [after] = (await fetcher.memory()).hostStates
    expect(after).toMatchObject({ host: 'a.example', failures: 0, backoffSeconds: 0 })
    expect(after.readyAt).toBeGreaterThanOrEqual(whileAsked.readyAt)
  })

  test('forgets what was never sent: a name that is looked up without end', async () => {
    const lookup = () => new Promise<readonly string[]>(() => {})
    const times = { fetchedAt: clock.now(), validUntil: clock.now() + 60 }
    const robots = { origin: 'http://a.example', kind: 'none', failures: 0, ...times } as const
    await using fetcher = fetcherTo(1, { clock, lookup, resolve: [], robotsRecords: [robots] })
    const coming = outcomesOf(fetcher, requestsFor('http://a.example/'))
    fetcher.endWithin!(0.05)
    expect(await coming).toEqual([])
    expect(fetcher.inFlight()).toEqual([])
    expect((await fetcher.memory()).hostStates).toEqual([])
  })
})
