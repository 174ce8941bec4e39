import { expect, test } from 'vitest'
import { HeavyAnswers, LIGHT_BYTES } from './heavy-answers.ts'
import { fetcherTo, outcomesOf, rawServer, requestsFor } from './scripted-server.test-kit.ts'

const HEAVY = LIGHT_BYTES + 1
const never = new AbortController().signal

test('eight long bodies are received at once; the others go on in the order they came', () => {
  const heavy = new HeavyAnswers()
  const places = Array.from({ length: 11 }, () => heavy.place())
  const wentOn: number[] = []
  const entered = places.map((place, i) => place.enter(() => wentOn.push(i)))
  expect(entered.filter(Boolean)).toHaveLength(8)
  places[9][Symbol.dispose]() // it was broken off while it waited
  places[0][Symbol.dispose]()
  places[0][Symbol.dispose]()
  expect(wentOn).toEqual([8])
  places[1][Symbol.dispose]()
  expect(wentOn).toEqual([8, 10])
})

test('light answers are read at once, long ones one after the other with rests between them', async () => {
  const heavy = new HeavyAnswers()
  const order: string[] = []
  const read = (name: string, bytes: number) =>
    heavy.read(bytes, () => void busyFor(5, () => order.push(name)), never)
  const startedAt = performance.now()
  const all = [read('a', HEAVY), read('b', HEAVY), read('c', LIGHT_BYTES)]
  await Promise.all(all)
  expect(order).toEqual(['c', 'a', 'b'])
  expect(performance.now() - startedAt).toBeGreaterThan(40 * 5)
})

test('who is told to end waits for no turn', async () => {
  const heavy = new HeavyAnswers()
  const stop = new AbortController()
  await heavy.read(HEAVY, () => busyFor(50), stop.signal)
  const second = heavy.read(HEAVY, () => 'read', stop.signal)
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

function busyFor(ms: number, then: () => unknown = () => {}): void {
  const until = performance.now() + ms
  while (performance.now() < until);
  then()
}
