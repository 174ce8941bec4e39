import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { readArchive } from '#archive/format/read-archive.ts'
import { isThorough } from '#numeric/cases.test-kit.ts'
import { sharedFolder } from '#repository/temporary-folder.test-kit.ts'
import { WarcWriter } from '#repository/warc/write/warc-writer.ts'
import { commandsOf, shell } from './followed-page.ts'
import { forager } from './forager-process.ts'

const root = sharedFolder()
beforeAll(async () => {
  const folder = join(root, 'warcs')
  const writer = await WarcWriter.open(folder, { info: { software: 'forager/test' } })
  const keep = (url: string, body: string, type = 'text/html', status = 200) =>
    writer.append(
      {
        requestHead: 'GET / HTTP/1.1\r\n\r\n',
        responseHead: `HTTP/1.1 ${status} X\r\nContent-Type: ${type}\r\n\r\n`,
        body: new TextEncoder().encode(body),
        startedAt: Date.UTC(2026, 0, 5) / 1000,
      },
      { url },
    )
  keep(
    'https://www.example.org/',
    '<title>Home</title><a href="/herons">Herons</a><a href="/gone">x</a>',
  )
  keep('https://www.example.org/herons', '<title>Herons</title><p>They fish.')
  keep('https://www.example.org/heron.png', 'no page', 'image/png')
  keep('https://www.example.org/gone', 'gone', 'text/html', 404)
  keep('https://other.example/', '<title>Other</title>')
  await writer.close()
  const index = readdirSync(folder).find((name) => name.endsWith('.cdxj'))!
  copyFileSync(join(folder, index), join(root, 'index.cdxj'))
})

test.runIf(isThorough)(
  'the how-to page can be followed: what an index lists becomes a web to crawl',
  async () => {
    const page = readFileSync('docs/how-to/replay-common-crawl.md', 'utf8')
    const commands = commandsOf(page)
    expect(commands.length).toBe(2)
    for (const command of commands) {
      const { code, stderr } = await shell(command, root)
      expect(code, `${command}\n${stderr}`).toBe(0)
    }
    const archive = await readArchive(join(root, 'recorded'))
    expect(archive.site.start).toEqual(['https://www.example.org/'])
    const { stdout } = await forager('search', 'fish', '--dir', join(root, 'forager-data'))
    expect(stdout).toContain('https://www.example.org/herons')
  },
)

/** A line as Common Crawl's index server answers: JSON alone. */
function asAnswered(line: string): string {
  const [, key, timestamp, fields] = /^(\S+) (\d+) (.*)$/.exec(line)!
  return JSON.stringify({ urlkey: key, timestamp, ...JSON.parse(fields) })
}

/** Serves files by ranges of bytes, under the path that Common Crawl has; tells which were asked for. */
async function serveRanges() {
  const ranges: string[] = []
  const server = createServer(({ url = '', headers }, response) => {
    const name = url.split('/').at(-1)!
    const [, from, to] = /bytes=(\d+)-(\d+)/.exec(headers.range ?? '')!
    ranges.push(`${from}-${to}`)
    if (!url.startsWith('/data/crawl/')) return void response.writeHead(404).end()
    const bytes = readFileSync(join(root, 'warcs', name)).subarray(Number(from), Number(to) + 1)
    response.writeHead(206).end(bytes)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { ranges, base: `http://127.0.0.1:${port}/data`, [Symbol.dispose]: close }
}

test('records come from an address by ranges, and only those that are wanted', async () => {
  using server = await serveRanges()
  const lines = readFileSync(join(root, 'index.cdxj'), 'utf8').replaceAll(
    '"filename":"',
    '"filename":"crawl/',
  )
  const index = join(root, 'cdx-00000.gz')
  // As Common Crawl has them: several gzip members in one file.
  const [first, ...rest] = lines.trimEnd().split('\n').map(asAnswered)
  writeFileSync(index, Buffer.concat([gzipSync(`${first}\n`), gzipSync(`${rest.join('\n')}\n`)]))
  const out = join(root, 'by-ranges')
  const args = ['--warc-from', server.base, '--site', 'www.example.org', '--out', out, '--json']
  const { code, stdout, stderr } = await forager('lab', 'import', '--cdx', index, ...args)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(JSON.parse(stdout)).toMatchObject({ captures: 3, pages: 2, damaged: 0 })
  expect(server.ranges.length).toBe(3)
})

test.each([
  [[], /--cdx names WARC files: say where they are/],
  [['--warc-from', 'nowhere'], /none of the 4 captures could be had from nowhere/],
  [['--warc-from', 'warcs', '--site', 'a b'], /--site 'a b' is no host name/],
  [['--warc-from', 'warcs', '--site', 'nobody.example'], /no page that is wanted; is --site right/],
])('lab import --cdx %j: one clear line and exit code 2', async (args, message) => {
  mkdirSync(join(root, 'empty'), { recursive: true })
  const index = join(root, 'index.cdxj')
  const given = args.map((arg) => (arg === 'warcs' ? join(root, arg) : arg))
  const { code, stderr } = await forager(
    'lab',
    'import',
    '--cdx',
    index,
    ...given,
    '--out',
    join(root, 'none'),
  )
  expect(code).toBe(2)
  expect(stderr).toMatch(message)
})
