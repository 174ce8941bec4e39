import { expect, test } from 'vitest'
import type { FetchRequest } from '#crawl/ports.ts'
import { costMs } from '#numeric/stays-linear.test-kit.ts'
import { HandOut } from './hand-out.ts'

function request(id: number, host: string, priority: number): FetchRequest {
  return { id, url: `https://${host}/${id}`, priority }
}

function gone({ id, url }: FetchRequest) {
  return { kind: 'gone', id, url, at: 1, ms: 1, status: 404, bytes: 0 } as const
}

/** Time passes only when it is told to. */
function handOutAt({ perHost = 1, delaySeconds = 10 } = {}) {
  const time = { now: 1_000 }
  const clock = {
    now: () => time.now,
    waitUntil: async (at: number) => {
      time.now = Math.max(time.now, at)
    },
  }
  return { time, handOut: new HandOut({ clock, delaySeconds, perHost, leaseSeconds: 60 }) }
}

test('the best of all free hosts is handed out, one of a host at a time, and no more than may be sent', () => {
  const { time, handOut } = handOutAt()
  const all = [request(1, 'a.example', 5), request(2, 'a.example', 9), request(3, 'b.example', 7)]
  handOut.post({ requests: all, sends: 3 })
  expect(handOut.take()?.id).toBe(2)
  expect(handOut.take({ queue: 'a.example' })).toBeUndefined()
  expect(handOut.take()?.id).toBe(3)
  expect([handOut.take(), handOut.hasFree()]).toEqual([undefined, false])
  expect(handOut.report(gone(all[1]))).toBe(true)
  expect(handOut.take()).toBeUndefined() // its host rests
  time.now += 10
  expect(handOut.take()?.id).toBe(1)
  expect(handOut.inFlight().sort()).toEqual([1, 2, 3])
  handOut.post({ requests: all, sends: 0 })
  expect(handOut.hasFree()).toBe(false)
})

test('outcomes come in the order of reports; what is out is not on the next board', async () => {
  const { handOut } = handOutAt({ perHost: 2, delaySeconds: 0 })
  const [a, b] = [request(1, 'a.example', 5), request(2, 'a.example', 4)]
  handOut.post({ requests: [a, b], sends: 5 })
  handOut.take()
  handOut.post({ requests: [a, b], sends: 5 })
  expect(handOut.take()?.id).toBe(2)
  expect(handOut.take()).toBeUndefined()
  handOut.report(gone(b))
  handOut.report(gone(a))
  expect(await handOut.next()).toMatchObject({ id: 2 })
  expect(await handOut.next()).toMatchObject({ id: 1 })
  expect(await handOut.next()).toBeUndefined()
  expect(handOut.report(gone(a))).toBe(false)
})

test('what nobody reports has failed when its lease is over', async () => {
  const { time, handOut } = handOutAt()
  handOut.post({ requests: [request(1, 'a.example', 1)], sends: 1 })
  handOut.take()
  expect(await handOut.next()).toMatchObject({ id: 1, kind: 'failed', sent: true })
  expect(time.now).toBe(1_060)
})

test('whoever waits for news ends at the time he named', async () => {
  const { handOut } = handOutAt()
  handOut.post({ requests: [request(1, 'a.example', 1)], sends: 1 })
  expect(await handOut.next(1_020)).toBeUndefined()
})

test('who takes of very many queues does not wait for all of them each time', async () => {
  const { handOut } = handOutAt()
  const requests = Array.from({ length: 20_000 }, (_, id) => request(id, `h${id}.example`, id))
  handOut.post({ requests, sends: 20_000 })
  const takeAll = () => handOut.freeQueues().map((queue) => handOut.take({ queue })?.id)
  let taken: (number | undefined)[] = []
  const ms = await costMs(() => {
    taken = takeAll()
  }, undefined)
  expect(taken.slice(0, 3)).toEqual([19_999, 19_998, 19_997])
  expect(taken.length).toBe(20_000)
  expect(ms).toBeLessThan(3_000)
  expect(handOut.freeQueues()).toEqual([])
})
