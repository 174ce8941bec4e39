import { spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openCrawl } from '#library/crawl.ts'
import { planOfCycle } from '#library/plan/plan-fetches.ts'
import { importQueryLogs } from '#library/queries/import-log.ts'
import type { CrawlOptions } from '#library/settings/crawl-options.ts'
import { askTables } from '#repository/database/ask-tables.test-kit.ts'
import { readWithWarcio } from '#repository/warc/warc.test-kit.ts'

const FORAGER = join(import.meta.dirname, '..', '..', 'bin', 'forager.js')
const BROWSER = process.env.FORAGER_CHROMIUM ?? '/usr/bin/chromium'

type Answer = (path: string, response: ServerResponse, request: IncomingMessage) => void

/** A site on loopback that counts who asks for what. */
async function serve(answer: Answer): Promise<{ port: number; asked: string[] }> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    asked.push(path)
    response.setHeader('content-type', 'text/html')
    answer(path, response, request)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, asked }
}

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'forager-render-test-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

/** A crawl of a site that is called app.test, with the browser of this machine. */
function optionsFor(port: number, more: Partial<CrawlOptions> = {}): CrawlOptions {
  return {
    ...{ dir: join(folder(), 'crawl'), seeds: ['http://app.test/'], delay: 0, render: true },
    ...{ resolve: [`app.test=127.0.0.1:${port}`], browser: BROWSER, renderTimeout: 5 },
    ...{ renderSandbox: process.getuid?.() !== 0, ...more },
  }
}

const WORDS = 'glacier compass valley summit cabin forest river ridge stove guide'.split(' ')
const shell = (script: string) =>
  `<!doctype html><title>App</title><div id="root"></div><noscript>Enable JavaScript</noscript><script>${script}</script>`
const textOf = (n: number) =>
  Array.from({ length: 150 }, (_, i) => WORDS[(i * (n + 3) + n) % WORDS.length]).join(' ')

/** Plain pages, and as many that ask for what they say. */
const halfScripted: Answer = (path, response) => {
  const n = Number(/\d+/.exec(path)?.[0] ?? 0)
  if (path === '/robots.txt') response.end('User-agent: *\nDisallow: /private')
  else if (path.startsWith('/data/'))
    response.end(JSON.stringify({ text: `special${n} ${textOf(n)}`, next: `/app/${(n + 1) % 12}` }))
  else if (path.startsWith('/app/'))
    response.end(
      shell(
        `fetch('/private/x').catch(() => {}); fetch('/data/${n}').then((r) => r.json()).then((d) => { root.innerHTML = '<h1>Application ${n}</h1><p>' + d.text + '</p><a href="' + d.next + '">next special</a><a href="/found/${n}">found</a>' })`,
      ),
    )
  else
    response.end(
      `<title>Plain ${n}</title><p>${textOf(n)}</p>${[0, 1, 2, 3].map((i) => `<a href="/plain/${(n * 4 + i) % 12}">plain ${WORDS[i]}</a> <a href="/app/${(n * 4 + i) % 12}">special${(n * 4 + i) % 12} app</a>`).join(' ')}`,
    )
}

/** All pages are one frame, which goes by its address. */
const oneFrame: Answer = (path, response) => {
  if (path === '/robots.txt') response.writeHead(404).end()
  else
    response.end(
      shell(
        `root.innerHTML = '<p>' + (location.pathname + ' lives in the tundra. ').repeat(30) + '</p>' + ['/lynx', '/wolf'].map((to) => '<a href="' + to + '">' + to + '</a>')`,
      ),
    )
}

test('a site of nothing but frames is crawled without a query log, also after a run that rendered nothing', async () => {
  const { port } = await serve(oneFrame)
  const options = optionsFor(port, { budget: 100, renderTimeout: 10 })
  {
    await using crawl = await openCrawl({ ...options, render: false })
    expect(await crawl.run()).toMatchObject({ known: 2, frames: 2 })
  }
  await using crawl = await openCrawl(options)
  const { frames } = await crawl.run()
  expect(frames).toBeUndefined()
  const { results } = await crawl.search('wolf')
  expect(results[0]?.url).toBe('http://app.test/wolf')
})

test('pages are rendered where that is worth it: found, paid for, kept in WARC files, and planned again from the log', async () => {
  const { port, asked } = await serve(halfScripted)
  const options = optionsFor(port, { budget: 120, renderTimeout: 10 })
  const log = join(folder(), 'log.csv')
  const specials = Array.from({ length: 12 }, (_, n) => `special${n},5`)
  writeFileSync(log, `query,count\n${specials.join('\n')}\nglacier compass,2\n`)
  await importQueryLogs([log], { dir: options.dir!, format: 'csv' })
  {
    await using crawl = await openCrawl(options)
    await crawl.run()
    const { results } = await crawl.search('special3')
    expect(results[0]?.url).toBe('http://app.test/app/3')
  }
  const { dir } = options
  const [row] = await askTables(
    dir!,
    `SELECT sum(cost)::INTEGER AS paid, count(*) FILTER (rendering = 'done')::INTEGER AS done,
       count(*) FILTER (rendering = 'done' AND predicted_gain > 0 AND realised_gain > 0)::INTEGER AS gained
     FROM fetch_log`,
  )
  const { paid, done, gained } = row as Record<string, number>
  expect(paid).toBeLessThanOrEqual(120)
  expect(done).toBeGreaterThan(3)
  expect(gained).toBeGreaterThan(0)
  // robots.txt holds for scripts too, and links that only they show are followed.
  expect(asked.filter((path) => path.startsWith('/private'))).toEqual([])
  expect(asked.filter((path) => path.startsWith('/found/')).length).toBeGreaterThan(0)

  const warcs = join(dir!, 'warc')
  const files = readdirSync(warcs).filter((name) => name.endsWith('.warc.gz'))
  const records = (await Promise.all(files.map((name) => readWithWarcio(join(warcs, name))))).flat()
  const conversions = records.filter(({ type }) => type === 'conversion')
  expect(conversions).toHaveLength(done)
  const field = (of: (typeof records)[number], name: string) => of.record.warcHeader(name)
  const responses = new Map(
    records
      .filter(({ type }) => type === 'response' || type === 'revisit')
      .map((one) => [field(one, 'warc-record-id'), one.url]),
  )
  for (const conversion of conversions) {
    expect(responses.get(field(conversion, 'warc-refers-to'))).toBe(conversion.url)
    expect(conversion.content.toString()).toContain('<h1>Application')
  }

  const [{ cycle }] = await askTables(
    dir!,
    `SELECT max(cycle)::INTEGER AS cycle FROM fetch_log WHERE rendering = 'done'`,
  )
  const again = await planOfCycle(dir!, Number(cycle)) // which throws unless it is the same
  expect(again.fetches.length).toBeGreaterThan(0)
})

test('scripts reach nothing that the crawl would not: no private address, by no way', async () => {
  const secret = await serve((_, response) => response.end('secret'))
  const udp = createSocket('udp4')
  let datagrams = 0
  udp.on('message', () => datagrams++)
  udp.bind(0, '127.0.0.1')
  await once(udp, 'listening')
  onTestFinished(() => void udp.close())
  const inside = `127.0.0.1:${secret.port}`
  const { port } = await serve((path, response) => {
    if (path === '/robots.txt') return response.end('')
    if (path === '/sw.js') {
      response.setHeader('content-type', 'text/javascript')
      return response.end(`fetch('http://${inside}/worker')`)
    }
    if (path.startsWith('/away'))
      return response.writeHead(302, { location: `http://${inside}/redirected` }).end()
    if (path !== '/') return response.writeHead(404).end()
    return response.end(
      shell(`
      const to = 'http://${inside}/'
      fetch(to + 'fetch').catch(() => {}); fetch('/away').catch(() => {})
      for (const tag of ['img', 'script', 'iframe', 'link']) { const e = document.createElement(tag); e.src = e.href = to + tag; e.rel = 'stylesheet'; document.body.append(e) }
      const s = document.createElement('script'); s.src = '/away/script'; document.body.append(s)
      try { new WebSocket('ws://${inside}/socket') } catch {}
      try { new EventSource(to + 'events') } catch {}
      try { navigator.sendBeacon(to + 'beacon') } catch {}
      try { navigator.serviceWorker.register('/sw.js').catch(() => {}) } catch {}
      try { new Worker(URL.createObjectURL(new Blob(["fetch('" + to + "worker')"]))) } catch {}
      try { const c = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${(udp.address() as AddressInfo).port}' }] }); c.createDataChannel('x'); c.createOffer().then((o) => c.setLocalDescription(o)) } catch {}
      const a = document.createElement('a'); a.href = to + 'download'; a.download = 'x'; a.click()
      window.open(to + 'window'); alert('hello')
      root.textContent = ${JSON.stringify(`survived ${textOf(1)}`)}
      setTimeout(() => { location.href = to + 'location' }, 50)`),
    )
  })
  const options = optionsFor(port, { budget: 60, renderAll: true })
  await using crawl = await openCrawl(options)
  await crawl.run()
  expect(secret.asked).toEqual([])
  expect(datagrams).toBe(0)
  const { results } = await crawl.search('survived')
  expect(results[0]?.url).toBe('http://app.test/')
})

test('a page that hangs or takes all memory costs one outcome, and the crawl goes on', async () => {
  const { port } = await serve((path, response) => {
    if (path === '/robots.txt') return response.end('')
    if (path === '/')
      return response.end(
        `<title>Start</title>${['hang', 'greedy', 'good'].map((name) => `<a href="/${name}">${name}</a>`).join(' ')}`,
      )
    if (path === '/hang') return response.end(shell('for (;;);'))
    if (path === '/greedy')
      return response.end(
        shell('const all = []; for (;;) all.push(new Uint8Array(2 ** 24).fill(7))'),
      )
    if (path === '/good')
      return response.end(shell(`root.textContent = ${JSON.stringify(textOf(2))}`))
    return response.writeHead(404).end()
  })
  const options = optionsFor(port, {
    ...{ budget: 90, renderAll: true, renderTimeout: 2, renderMemory: 400 * 2 ** 20 },
  })
  {
    await using crawl = await openCrawl(options)
    await crawl.run()
  }
  const rows = await askTables(
    options.dir!,
    `SELECT u.url, f.rendering FROM fetch_log f JOIN url u ON u.id = f.url_id WHERE f.outcome = 'page'`,
  )
  const stateOf = new Map(
    rows.map(({ url, rendering }) => [new URL(String(url)).pathname, rendering]),
  )
  expect(stateOf.get('/hang')).toBe('failed')
  expect(stateOf.get('/greedy')).toBe('failed')
  expect(stateOf.get('/good')).toBe('done')
})

test('SIGTERM ends a crawl that renders within two seconds, and its browser with it', async () => {
  const { port, asked } = await serve((path, response) => {
    if (path === '/robots.txt') return response.end('')
    return response.end(shell(`setInterval(() => fetch('/poll?' + Math.random()), 100)`))
  })
  const { dir, seeds, browser, renderSandbox } = optionsFor(port)
  const flags = ['--render', '--render-all', '--render-timeout', '60', '--delay', '0']
  const child = spawn(process.execPath, [
    ...[FORAGER, 'crawl', ...seeds!, '--dir', dir!, '--resolve', `app.test=127.0.0.1:${port}`],
    ...[...flags, '--browser', browser!, ...(renderSandbox ? [] : ['--no-render-sandbox'])],
  ])
  while (asked.filter((path) => path.startsWith('/poll')).length < 5)
    await new Promise((resolve) => setTimeout(resolve, 50))
  const told = performance.now()
  child.kill('SIGTERM')
  await once(child, 'exit')
  expect(performance.now() - told).toBeLessThan(2_000)
  const before = asked.length
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(asked.length).toBe(before)
})
