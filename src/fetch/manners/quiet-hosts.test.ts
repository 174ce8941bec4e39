import { expect, test } from 'vitest'
import { HostManners } from './host-manners.ts'

const OPTIONS = {
  ...{ delaySeconds: 1, responseFactor: 0, connectionsPerHost: 1, perDomain: 2, perAddress: 2 },
  /** Below a hundred seconds, a.example is not to be asked. */
  quietUntil: (host: string, now: number) => (host === 'a.example' && now < 100 ? 100 : 0),
}

test('a host is not asked in its quiet hours, others are, and who asks when hears why', () => {
  const manners = new HostManners(OPTIONS)
  expect(manners.gate('a.example', 40)).toEqual({ kind: 'rests', until: 100 })
  expect(manners.gate('b.example', 40)).toEqual({ kind: 'open' })
  expect(manners.restsUntil('a.example', 40)).toBe(100)
  expect(manners.backoff('a.example', 40)).toEqual({
    until: 100,
    reason: 'these are its quiet hours',
  })
  expect(manners.gate('a.example', 100)).toEqual({ kind: 'open' })
  expect(manners.backoff('a.example', 100)).toBeUndefined()
})

test('a rest that lasts longer than quiet hours keeps its own reason', () => {
  const state = { host: 'a.example', readyAt: 0, backoffUntil: 300, backoffSeconds: 300 }
  const manners = new HostManners(OPTIONS, [{ ...state, failures: 1, reason: 'status 503' }])
  expect(manners.backoff('a.example', 40)).toEqual({ until: 300, reason: 'status 503' })
  expect(manners.restsUntil('a.example', 40)).toBe(300)
})
