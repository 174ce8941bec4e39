import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as moment } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { readProgress, runningCrawl } from '#library/control/progress-file.ts'
import { isThorough } from '#numeric/cases.test-kit.ts'
import { readLog } from '#repository/state/take-up-log.ts'
import { temporaryFolder } from '#repository/temporary-folder.test-kit.ts'
import { forager, startForager } from './forager-process.ts'

interface Service {
  readonly dir: string
  /** Paths that were asked for, robots.txt left out. */
  readonly asked: string[]
  readonly child: ReturnType<typeof startForager>['child']
  readonly ended: ReturnType<typeof startForager>['ended']
  readonly settings: object
  write(settings: object): void
  start(): Pick<Service, 'child' | 'ended'>
}

/** A service over a site of sixty pages that link to two others each. */
async function service(more: { service?: object; seeds?: string }): Promise<Service> {
  const folder = temporaryFolder()
  const asked: string[] = []
  const server = createServer(({ url = '/' }, response) => {
    if (url === '/robots.txt') return void response.writeHead(404).end()
    asked.push(url)
    const page = Number(url.slice(1).replace(/\D/g, ''))
    const links = (page < 30 ? [1, 2] : []).map(
      (i) => `<a href="/${2 * page + i}">heron ${2 * page + i}</a>`,
    )
    response.setHeader('content-type', 'text/html')
    response.end(`<title>heron ${page}</title><p>All about heron number ${page}. ${links.join()}`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const dir = join(folder, 'data')
  const file = join(folder, 'forager.json')
  const settings = {
    dir: 'data',
    ...(more.seeds === undefined ? { seeds: ['http://a.test/'] } : { seedsFile: more.seeds }),
    http: { resolve: [`*=127.0.0.1:${port}`] },
    politeness: { delaySeconds: 0 },
    service: more.service ?? {},
  }
  const write = (some: object) => writeFileSync(file, JSON.stringify(some))
  write(settings)
  const start = () => startForager(['run', '--config', file, '--json'])
  const running = start()
  onTestFinished(async () => {
    running.child.kill('SIGKILL')
    await running.ended
    server.close()
    server.closeAllConnections()
  })
  return { dir, asked, settings, write, start, ...running }
}

async function until(holds: () => boolean, ended?: Promise<unknown>): Promise<void> {
  let isOver = false
  void ended?.then(() => {
    isOver = true
  })
  while (!holds()) {
    if (isOver) throw new Error('it ended before')
    await moment(20)
  }
}

test('a service sends its burst, waits for its rate, says so, and ends within two seconds when it is told to', async () => {
  const { dir, asked, child, ended } = await service({ service: { fetchesADay: 30, burst: 12 } })
  await until(() => readProgress(dir)?.service?.waits !== undefined, ended)
  expect(asked.length).toBe(12)
  const status = await forager('status', '--dir', dir)
  expect(status.stdout).toMatch(/30 fetches a day, 18 of them left in these 24 hours/)
  expect(status.stdout).toMatch(/it waits until .*: the rate allows no more/)
  const toldAt = performance.now()
  child.kill('SIGTERM')
  const { code, stdout } = await ended
  expect({ code, end: JSON.parse(stdout).end }).toEqual({ code: 0, end: 'stopped' })
  expect(performance.now() - toldAt).toBeLessThan(5_000) // two seconds, on a machine that does nothing else
})

test('what was sent before a kill counts for the rate after it', async () => {
  const { dir, asked, child, ended, start } = await service({
    service: { fetchesADay: 30, burst: 12 },
  })
  await until(() => asked.length >= 5, ended)
  child.kill('SIGKILL')
  await ended
  const again = start()
  onTestFinished(() => void again.child.kill('SIGKILL'))
  await until(() => runningCrawl(dir)?.service?.waits !== undefined, again.ended)
  expect(asked.length).toBeLessThanOrEqual(12)
  again.child.kill('SIGTERM')
  expect((await again.ended).code).toBe(0)
})

test.runIf(isThorough)(
  'a service reads its settings again on a signal or a word, and keeps the old ones if the new are wrong',
  async () => {
    const { dir, child, ended, settings, write } = await service({
      service: { fetchesADay: 30, burst: 5 },
    })
    const rate = () => readProgress(dir)?.service?.fetchesADay
    await until(() => rate() === 30, ended)
    write({ ...settings, service: { fetchesADay: 40 } })
    child.kill('SIGHUP')
    await until(() => rate() === 40, ended)
    write({ ...settings, service: { fetchesADay: 50 } })
    const told = await forager('reload', '--dir', dir)
    expect({ code: told.code, rate: rate(), stdout: told.stdout }).toEqual({
      ...{ code: 0, rate: 50, stdout: `${dir}: reloaded\n` },
    })
    write({ ...settings, service: { fetchesADay: 'many' } })
    const wrong = await forager('reload', '--dir', dir)
    expect({ code: wrong.code, rate: rate() }).toEqual({ code: 2, rate: 50 })
    expect(wrong.stderr).toContain('service.fetchesADay must be a whole number')
    // What only opening the crawl can tell: a directory keeps its scope.
    write({ ...settings, scope: { reach: 'host' } })
    const other = await forager('reload', '--dir', dir)
    expect({ code: other.code, rate: rate() }).toEqual({ code: 2, rate: 50 })
    expect(other.stderr).toContain('was begun with')
    expect((await forager('stop', '--dir', dir)).code).toBe(0)
    expect((await ended).code).toBe(0)
  },
)

test.runIf(isThorough)(
  'in quiet hours nobody is asked, and status tells when they end',
  async () => {
    const { dir, asked, ended, settings, write } = await service({
      service: { fetchesADay: 20, burst: 2 },
    })
    await until(() => readProgress(dir)?.service?.waits?.why === 'rate', ended)
    const before = asked.length
    const quietHours = ['00:00-24:00 UTC']
    write({
      ...settings,
      politeness: { delaySeconds: 0, quietHours },
      service: { fetchesADay: 999 },
    })
    expect((await forager('reload', '--dir', dir)).code).toBe(0)
    await until(() => readProgress(dir)?.service?.waits?.why === 'quiet hours', ended)
    expect((await forager('status', '--dir', dir)).stdout).toMatch(/waits until .*: quiet hours/)
    expect(asked.length).toBe(before)
  },
)

test('new seeds and searches are taken in while it waits, and its page answers from the first', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'forager-seeds-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const seeds = join(folder, 'seeds.txt')
  writeFileSync(seeds, 'http://a.test/\n')
  const { dir, asked, child, ended } = await service({
    service: { fetchesADay: 1e6, burst: 1e5, port: 0 },
    seeds,
  })
  let heard = ''
  child.stderr!.on('data', (data) => {
    heard += data
  })
  await until(() => /search page: (\S+)/.test(heard), ended)
  const page = /search page: (\S+)/.exec(heard)![1]
  expect((await fetch(`${page}api/search?q=heron`)).status).toBe(200)
  const isIdle = () => readProgress(dir)?.service?.waits?.why === 'nothing to fetch'
  await until(isIdle, ended)
  const { total } = (await (await fetch(`${page}api/search?q=heron`)).json()) as { total: number }
  expect(total).toBeGreaterThan(10)
  const isTakenIn = async () =>
    (await Array.fromAsync(readLog(dir))).some(({ kind }) => kind === 'searches')
  while (!(await isTakenIn())) await moment(50)
  appendFileSync(seeds, 'http://b.test/77777\n')
  await until(() => asked.includes('/77777'), ended)
  expect((await forager('stop', '--dir', dir)).code).toBe(0)
})
