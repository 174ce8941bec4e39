import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { takeRequest } from '#library/control/control-file.ts'
import { writeProgress } from '#library/control/progress-file.ts'
import { instructionInbox } from '#repository/inbox/instruction-inbox.ts'
import { CrawlStore } from '#repository/state/crawl-store.ts'
import { temporaryFolder } from '#repository/temporary-folder.test-kit.ts'
import { askSite } from '../http/openapi.test-kit.ts'
import { serveRoutes } from '../http/serve-routes.ts'
import { type ControlRoomOptions, openControlRoom } from './control-room.ts'
import { roomAnswers } from './room-answers.ts'

/** Threads take time to begin: one test has them. */
const onThisThread: Parameters<typeof openControlRoom>[1] = (_, site, onNews) =>
  roomAnswers(site, onNews)

/** A control room over an empty directory, and where it is served. */
async function serveRoom(options: Partial<ControlRoomOptions> & { readonly acts?: boolean } = {}) {
  const folder = temporaryFolder()
  const dir = join(folder, 'crawl')
  mkdirSync(dir)
  const { acts, ...rest } = options
  const settingsFile = join(folder, 'settings.json')
  const seedsFile = join(folder, 'seeds.txt')
  const actions = acts ? { dir, settingsFile, seedsFile } : undefined
  const room = openControlRoom({ crawl: { dir }, actions, ...rest }, onThisThread)
  const onError = (error: unknown) => {
    throw error
  }
  const server = await serveRoutes({
    site: { routes: room.routes, onError },
    ...{ port: 0, host: '127.0.0.1', flags: '', perSecond: 0 },
  })
  onTestFinished(async () => {
    await server.close()
    await room.close()
  })
  const url = `http://127.0.0.1:${server.port}`
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${url}${path}`, { redirect: 'manual', ...init })
  return { dir, folder, settingsFile, seedsFile, url, ask }
}

/** Tells others that a crawl runs here: this process. */
const seemToRun = (dir: string, service = true) =>
  writeProgress(dir, {
    ...{ pid: process.pid, at: 0, doing: 'crawling', policy: 'unified', spent: 0, known: 0 },
    fetchesPerSecond: 1,
    ...(service && { service: { fetchesADay: 10, burst: 5, leftInDay: 3, settingsAt: 0 } }),
  })

/** The key that forms of our own carry. */
const keyIn = (page: string) => /name="key" value="([^"]+)"/.exec(page)![1]

const sendForm = (
  url: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
) =>
  new Promise<{ status: number; body: string }>((resolve, reject) => {
    const form = new URLSearchParams(fields).toString()
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const sent = request(
      `${url}/control/act`,
      { method: 'POST', headers: { ...type, ...headers } },
      (answer) => {
        let body = ''
        answer.on('data', (data) => {
          body += data
        })
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body }))
      },
    )
    sent.on('error', reject)
    sent.end(form)
  })

test('before a crawl began, every page says how to begin', async () => {
  const { ask, dir } = await serveRoom()
  for (const page of ['', '/queries', '/page', '/belief', '/hosts', '/board', '/changes']) {
    const answer = await ask(`/control${page}?wait=yes`)
    expect(answer.status, page).toBe(200)
    expect(await answer.text()).toContain(
      `forager crawl https://example.org/ --scope domain --contact you@example.org --dir ${dir}`,
    )
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
  }
  const answer = await ask('/api/control/overview')
  expect(answer.status).toBe(404)
})

test('a directory that cannot be read says so, and how to mend it', async () => {
  const { ask, dir } = await serveRoom()
  writeFileSync(join(dir, 'state.duckdb'), 'these are no tables')
  const answer = await ask('/control?wait=yes')
  expect(answer.status).toBe(503)
  expect(await answer.text()).toContain(`forager check --dir ${dir}`)
})

test('with a token nobody looks without it, and a link with it signs in', async () => {
  const token = 'a-token-of-some-length'
  const { ask } = await serveRoom({ token })
  for (const path of [
    '/control',
    '/control/events',
    '/api/control/overview',
    '/api/control/openapi.json',
  ])
    expect((await ask(path)).status, path).toBe(401)
  expect((await ask('/control?token=wrong')).status).toBe(401)
  const bearer = { headers: { authorization: `Bearer ${token}` } }
  expect((await ask('/api/control/openapi.json', bearer)).status).toBe(200)
  const signIn = await ask(`/control?token=${token}`)
  expect(signIn.status).toBe(303)
  expect(signIn.headers.get('location')).toBe('/control')
  const cookie = signIn.headers.get('set-cookie')!
  expect(cookie).toMatch(/HttpOnly; SameSite=Strict/)
  expect(cookie).not.toContain(token)
  expect((await ask('/control', { headers: { cookie: cookie.split(';')[0] } })).status).toBe(200)
})

test('nothing can be done unless that is allowed', async () => {
  const { url } = await serveRoom()
  expect((await sendForm(url, { action: 'pause' })).status).toBe(405)
})

/** A crawl at rest, so that the overview has its forms. */
async function withCrawl(dir: string): Promise<void> {
  const store = await CrawlStore.open(dir)
  await store.saveSettings({ seeds: JSON.stringify(['https://a.example/']), index: 'no' })
  store.close()
}

test('an action is asked for once more, done once, and noted', async () => {
  const { url, dir, ask } = await serveRoom({ acts: true })
  await withCrawl(dir)
  seemToRun(dir)
  const page = await (await ask('/control?wait=yes')).text()
  const key = keyIn(page)
  const asked = await sendForm(url, { action: 'pause', key })
  expect(asked.body).toContain('Yes, pause')
  expect(takeRequest(dir)).toBeUndefined()
  const done = await sendForm(url, { action: 'pause', key, confirmed: 'yes' })
  expect(done.body).toContain('Done')
  expect(takeRequest(dir)?.control).toBe('pause')
  expect(JSON.parse(readFileSync(join(dir, 'control-log.jsonl'), 'utf8')).kind).toBe('pause')
  expect((await sendForm(url, { action: 'resume', key, confirmed: 'yes' })).status).toBe(409)
  expect((await sendForm(url, { action: 'explode', key, confirmed: 'yes' })).status).toBe(400)
})

test('no other site can act: neither without the key, nor in its own name', async () => {
  const { url, dir, ask } = await serveRoom({ acts: true })
  await withCrawl(dir)
  seemToRun(dir)
  const key = keyIn(await (await ask('/control?wait=yes')).text())
  const form = { action: 'stop', confirmed: 'yes' }
  expect((await sendForm(url, form)).status).toBe(403)
  expect((await sendForm(url, { ...form, key: 'guessed' })).status).toBe(403)
  for (const headers of [
    { origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site' },
    { origin: 'null' },
  ] as Record<string, string>[])
    expect((await sendForm(url, { ...form, key }, headers)).status).toBe(403)
  expect((await sendForm(url, { ...form, key }, { host: 'evil.example' })).status).toBe(421)
  expect((await sendForm(url, { ...form, key: 'x'.repeat(20_000) })).status).toBe(413)
  expect(takeRequest(dir)).toBeUndefined()
})

test('a rate goes into the settings file, and the service reads it again', async () => {
  const { url, dir, ask, settingsFile, seedsFile } = await serveRoom({ acts: true })
  await withCrawl(dir)
  writeFileSync(settingsFile, '{\n  "service": { "fetchesADay": 10, "burst": 5 }\n}\n')
  writeFileSync(seedsFile, 'https://a.example/\n')
  seemToRun(dir)
  const key = keyIn(await (await ask('/control?wait=yes')).text())
  const yes = { key, confirmed: 'yes' }
  expect((await sendForm(url, { ...yes, action: 'rate', fetchesADay: '0' })).status).toBe(409)
  expect((await sendForm(url, { ...yes, action: 'rate', fetchesADay: '250' })).status).toBe(200)
  expect(readFileSync(settingsFile, 'utf8')).toBe(
    '{\n  "service": { "fetchesADay": 250, "burst": 5 }\n}\n',
  )
  expect(takeRequest(dir)?.control).toBe('reload')
  expect((await sendForm(url, { ...yes, action: 'seed', url: 'b.example' })).status).toBe(200)
  expect(readFileSync(seedsFile, 'utf8')).toBe('https://a.example/\nhttps://b.example/\n')
  expect((await sendForm(url, { ...yes, action: 'seed', url: 'javascript:alert(1)' })).status).toBe(
    409,
  )
})

test('a crawl at rest learns a seed, which it begins with when it is run again', async () => {
  const { url, dir, ask } = await serveRoom({ acts: true })
  await withCrawl(dir)
  const key = keyIn(await (await ask('/control?wait=yes')).text())
  const form = { key, confirmed: 'yes', action: 'seed', url: 'https://b.example/' }
  expect((await sendForm(url, form)).status).toBe(200)
  const store = await CrawlStore.open(dir)
  expect(JSON.parse((await store.setting('seeds'))!)).toEqual([
    'https://a.example/',
    'https://b.example/',
  ])
  store.close()
})

test('who listens hears of news, and nobody is looked for when nobody listens', async () => {
  const { dir, ask } = await serveRoom()
  const stop = new AbortController()
  const answer = await ask('/control/events', { signal: stop.signal })
  expect(answer.headers.get('content-type')).toBe('text/event-stream')
  const reader = answer.body!.getReader()
  seemToRun(dir, false)
  let heard = ''
  while (!heard.includes('event: news'))
    heard += Buffer.from((await reader.read()).value!).toString()
  stop.abort()
  expect(heard).toContain('retry:')
})

test('what is said of pages, patterns and hosts waits for the crawl, and is told before it is done', async () => {
  const { url, dir, ask } = await serveRoom({ acts: true })
  await withCrawl(dir)
  seemToRun(dir)
  const page = await (await ask('/control?wait=yes')).text()
  expect(page).toContain('Addresses to leave alone')
  const yes = { key: keyIn(page), confirmed: 'yes' }
  const { confirmed: _, ...unsure } = yes
  const address = 'https://a.example/print/1'
  const asked = await sendForm(url, { ...unsure, action: 'fetch', url: address })
  expect(asked.body).toContain(`Fetch this now: ${address}`)
  expect(asked.body).toContain('before its next plan')
  expect(instructionInbox(dir).peek()).toEqual([])
  for (const form of [
    { action: 'fetch', url: address },
    { action: 'exclude', pattern: 'a.example/print/*' },
    {
      ...{ action: 'site', host: 'a.example', delay: '2.5', concurrency: '2' },
      ...{ quietHours: 'Mon-Fri 08:00-18:00, 23:00-01:00', maxPages: '500', refreshAfter: '7d' },
    },
    { action: 'site', host: 'a.example', delay: '' },
  ] as Record<string, string>[])
    expect((await sendForm(url, { ...yes, ...form })).status, form.action).toBe(200)
  expect(instructionInbox(dir).peek()).toEqual([
    { kind: 'fetch', url: address },
    { kind: 'exclude', pattern: 'a.example/print/*' },
    {
      ...{ kind: 'site', host: 'a.example', delay: 2.5, concurrency: 2 },
      ...{ quietHours: ['Mon-Fri 08:00-18:00', '23:00-01:00'] },
      ...{ maxPages: 500, refreshAfter: 604_800 },
    },
    { kind: 'site', host: 'a.example' },
  ])
  const after = await (await ask('/control?wait=yes')).text()
  expect(after).toContain('<code>a.example/print/*</code>')
  expect(after).toContain(
    'Change its settings: a.example, 2.5 s between requests; 2 at once; quiet',
  )
  const forget = await sendForm(url, { ...yes, action: 'forget', url: 'https://a.example/never' })
  expect(forget.status).toBe(409)
  const everything = await sendForm(url, { ...yes, action: 'exclude', pattern: '*' })
  expect(everything.status).toBe(409)
})

test('on threads of its own a room answers the same', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'forager-room-'))
  const room = openControlRoom({ crawl: { dir: folder } })
  onTestFinished(async () => {
    await room.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const site = {
    routes: room.routes,
    onError: (error: unknown) => {
      throw error
    },
  }
  const page = await askSite(site, '/control/part/board')
  expect(page.body).toContain('Nothing has been crawled here yet')
  expect((await askSite(site, '/api/control/hosts', 'limit=0')).status).toBe(400)
  expect((await askSite(site, '/api/control/overview')).status).toBe(404)
})
