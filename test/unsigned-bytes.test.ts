import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { version } from '#library/settings/version.ts'
import { temporaryFolder } from '#repository/temporary-folder.test-kit.ts'
import { forager } from './forager-process.ts'

const PAGES: Readonly<Record<string, string>> = {
  '/': '<title>Trails</title><a href="/a">a trail</a>',
  '/a': '<title>A</title>stony',
}

/** What the first edition sent for a request, byte for byte. */
function firstEdition(path: string, encodings: string): string {
  return [
    `GET ${path} HTTP/1.1`,
    'host: a.example',
    'connection: keep-alive',
    'x-forwarded-proto: http',
    `user-agent: Forager/${version} (+a@b.example)`,
    'from: a@b.example',
    'accept: text/html,application/xhtml+xml,application/xml;q=0.9,text/plain;q=0.8,*/*;q=0.1',
    `accept-encoding: ${encodings}`,
    '\r\n',
  ].join('\r\n')
}

test.each([
  ['without a key', false],
  ['with a key, as long as nobody asks', true],
])('%s a whole crawl sends to the byte what the first edition did', async (_, hasKey) => {
  const folder = temporaryFolder()
  const keys = join(folder, 'keys')
  const agent = 'https://bot.example'
  if (hasKey)
    await forager(
      'identity',
      'init',
      '--agent',
      agent,
      '--contact',
      'a@b.example',
      '--folder',
      keys,
    )
  await using wire = await startWire()
  const identity = [
    '--identity-key',
    join(keys, 'key.json'),
    '--identity-agent',
    agent,
    '--identity-sign',
    'when-asked',
  ]
  const where = ['--resolve', `*=127.0.0.1:${wire.port}`, '--dir', join(folder, 'crawl')]
  const how = ['--delay', '0', '--contact', 'a@b.example', ...(hasKey ? identity : [])]
  const { code, stderr } = await forager('crawl', 'http://a.example/', ...where, ...how)
  expect(code, stderr).toBe(0)
  const all = 'gzip, deflate, br, zstd'
  const pages = ['/', '/a', '/sitemap.xml'].map((path) => firstEdition(path, all))
  const expected = [firstEdition('/robots.txt', 'gzip'), ...pages]
  expect(wire.received().sort()).toEqual(expected.sort())
})

/** A server that keeps the bytes it receives. */
async function startWire() {
  const received: string[] = []
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      const text = bytes.toString('latin1')
      received.push(text)
      for (const [, path] of text.matchAll(/^GET (\S+)/gm)) {
        const page = PAGES[path]
        const head = page ? '200 OK\r\nContent-Type: text/html' : '404 Not Found'
        socket.write(
          `HTTP/1.1 ${head}\r\nContent-Length: ${page?.length ?? 0}\r\n\r\n${page ?? ''}`,
        )
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    received: () => received.join('').split(/(?<=\r\n\r\n)/),
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
