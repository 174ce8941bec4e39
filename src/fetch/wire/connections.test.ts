import { createServer } from 'node:http'
import { expect, test, vi } from 'vitest'
import { listening, transport } from '../transport.test-kit.ts'
import { parseProxy } from './proxy.ts'
import { parseResolveRule } from './resolve-rules.ts'

test.each([
  ['https://a.example/', [], false, true],
  ['https://a.example/', [], true, true],
  ['http://a.example/', [], false, false],
  ['https://a.example/', ['a.example=http://192.0.2.1:80'], false, false],
  ['https://a.example/', ['a.example=https://192.0.2.1:443'], true, true],
  ['https://a.example/', ['*=127.0.0.1:80'], false, true],
  ['https://a.example/', ['*=127.0.0.1:80'], true, true],
  ['http://a.example/', ['*=127.0.0.1:80'], false, false],
  ['http://a.example/', ['a.example=https://192.0.2.1:443'], false, false],
  ['http://localhost:8080/', [], false, true],
  ['http://127.0.0.1/', [], false, true],
  ['http://[::1]:8080/', [], false, true],
  ['http://localhost:8080/', [], true, false],
  ['http://localhost:8080/', ['localhost=http://192.0.2.1:80'], false, false],
  ['http://127.0.0.1.example/', [], false, false],
])(
  'with %s, rules %j and a proxy: %s, nobody on the way can read what is sent: %s',
  (url, rules, isProxied, expected) => {
    const { connections } = transport({
      resolve: rules.map(parseResolveRule),
      ...(isProxied && { proxy: parseProxy('http://192.0.2.9:3128') }),
    })
    expect(connections.isPrivateTo(new URL(url))).toBe(expected)
  },
)

test('an origin is let go of when its last connection closes, or none could be opened', async () => {
  const server = createServer(({ url }, response) => {
    response.writeHead(200, url === '/last' ? { connection: 'close' } : {}).end('page')
  })
  await using site = await listening(server)
  await using client = transport({
    resolve: [parseResolveRule(`a.example=127.0.0.1:${site.port}`)],
  })
  const { connections, get } = client
  for (let round = 0; round < 2; round++) {
    expect(await get('http://a.example/')).toMatchObject({ kind: 'answer', status: 200 })
    expect(connections.size).toBe(1)
    expect(await get('http://a.example/last')).toMatchObject({ kind: 'answer', status: 200 })
    await vi.waitFor(() => expect(connections.size).toBe(0))
  }
  const port = site.port
  await site[Symbol.asyncDispose]()
  expect(await get(`http://a.example:${port}/`)).toMatchObject({ kind: 'failure' })
  await vi.waitFor(() => expect(connections.size).toBe(0))
})
