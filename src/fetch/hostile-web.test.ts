import { expect, test } from 'vitest'
import { HOSTILE_RESPONSES, SLOW_KINDS } from './hostile-responses.test-kit.ts'
import { crawlHostileWeb, hostileServer, hostileWeb } from './hostile-web.test-kit.ts'
import { fetcherTo } from './scripted-server.test-kit.ts'
import { listening } from './transport.test-kit.ts'

test('a hundred hostile hosts are one outcome each, and healthy hosts do not wait for them', async () => {
  const web = hostileWeb({ responses: 100, healthyHosts: 4, healthyPages: 5, seed: 7 })
  expect(new Set(web.kinds).size).toBe(Object.keys(HOSTILE_RESPONSES).length)
  await using server = await listening(hostileServer())
  await using fetcher = fetcherTo(server.port, {
    timeouts: { connectMs: 10_000, firstByteMs: 6_000, totalMs: 8_000 },
    concurrency: 128,
  })
  const { outcomes, healthyPages, hung, doubled } = await crawlHostileWeb(web, fetcher, 50)
  expect({ healthyPages, hung, doubled }).toEqual({ healthyPages: 20, hung: 0, doubled: 0 })
  const lastHealthy = outcomes.findLastIndex(({ id }) => id >= web.kinds.length)
  const lastSlow = outcomes.findLastIndex(({ id }) => SLOW_KINDS.has(web.kinds[id] ?? ''))
  expect(lastHealthy).toBeLessThan(lastSlow)
})
