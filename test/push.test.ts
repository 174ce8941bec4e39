import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeEach, expect, test } from 'vitest'
import type { PageEvent } from '#library/push/webhook.ts'
import { isThorough } from '#numeric/cases.test-kit.ts'
import { crawlInto } from '#repository/crawled-directory.test-kit.ts'
import { temporaryFolder } from '#repository/temporary-folder.test-kit.ts'
import { commandsOf, shell } from './followed-page.ts'
import { forager } from './forager-process.ts'

let root: string
beforeEach(() => {
  root = temporaryFolder()
})

/** A receiver that checks nothing and takes everything, but for what it is told to refuse. */
async function startReceiver(statusOf: (message: number) => number = () => 204) {
  const messages: { headers: IncomingHttpHeaders; body: string; pages: PageEvent[] }[] = []
  const server = createServer(async (request, response) => {
    const body = await text(request)
    messages.push({ headers: request.headers, body, pages: JSON.parse(body).data.pages })
    response.writeHead(statusOf(messages.length)).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { messages, address: `http://127.0.0.1:${port}/forager`, [Symbol.dispose]: close }
}

test.runIf(isThorough)(
  'the how-to page can be followed: a crawl tells of its pages, and a push of all again',
  async () => {
    using receiver = await startReceiver()
    const { messages } = receiver
    const page = readFileSync('docs/how-to/follow-pages-by-webhook.md', 'utf8')
    const commands = commandsOf(page.replaceAll('http://127.0.0.1:8787/forager', receiver.address))
    expect(commands.length).toBe(5)
    const heard: PageEvent[][] = []
    for (const command of commands) {
      const { code, stderr, stdout } = await shell(command, root)
      expect(code, `${command}\n${stderr}`).toBe(0)
      heard.push(
        messages.splice(0).flatMap(({ headers, body, pages }) => {
          const key = readFileSync(join(root, 'hook.key'), 'utf8').trim().slice('whsec_'.length)
          const told = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
          const mac = createHmac('sha256', Buffer.from(key, 'base64')).update(told).digest('base64')
          expect(headers['webhook-signature']).toBe(`v1,${mac}`)
          return pages
        }),
      )
      if (command.includes('push') && !command.includes('again') && !command.includes('crawl'))
        expect(stdout).toMatch(/^nothing new for http/)
    }
    const [, , crawled, rest, again] = heard
    expect(rest).toEqual([])
    expect(crawled.length).toBeGreaterThan(20)
    expect(new Set(again.map(({ url }) => url))).toEqual(new Set(crawled.map(({ url }) => url)))
  },
)

test('a receiver that refuses is named, and gets everything the next time', async () => {
  const dir = join(root, 'data')
  await crawlInto(dir, { pages: 20, weeks: 2, warc: false })
  using receiver = await startReceiver((message) => (message === 1 ? 401 : 200))
  process.env.FORAGER_WEBHOOK_SECRET = 'a word'
  const first = await forager('push', '--dir', dir, '--to', receiver.address)
  expect(first).toMatchObject({ code: 1, stdout: '' })
  expect(first.stderr).toMatch(/refuses it with status 401/)
  const second = await forager('push', '--dir', dir, '--to', receiver.address, '--json')
  delete process.env.FORAGER_WEBHOOK_SECRET
  expect(JSON.parse(second.stdout)).toMatchObject({ to: receiver.address, pages: 19 })
})

test.each([
  [['--to', 'ftp://a.example/'], /--to ftp:\/\/a.example\/ is no address that pages can go to/],
  [['--to', 'http://127.0.0.1:1/'], /webhooks are signed, and there is no secret: set FORAGER_W/],
  [['--to', 'http://127.0.0.1:1/', '--push-key', 'nowhere.key'], /nowhere.key cannot be read/],
  [[], /required option '--to <address>' not specified/],
])('forager push %j: one clear line and exit code 2', async (args, message) => {
  const { code, stdout, stderr } = await forager('push', ...args, '--dir', root)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(message)
  expect(stderr.trimEnd().split('\n').length).toBe(1)
})
