import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { fetcherTo, outcomesOf, rawServer, requestsFor } from '../scripted-server.test-kit.ts'
import { HeavyAnswers, LIGHT_BYTES, ROOM_BYTES } from './heavy-answers.ts'

const HEAVY = LIGHT_BYTES + 1
const never = new AbortController().signal

describe('long bodies share room for so many bytes', () => {
  const roomFor = (count: number) => {
    const heavy = new HeavyAnswers()
    const wentOn: number[] = []
    const places = Array.from({ length: count }, () => heavy.place())
    const enter = (i: number, bytes: number) => places[i].enter(bytes, () => wentOn.push(i))
    return { enter, wentOn, leave: (i: number) => places[i][Symbol.dispose]() }
  }

  test('what is beyond it waits, and goes on in the order it came', () => {
    const { enter, leave, wentOn } = roomFor(5)
    expect(enter(0, ROOM_BYTES / 2)).toBe(true)
    expect(enter(1, ROOM_BYTES / 2)).toBe(true)
    expect(enter(2, ROOM_BYTES / 2)).toBe(false)
    expect(enter(3, 1)).toBe(false)
    expect(enter(4, 1)).toBe(false)
    leave(3) // it was broken off while it waited
    leave(3)
    expect(wentOn).toEqual([])
    leave(0)
    expect(wentOn).toEqual([2])
    leave(1)
    expect(wentOn).toEqual([2, 4])
  })

  test('the first of them may be longer than the room', () => {
    const { enter, leave, wentOn } = roomFor(2)
    expect(enter(0, 3 * ROOM_BYTES)).toBe(true)
    expect(enter(1, 0)).toBe(false)
    expect(enter(0, 4 * ROOM_BYTES)).toBe(true)
    leave(0)
    expect(wentOn).toEqual([1])
    expect(enter(1, 3 * ROOM_BYTES)).toBe(true)
  })

  test('one that has come to be the first goes on, whoever waits before it', () => {
    const { enter, leave, wentOn } = roomFor(3)
    expect(enter(0, ROOM_BYTES / 2)).toBe(true)
    expect(enter(1, ROOM_BYTES / 4)).toBe(true)
    expect(enter(2, ROOM_BYTES)).toBe(false)
    expect(enter(1, ROOM_BYTES / 2 + 1)).toBe(false)
    leave(0)
    expect(wentOn).toEqual([1])
  })

  test('fifteen that send nothing keep nobody from sending', () => {
    const { enter } = roomFor(16)
    for (let i = 0; i < 16; i++) expect(enter(i, 0)).toBe(true)
  })
})

test('long answers are read one after the other with rests between them', async () => {
  const heavy = new HeavyAnswers()
  const order: string[] = []
  const read = (name: string) => heavy.read(() => busyFor(5, () => order.push(name)), never)
  const startedAt = performance.now()
  // A timer keeps the test alive, as waiting for a turn does not.
  using _ = keptAlive()
  await Promise.all([read('a'), read('b')])
  expect(order).toEqual(['a', 'b'])
  expect(performance.now() - startedAt).toBeGreaterThan(40 * 5)
})

test('after each of them somebody may clear up, before the next is read', async () => {
  const order: string[] = []
  const heavy = new HeavyAnswers(1, () => order.push('cleared up'))
  using _ = keptAlive()
  await Promise.all(['a', 'b'].map((name) => heavy.read(() => order.push(name), never)))
  expect(order).toEqual(['a', 'cleared up', 'b', 'cleared up'])
})

test('who is told to end waits for no turn', async () => {
  const heavy = new HeavyAnswers()
  const stop = new AbortController()
  await heavy.read(() => busyFor(50), stop.signal)
  const second = heavy.read(() => 'read', stop.signal)
  stop.abort()
  expect(await second).toBeUndefined()
})

test('many long bodies arrive whole, and light ones do not wait for them', async () => {
  const page = `<title>long</title>${'word '.repeat(HEAVY / 5)}`
  await using server = await rawServer((socket, request) => {
    const body = request.includes('light') ? '<title>light</title>' : page
    const head = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${body.length}\r\n\r\n`
    if (request.includes('/robots.txt'))
      socket.write('HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n')
    else socket.write(head + body)
  })
  await using fetcher = fetcherTo(server.port, { concurrency: 32 })
  const long = Array.from({ length: 12 }, (_, i) => `http://long${i}.example/`)
  const outcomes = await outcomesOf(fetcher, requestsFor(...long, 'http://light.example/'))
  expect(outcomes.map(({ kind }) => kind)).toEqual(Array(13).fill('page'))
})

test('one that cannot be read does not keep the others from being read', async () => {
  const heavy = new HeavyAnswers()
  const bad = heavy.read(() => {
    throw new Error('a fault of ours')
  }, never)
  await expect(bad).rejects.toThrow('a fault of ours')
  expect(await heavy.read(() => 'read', never)).toBe('read')
})

test('bodies that are long only once unpacked wait packed, and are all read', async () => {
  const packed = gzipSync(`<title>long</title>${'word '.repeat(HEAVY / 5)}`)
  await using server = await rawServer((socket, request) => {
    if (request.includes('/robots.txt'))
      socket.write('HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n')
    else {
      const fields = `Content-Type: text/html\r\nContent-Encoding: gzip\r\nContent-Length: ${packed.length}`
      socket.write(Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\n${fields}\r\n\r\n`), packed]))
    }
  })
  await using fetcher = fetcherTo(server.port, { concurrency: 32 })
  const urls = Array.from({ length: 4 }, (_, i) => `http://packed${i}.example/`)
  const outcomes = await outcomesOf(fetcher, requestsFor(...urls))
  expect(outcomes.map(({ kind }) => kind)).toEqual(Array(4).fill('page'))
})

function keptAlive(): Disposable {
  const timer = setInterval(() => {}, 1_000)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

function busyFor(ms: number, then: () => unknown = () => {}): void {
  const until = performance.now() + ms
  while (performance.now() < until);
  then()
}
