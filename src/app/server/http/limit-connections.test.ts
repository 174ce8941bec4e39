import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { createServer, get, type IncomingMessage, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSearchService } from '#library/search/search-service.ts'
import { searchableCrawl } from '#library/search/searchable-crawl.test-kit.ts'
import { startMetricsServer } from '../metrics-server.ts'
import { startSearchServer } from '../search/search-server.ts'
import { CLIENT_LIMITS, limitConnections } from './limit-connections.ts'

let server: Server
const slow: Socket[] = []

beforeEach(async () => {
  server = createServer(CLIENT_LIMITS, (_, response) => void response.end('here you are'))
  limitConnections(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterEach(() => {
  for (const socket of slow.splice(0)) socket.destroy()
  server.closeAllConnections()
  server.close()
})

const ownPort = () => (server.address() as AddressInfo).port

const HALF = 'GET / HTTP/1.1\r\nX-Slow: '

/** Connects and sends half a request, and never the rest. */
async function connectSlowly(localAddress: string, text = HALF, port = ownPort()) {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  slow.push(socket)
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write(text)
  return socket
}

async function statusFor(localAddress: string, path = '/', port = ownPort()) {
  const request = get({ port, path, host: '127.0.0.1', localAddress, agent: false })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  response.resume()
  return response.statusCode
}

async function openConnections(): Promise<number> {
  return new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )
}

test('256 slow connections from one address keep nobody out, not even their own address', async () => {
  for (let n = 0; n < 256; n++) await connectSlowly('127.0.0.1')
  expect(await statusFor('127.0.0.2')).toBe(200)
  expect(await statusFor('127.0.0.1')).toBe(200)
  expect(await openConnections()).toBeLessThanOrEqual(65)
})

test('slow connections from many addresses keep nobody out either', async () => {
  for (let n = 0; n < 300; n++) await connectSlowly(`127.0.1.${(n % 10) + 1}`)
  expect(await statusFor('127.0.0.2')).toBe(200)
  expect(await openConnections()).toBeLessThanOrEqual(257)
})

test('who asks now and then keeps the connection, who says nothing loses it', async () => {
  const asks = await connectSlowly('127.0.0.1', '')
  const saysNothing = await connectSlowly('127.0.0.1', '')
  asks.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await once(asks, 'data')
  const closed = once(saysNothing, 'close')
  for (let n = 0; n < 63; n++) await connectSlowly('127.0.0.1')
  await closed
  asks.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  expect(String((await once(asks, 'data'))[0])).toMatch(/^HTTP\/1\.1 200/)
})

async function startSearch() {
  const dir = searchableCrawl([{ url: 'https://a.example/', title: 'Apples', text: 'red' }])
  const service = openSearchService(dir)
  const site = { service, now: Date.now }
  const options = { site, port: 0, host: '127.0.0.1', perSecond: 0, onError: () => {} }
  const started = await startSearchServer(options)
  const close = async () => {
    await started.close()
    service.close()
    rmSync(dir, { recursive: true })
  }
  return { port: started.port, close }
}

const startMetrics = () =>
  startMetricsServer({ port: 0, host: '127.0.0.1', metrics: () => [], health: () => ({}) })

test.each([
  ['search', startSearch, '/search?q=apples'],
  ['metrics', startMetrics, '/metrics'],
])('the %s server answers beside 256 slow clients', async (_, start, path) => {
  const { port, close } = await start()
  for (let n = 0; n < 256; n++) await connectSlowly('127.0.0.1', HALF, port)
  for (const address of ['127.0.0.2', '127.0.0.1'])
    expect(await statusFor(address, path, port)).toBe(200)
  await close()
})
