import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { fetcherTo, outcomesOf, rawServer, requestsFor } from '../scripted-server.test-kit.ts'
import { HEAVY_BYTES, HeavyAnswers, LIGHT_BYTES } from './heavy-answers.ts'

const HEAVY = LIGHT_BYTES + 1
const never = new AbortController().signal

const MIB = 1024 * 1024

test('long bodies hold few bytes together; the others go on in the order they came', () => {
  const heavy = new HeavyAnswers()
  const wentOn: number[] = []
  const waited: number[] = []
  const places = Array.from({ length: 6 }, (_, i) => heavy.place(() => waited.push(i)))
  const entered = places.map((place, i) => place.hold(0, HEAVY_BYTES / 2, () => wentOn.push(i)))
  expect(entered).toEqual([true, true, false, false, false, false])
  expect(waited).toEqual([2, 3, 4, 5])
  places[3][Symbol.dispose]() // it was broken off while it waited
  places[0][Symbol.dispose]()
  places[0][Symbol.dispose]()
  expect(wentOn).toEqual([2])
  places[1][Symbol.dispose]()
  expect(wentOn).toEqual([2, 4])
})

test('of those that do not say how long they are, the oldest always goes on', () => {
  const heavy = new HeavyAnswers()
  const [a, b] = [heavy.place(), heavy.place()]
  let goesOn = false
  expect(a.hold(MIB, 0, () => {})).toBe(true)
  expect(b.hold(HEAVY_BYTES - MIB, 0, () => {})).toBe(true)
  expect(b.hold(HEAVY_BYTES, 0, () => (goesOn = true))).toBe(false)
  expect(a.hold(2 * MIB, 0, () => {})).toBe(true)
  a[Symbol.dispose]()
  expect(goesOn).toBe(true)
})

test('long answers that wait for others keep no light ones from being asked for', async () => {
  const LONG = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 9000000\r\n\r\n'
  const LIGHT = '<title>light</title>'
  await using server = await rawServer((socket, request) => {
    // Long ones never come to an end.
    if (!request.includes('light')) socket.write(LONG)
    else
      socket.write(
        `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${LIGHT.length}\r\n\r\n${LIGHT}`,
      )
  })
  const timeouts = { connectMs: 60_000, firstByteMs: 60_000, totalMs: 60_000 }
  await using fetcher = fetcherTo(server.port, {
    concurrency: 2,
    minCallSeconds: 600,
    maxBodyBytes: 10 * MIB,
    timeouts,
  })
  const long = Array.from({ length: 10 }, (_, i) => `http://long${i}.example/`)
  const requests = requestsFor(...long, 'http://light.example/')
  for await (const outcome of fetcher.fetchAll(requests, never)) {
    expect(outcome).toMatchObject({ kind: 'page', url: 'http://light.example/' })
    break
  }
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

test('who is told to end waits for no turn', async () => {
  const heavy = new HeavyAnswers()
  const stop = new AbortController()
  await heavy.read(() => busyFor(50), stop.signal)
  const second = heavy.read(() => 'read', stop.signal)
  stop.abort()
  expect(await second).toBeUndefined()
})

test('more long bodies than places arrive whole, and light ones do not wait for them', async () => {
  const page = `<title>long</title>${'word '.repeat(HEAVY / 5)}`
  await using server = await rawServer((socket, request) => {
    const body = request.includes('light') ? '<title>light</title>' : page
    const head = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${body.length}\r\n\r\n`
    if (request.includes('/robots.txt'))
      socket.write('HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n')
    else socket.write(head + body)
  })
  await using fetcher = fetcherTo(server.port, { concurrency: 32, minCallSeconds: 600 })
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
  await using fetcher = fetcherTo(server.port, { concurrency: 32, minCallSeconds: 600 })
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
