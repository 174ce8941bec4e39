import { expect, test } from 'vitest'
import type { WebClient } from '../client/web-client.ts'
import type { HostLocator } from '../hosts/host-locator.ts'
import { HostManners } from '../manners/host-manners.ts'
import { getRobotsPolitely } from './polite-robots.ts'

test('a host that goes to another worker while its turn is waited for is not asked', async () => {
  const manners = new HostManners({
    ...{ delaySeconds: 1, responseFactor: 0, connectionsPerHost: 1 },
    ...{ perDomain: 1, perAddress: 1 },
  })
  const now = () => performance.now() / 1000
  manners.remember({
    ...{ host: 'a.test', readyAt: now() + 0.1 },
    ...{ backoffUntil: 0, backoffSeconds: 0, failures: 0 },
  })
  let isOwn = true
  let asked = 0
  const answer = getRobotsPolitely(new URL('http://a.test/robots.txt'), {
    client: { getRobots: async () => void asked++ } as unknown as WebClient,
    manners,
    places: {
      enter: (host) => manners.enter(host),
      leave: (visit, reaction) => manners.leave(visit, reaction, now()),
    },
    locator: { isLocated: () => true } as unknown as HostLocator,
    ...{ now, patienceSeconds: 10, closing: new AbortController().signal },
    isOwn: () => isOwn,
  })
  isOwn = false
  expect(await answer).toMatchObject({ kind: 'failure', sent: false })
  expect(asked).toBe(0)
})
