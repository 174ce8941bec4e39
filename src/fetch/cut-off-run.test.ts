import { describe, expect, test } from 'vitest'
import {
  fetcherTo,
  outcomesOf,
  requestsFor,
  scriptedServer,
  smallSite,
  threadTo,
} from './scripted-server.test-kit.ts'

const clock = { now: () => Date.now() / 1000 }

describe.each([
  ['in process', fetcherTo],
  ['on a thread', threadTo],
])('after a run that was cut off, %s', (_, open) => {
  test('each host rests before its first request: it may have been asked a moment ago', async () => {
    await using server = await scriptedServer(smallSite())
    const begunAt = performance.now()
    await using fetcher = open(server.port, { clock, delayMs: 300, restFirst: true })
    await outcomesOf(fetcher, requestsFor('http://a.example/', 'http://b.example/'))
    expect(server.arrivals.length).toBe(4)
    for (const { at } of server.arrivals) expect(at - begunAt).toBeGreaterThanOrEqual(299)
  })

  test('it rests for as long as its robots.txt asked for then', async () => {
    await using server = await scriptedServer(smallSite('User-agent: *\nCrawl-delay: 0.6'))
    const before = open(server.port, { clock })
    await outcomesOf(before, requestsFor('http://a.example/1'))
    const { robotsRecords } = JSON.parse(JSON.stringify(await before.memory()))
    await before.close()
    server.arrivals.length = 0
    const begunAt = performance.now()
    await using fetcher = open(server.port, { clock, robotsRecords, restFirst: true })
    await outcomesOf(fetcher, requestsFor('http://a.example/2'))
    expect(server.arrivals.map(({ path }) => path)).toEqual(['/2'])
    expect(server.arrivals[0].at - begunAt).toBeGreaterThanOrEqual(599)
  })
})
