import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fromJSON, loadSync } from '@grpc/proto-loader'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { startReplayServer } from '#app/server/replay-server.ts'
import { fetchByFrontier, frontierClient } from '#app/server/url-frontier/fetcher.test-kit.ts'
import { URL_FRONTIER } from '#app/server/url-frontier/protocol.ts'
import { readArchive } from '#archive/format/read-archive.ts'
import { writeArchive } from '#archive/format/write-archive.ts'
import { generateModelWeb } from '#lab/model-web/generate.ts'
import { lookAtCrawl } from '#library/crawl.ts'
import { isThorough } from '#numeric/cases.test-kit.ts'
import { temporaryFolder } from '#repository/temporary-folder.test-kit.ts'
import { commandsOf, shell } from './followed-page.ts'
import { forager, startForager } from './forager-process.ts'
import { html, startScriptedSite } from './scripted-site.ts'

let root: string
beforeEach(() => {
  root = temporaryFolder()
})

/** A server as a process of its own, at a free port. */
async function startFrontier(...flags: readonly string[]) {
  const args = ['frontier', '--port', '0', '--json', '--no-config', ...flags]
  const { child, ended } = startForager(args, root)
  onTestFinished(() => void child.kill('SIGKILL'))
  const port = await new Promise<number>((found, failed) => {
    child.stdout?.once('data', (line) => found(JSON.parse(String(line)).port))
    void ended.then(({ stderr }) => failed(new Error(stderr)))
  })
  return { port, child, ended }
}

test('the protocol that is printed is the one that is spoken', async () => {
  const { stdout } = await forager('frontier', '--proto')
  const file = join(root, 'urlfrontier.proto')
  writeFileSync(file, stdout)
  const shape = (of: object) =>
    JSON.parse(
      JSON.stringify(of, (name, value) => {
        if (/FileDesc|fileDesc/.test(name)) return undefined
        return name === 'field' ? value.toSorted(byNumber) : value
      }),
    )
  expect(shape(loadSync(file, { keepCase: true }))).toEqual(
    shape(fromJSON(URL_FRONTIER as never, { keepCase: true })),
  )
})

const byNumber = (a: { number: number }, b: { number: number }) => a.number - b.number

interface Asked {
  readonly host: string
  readonly at: number
  endedAt: number
}

const DELAY_SECONDS = 0.3
/** Timers may fire a little early, and a report is there before its answer is seen to have gone. */
const TOLERANCE_MS = 25

/** Requests that came too soon after another to the same host, or beside it. */
function tooSoon(asked: readonly Asked[]): string[] {
  const last = new Map<string, Asked>()
  return asked.flatMap((one) => {
    const before = last.get(one.host)
    last.set(one.host, one)
    const gap = before ? one.at - before.endedAt : Number.POSITIVE_INFINITY
    return gap < DELAY_SECONDS * 1000 - TOLERANCE_MS ? [`${one.host}: ${gap} ms`] : []
  })
}

test.runIf(isThorough).each(['content', 'links'] as const)(
  'a fetcher crawls a model web by our plan, telling %s, and hosts get their rest, also when the server is killed',
  async (tells) => {
    const web = join(root, 'web')
    await writeArchive(web, generateModelWeb({ seed: 3, pages: 600, weeks: 1 }))
    const archive = await readArchive(web)
    const asked: Asked[] = []
    const site = await startReplayServer({
      ...{ archive, port: 0, from: 0, speed: 0, answerMs: 5 },
      onRequest: (url) => {
        const one = { host: new URL(url).host, at: performance.now(), endedAt: Infinity }
        asked.push(one)
        return () => {
          one.endedAt = performance.now()
        }
      },
    })
    onTestFinished(() => site.close())
    const flags = ['--dir', 'crawls', '--budget', '120', '--delay', `${DELAY_SECONDS}`]
    const first = await startFrontier(...flags)
    const client = await frontierClient(first.port)
    const seeds = archive.site.start.map((url) => ({ discovered: { info: { url } } }))
    const answers = await client.put(...seeds)
    expect(answers.every(({ status }) => status === 'OK')).toBe(true)
    const before = await fetchByFrontier({ client, webPort: site.port, budget: 40, tells })
    // Somebody gets a URL, and nobody hears of it again until the server is back.
    let [lost] = await client.get({ max_queues: 1, delay_requestable: 600 })
    for (let tries = 0; !lost && tries < 100; tries++)
      [lost] = await client.get({ max_queues: 1, delay_requestable: 600 })
    client.close()
    first.child.kill('SIGKILL')
    await first.ended

    const second = await startFrontier(...flags)
    const again = await frontierClient(second.port)
    const { inProcess } = await again.ask<{ inProcess: number }>('GetStats')
    expect(inProcess).toBe(1)
    const crawlOn = { client: again, webPort: site.port, budget: 500, tells }
    const after = await fetchByFrontier(crawlOn)
    // What is out counts, so that the budget is never exceeded. Its host is left alone meanwhile.
    expect(before.fetches + after.fetches).toBeLessThanOrEqual(119)
    const known = { info: { url: lost.url, key: lost.key }, refetchable_from_date: 0 }
    expect(await again.put({ known })).toMatchObject([{ status: 'OK' }])
    const rest = await fetchByFrontier(crawlOn)
    expect(before.fetches + after.fetches + rest.fetches).toBe(119)
    const pages = [...before.pages, ...after.pages, ...rest.pages]
    expect(new Set(pages).size).toBe(pages.length)
    expect(pages).not.toContain(lost.url)
    again.close()
    second.child.kill('SIGTERM')
    expect((await second.ended).code).toBe(0)
    expect(tooSoon(asked)).toEqual([])
    await using crawl = await lookAtCrawl({ dir: join(root, 'crawls', 'DEFAULT') })
    expect(crawl.opened.state.spent).toBe(120)
    expect(pages.length).toBeGreaterThan(90)
  },
)

test.runIf(isThorough)(
  'delays, blocks, limits and dates of clients hold, and outlive the server',
  async () => {
    const flags = ['--dir', 'crawls', '--delay', '0']
    const first = await startFrontier(...flags)
    const client = await frontierClient(first.port)
    const discovered = (url: string) => ({ discovered: { info: { url } } })
    const later = Math.floor(Date.now() / 1000) + 1_000
    const known = (url: string, date: number) => ({
      known: {
        info: { url, metadata: { a: { values: ['1', '2'] } } },
        refetchable_from_date: date,
      },
    })
    const answers = await client.put(
      ...['https://a.org/1', 'https://a.org/2', 'https://b.org/', 'https://c.org/'].map(discovered),
      ...[known('https://d.org/', later), known('https://e.org/', 0), discovered('mailto:me')],
    )
    expect(answers.map(({ status }) => status)).toEqual([...Array(6).fill('OK'), 'SKIPPED'])
    await client.ask('BlockQueueUntil', { key: 'b.org', time: later })
    await client.ask('SetDelay', { key: 'a.org', delay_requestable: 1_000 })
    await expect(client.ask('DeleteCrawl', {})).rejects.toThrow(/--allow-deletes/)
    await client.ask('SetActive', { state: false })
    expect(await client.get()).toEqual([])
    await client.ask('SetActive', { state: true })
    const got = await client.get({ delay_requestable: 500 })
    expect(got.map(({ key }) => key).sort()).toEqual(['a.org', 'c.org'])
    const one = got.find(({ key }) => key === 'a.org')!
    await client.put({ known: { info: { url: one.url }, refetchable_from_date: 0 } })
    expect(await client.get()).toEqual([]) // a.org rests, b.org is blocked, c.org is out
    // What was told is in the log soon after; until then it would be handed out again when its lease is over.
    await vi.waitFor(
      async () => expect(await client.ask('GetStats')).toMatchObject({ inProcess: 1 }),
      { timeout: 60_000 },
    )
    client.close()
    first.child.kill('SIGKILL')
    await first.ended

    const second = await startFrontier(...flags)
    const again = await frontierClient(second.port)
    expect(await again.get()).toEqual([])
    expect(await again.ask('GetStats')).toMatchObject({ size: 4, inProcess: 1, numberOfQueues: 5 })
    expect(await again.ask('GetURLStatus', { url: 'https://d.org/' })).toMatchObject({
      known: { refetchable_from_date: later, info: { metadata: { a: { values: ['1', '2'] } } } },
    })
    await expect(again.ask('GetURLStatus', { url: 'https://z.org/' })).rejects.toThrow(/NOT_FOUND/)
    await again.ask('BlockQueueUntil', { key: 'b.org', time: 0 })
    expect((await again.get()).map(({ url }) => url)).toEqual(['https://b.org/'])
    again.close()
  },
)

/** Forty pages; those on herons lie behind links that say so, and come last on their page. */
function pages() {
  const pageOf = (number: number) => {
    const links = [2 * number + 1, 2 * number + 2]
      .filter((other) => other < 40)
      .map((other) => `<a href="/${other}">${other % 4 === 2 ? 'a heron' : 'a stone'} ${other}</a>`)
    return `<title>${number % 4 === 2 ? 'heron' : 'stone'} ${number}</title><p>On ${number}. ${links.join(' ')}`
  }
  const others = Array.from({ length: 39 }, (_, i) => [`/${i + 1}`, html(pageOf(i + 1))] as const)
  return Object.fromEntries([['/', html(pageOf(0))] as const, ...others])
}

test.runIf(isThorough)('the how-to page can be followed', async () => {
  using site = await startScriptedSite(pages())
  const page = readFileSync('docs/how-to/serve-a-url-frontier.md', 'utf8')
  writeFileSync(join(root, 'queries.csv'), 'query,count\nheron,10\n')
  mkdirSync(join(root, 'node_modules'))
  symlinkSync(resolve('node_modules/@grpc'), join(root, 'node_modules', '@grpc'))
  const commands = commandsOf(page)
  expect(commands.length).toBe(6)
  const told: string[] = []
  for (const command of commands) {
    const started = /^npx forager frontier (--dir .*)/.exec(command)
    if (started) {
      const { port } = await startFrontier(...started[1].split(' '))
      const program = /```js\n([\s\S]*?)```/
        .exec(page)![1]
        .replace('https://example.org/', `http://127.0.0.1:${site.port}/`)
        .replace('7071', `${port}`)
      writeFileSync(join(root, 'fetch.mjs'), program)
      continue
    }
    const line = command.replace(/^node /, `${process.execPath} `)
    const { code, stdout, stderr } = await shell(line, root)
    expect(code, `${command}\n${stderr}`).toBe(0)
    told.push(stdout)
  }
  const [, , fetched, status, found] = told
  expect(fetched.match(/heron \d+/g)!.length).toBeGreaterThanOrEqual(8) // of ten
  expect(site.asked.length).toBe(20)
  expect(status).toMatch(/20 fetches, \d+ URLs known/)
  expect(found).toMatch(/heron/)
})
