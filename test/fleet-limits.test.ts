import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as moment } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startReplayServer } from '#app/server/replay-server.ts'
import { readArchive } from '#archive/format/read-archive.ts'
import { writeArchive } from '#archive/format/write-archive.ts'
import { generateModelWeb } from '#lab/model-web/generate.ts'
import { importQueryList } from '#library/queries/import-log.ts'
import { startPostgres, type TestPostgres } from '#repository/leases/postgres.test-kit.ts'
import { openPostgresLeases } from '#repository/leases/postgres-leases.ts'
import { readLog } from '#repository/state/take-up-log.ts'
import { startForager } from './forager-process.ts'
import { html, startScriptedSite } from './scripted-site.ts'

/** Run by `npm run test:postgres`, in CI too. */
const isWanted = process.env.FORAGER_POSTGRES !== undefined
const PAGES = 60

describe.runIf(isWanted)('a crawl with workers elsewhere', () => {
  let server: TestPostgres
  let schemas = 0
  beforeAll(() => {
    server = startPostgres()
  })
  afterAll(() => server?.stop())

  /** Two workers, a site of sixty pages that link to two others each, and what a planner needs to be told. */
  async function fleet() {
    const folder = mkdtempSync(join(tmpdir(), 'forager-limits-'))
    const pages = Array.from({ length: PAGES }, (_, i) => {
      const links = [2 * i + 1, 2 * i + 2].filter((to) => to < PAGES)
      const text = links.map((to) => `<a href="/${to}">heron ${to}</a>`).join(' ')
      return [
        `/${i === 0 ? '' : i}`,
        html(`<title>heron ${i}</title>${'reeds '.repeat(50)}${text}`),
      ]
    })
    const site = await startScriptedSite(Object.fromEntries(pages))
    const schema = `limits_${schemas++}`
    const address = `${server.url}&schema=${schema}`
    const meeting = ['--leases', address, '--store', join(folder, 'segments')]
    const workers = [1, 2].map(() => startForager(['worker', ...meeting, '--no-config'], folder))
    onTestFinished(async () => {
      for (const { child } of workers) child.kill('SIGTERM')
      await Promise.all(workers.map(({ ended }) => ended))
      site[Symbol.dispose]()
      rmSync(folder, { recursive: true, force: true })
    })
    const dir = join(folder, 'data')
    const web = ['--resolve', site.resolve, '--dir', dir, '--no-config', ...meeting]
    const start = (...flags: string[]) =>
      startForager(['crawl', 'https://example.org/', '--contact', 'a@b.example', ...web, ...flags])
    const crawl = (...flags: string[]) => start(...flags).ended
    const ledger = async () => {
      const leases = await openPostgresLeases({ url: server.url, schema })
      try {
        return await leases.ledger()
      } finally {
        await leases.close()
      }
    }
    return { folder, dir, site, meeting, start, crawl, ledger }
  }

  async function fetched(dir: string): Promise<string[]> {
    const urls: string[] = []
    for await (const entry of readLog(dir)) if (entry.kind === 'fetch') urls.push(entry.outcome.url)
    return urls
  }

  function repeatedIn(urls: readonly string[]): string[] {
    return urls.filter((url, place) => urls.indexOf(url) < place)
  }

  test('ends when its time is up, and the next run goes on where it was; past plans can be made again', async () => {
    const { dir, crawl, ledger } = await fleet()
    const plain = ['--budget', '50', '--policy', 'bfs']
    const first = await crawl(...plain, '--delay', '0.5', '--max-time', '12s')
    expect([first.code, first.stdout]).toEqual([0, expect.stringContaining('time is up')])
    const before = await fetched(dir)
    expect(before.length).toBeGreaterThan(0)
    expect(before.length).toBeLessThan(50)
    const second = await crawl(...plain, '--delay', '0')
    expect([second.code, second.stdout]).toEqual([0, expect.stringContaining('50 of 50 fetches')])
    const after = await fetched(dir)
    expect(after.slice(0, before.length)).toEqual(before)
    expect(repeatedIn(after)).toEqual([])
    expect(await ledger()).toMatchObject({ spent: 50, lost: 0, escrow: 0 })
    const plan = await startForager(['plan', '--at', '1', '--dir', dir, '--json']).ended
    expect([plan.code, JSON.parse(plan.stdout).fetches.length]).toEqual([0, expect.any(Number)])
    const none = await startForager(['plan', '--at', '9999', '--dir', dir]).ended
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('no cycle 9999')])
  }, 120_000)

  test('repeats nothing that workers did while the planner was killed', async () => {
    const { dir, start, ledger } = await fleet()
    const killed = start('--budget', '50', '--delay', '0.3')
    // Its workers end all that is queued, and nobody reads that.
    const isPromised = async () => (await ledger()).escrow > 0
    const isBegun = async () => (await ledger()).spent >= 3 && (await isPromised())
    for (let waits = 0; waits < 200 && !(await isBegun()); waits++) await moment(200)
    killed.child.kill('SIGKILL')
    await killed.ended
    const before = await ledger()
    for (let waits = 0; waits < 200 && (await isPromised()); waits++) await moment(200)
    expect((await ledger()).spent).toBeGreaterThan(before.spent)
    expect(await start('--budget', '50', '--delay', '0').ended).toMatchObject({ code: 0 })
    const urls = await fetched(dir)
    expect(repeatedIn(urls)).toEqual([])
    expect(urls.length).toBe(50)
    expect(await ledger()).toMatchObject({ spent: 50, lost: 0, escrow: 0 })
  }, 120_000)

  test('keeps to its bytes', async () => {
    const { dir, crawl, ledger } = await fleet()
    const most = 8_192
    const limits = ['--budget', '60', '--delay', '0', '--max-body', '2kB']
    const first = await crawl(...limits, '--max-bytes', `${most}`)
    expect([first.code, first.stdout]).toEqual([0, expect.stringContaining('byte budget')])
    const count = (await fetched(dir)).length
    expect(count).toBeGreaterThan(3)
    expect(count).toBeLessThan(PAGES)
    expect(await ledger()).toMatchObject({ lost: 0, escrow: 0 })
  }, 120_000)

  test('ends when little is left to gain: nothing is sent after that, and what was sent is in the log', async () => {
    const { folder, dir, meeting, ledger } = await fleet()
    const web = generateModelWeb({ seed: 4, pages: 500, weeks: 1 })
    await writeArchive(join(folder, 'web'), web)
    const archive = await readArchive(join(folder, 'web'))
    const server = await startReplayServer({ archive, port: 0, from: 0, speed: 0 })
    onTestFinished(() => server.close())
    await importQueryList(dir, web.workload!.queries)
    const { code, stdout, stderr } = await startForager([
      ...['crawl', ...archive.site.start, '--dir', dir, '--no-config', '--json', ...meeting],
      ...['--resolve', `*=127.0.0.1:${server.port}`, '--contact', 'a@b.example', '--delay', '0'],
      ...['--budget', '300', '--batch', '40', '--until-gain', '0.6'],
    ]).ended
    expect(code, stderr).toBe(0)
    const { end, spent, gained, left } = JSON.parse(stdout.trimEnd().split('\n').at(-1)!)
    expect(end).toBe('little left to gain')
    expect(spent).toBeLessThan(300)
    expect(left.upTo).toBeLessThan(0.6 * gained)
    expect(await ledger()).toMatchObject({ spent, lost: 0, escrow: 0 })
  }, 180_000)

  test('goes on for good as a service, by its rate, until it is told to stop', async () => {
    const { folder, dir, site, meeting, ledger } = await fleet()
    const file = join(folder, 'forager.json')
    const settings = {
      ...{ dir, seeds: ['https://example.org/'], identity: { contact: 'a@b.example' } },
      ...{ http: { resolve: [site.resolve] }, politeness: { delaySeconds: 0 } },
    }
    writeFileSync(file, JSON.stringify(settings))
    const service = startForager(['run', '--config', file, ...meeting])
    for (let waits = 0; waits < 120 && (await ledger()).spent < 10; waits++) await moment(500)
    service.child.kill('SIGTERM')
    expect(await service.ended).toMatchObject({ code: 0 })
    const { spent } = await ledger()
    expect(spent).toBeGreaterThanOrEqual(10)
    expect((await fetched(dir)).length).toBeLessThanOrEqual(spent)
  }, 120_000)
})
