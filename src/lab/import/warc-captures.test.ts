import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '#repository/temporary-folder.test-kit.ts'
import { readWarc } from '#repository/warc/read/warc-reader.ts'
import { exchangeOf, openWriter, warcNames } from '#repository/warc/warc.test-kit.ts'
import type { Capture } from './capture.ts'
import { WarcCaptures } from './warc-captures.ts'

test('where a robots.txt redirected to is no page, but what was crawled is', async () => {
  const dir = temporaryFolder()
  const writer = await openWriter(dir, { newId: () => crypto.randomUUID() })
  const keep = (path: string, purpose: string, head = 'HTTP/1.1 200 OK\r\n') => {
    const type = 'content-type: text/html\r\n\r\n'
    const exchange = exchangeOf(Buffer.from(`<title>${path}`), { head: head + type })
    writer.append(exchange, { url: `https://a.org${path}`, purpose })
  }
  keep('/first', 'acquire')
  keep('/robots.txt', 'robots', 'HTTP/1.1 301 Moved\r\nlocation: /elsewhere\r\n')
  keep('/elsewhere', 'robots')
  keep('/robots.txt', 'robots')
  keep('/last', 'refresh')
  await writer.close()
  const told = new WarcCaptures()
  const captures: Capture[] = []
  for await (const record of readWarc(join(dir, warcNames(dir)[0])))
    captures.push(...told.take(record))
  captures.push(...told.end())
  const pages = captures.flatMap((capture) => (capture.kind === 'page' ? [capture.url] : []))
  expect(pages).toEqual(['https://a.org/first', 'https://a.org/last'])
  expect(captures.filter(({ kind }) => kind === 'robots')).toHaveLength(1)
})
