import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { firstOf, isThorough } from '#numeric/cases.test-kit.ts'
import { openDatabaseToRead } from '#repository/database/open-database.ts'
import { CrawlStore } from '#repository/state/crawl-store.ts'
import { sharedFolder } from '#repository/temporary-folder.test-kit.ts'
import { startEndlessSite } from './endless-site.ts'
import { type Ended, forager, startForager } from './forager-process.ts'

const folder = sharedFolder()
const dir = join(folder, 'crawl')
const queryLog = join(dir, 'queries')
afterAll(() => {
  if (existsSync(queryLog)) chmodSync(queryLog, 0o755)
  if (existsSync(dir)) permit(0o755, 0o644)
})

/** Commands that only look, and what each must say of a crawl of the endless site. */
const LOOKING: Readonly<Record<string, object>> = {
  'plan --fetches 3': { fetches: { length: 3 } },
  'explain http://h0.test/0': { known: true },
  'queries list': { synthetic: true },
  'queries needy': { synthetic: true },
  'queries export --out /dev/null': { asked: 0 },
  'search page': { query: 'page' },
}

/** A line of the search page's own log, which is for its owner alone. */
const SEARCH_EVENT = `${JSON.stringify({
  ...{ application: 'search-page', query_id: '1', client_id: 'c', user_query: 'hiking trails' },
  timestamp: '2026-11-15T11:26:33.052Z',
})}\n`

const crawlArgs = (resolve: string) => [
  ...['crawl', 'http://h0.test/0', '--dir', dir, '--resolve', resolve, '--json'],
  ...['--delay', '0.1', '--batch', '100000', '--policy', 'bfs'],
]

/** Every file of a directory, and when it was last written. */
const stamps = () =>
  ['.', 'segments', 'index', 'warc'].flatMap((inner) =>
    readdirSync(join(dir, inner)).map((name) => {
      const { size, mtimeMs } = statSync(join(dir, inner, name))
      return [inner, name, size, mtimeMs]
    }),
  )

type Run = (...args: string[]) => Promise<Ended>

/** In CI each look is a process of its own, and all are made at once. */
const asOwner: Run = isThorough ? (...args) => startForager(args).ended : forager

async function lookWith(run: Run, looks = Object.entries(LOOKING)): Promise<void> {
  const looking = looks.map(async ([command, json]) => {
    const { code, stdout, stderr } = await run(...command.split(' '), '--dir', dir, '--json')
    expect(code, stderr).toBe(0)
    expect(JSON.parse(stdout), command).toMatchObject(json)
  })
  await Promise.all(looking)
}

async function statusBy(run: Run) {
  const { stdout, stderr } = await run('status', '--dir', dir, '--json')
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

test.runIf(isThorough)(
  'one can look while a crawl runs, after it was killed, and where one may only read',
  async () => {
    let asked = 0
    let enough = () => {}
    const untilAsked = new Promise<void>((resolve) => {
      enough = resolve
    })
    const site = await startEndlessSite(() => {
      if (++asked === 50) enough()
    })
    await forager(...crawlArgs(site.resolve), '--budget', '20')
    const { child, ended } = startForager([...crawlArgs(site.resolve), '--budget', '100000'])
    await untilAsked
    await lookWith(asOwner)
    expect(await statusBy(forager)).toMatchObject({ running: { pid: child.pid } })
    child.kill('SIGKILL')
    await ended
    site.close()

    expect(readdirSync(join(dir, 'segments'))).not.toEqual([])
    mkdirSync(queryLog)
    writeFileSync(join(queryLog, 'events-2026-11-15.jsonl'), SEARCH_EVENT)
    const seen = await forager('queries', 'list', '--dir', dir, '--json')
    expect(JSON.parse(seen.stdout)).toMatchObject({
      total: 1,
      queries: [{ text: 'hiking trails' }],
    })
    const killed = stamps()
    const status = await statusBy(forager)
    expect(status.spent).toBeGreaterThan(20)
    permit(0o555, 0o444)
    chmodSync(queryLog, 0)
    await lookWith(asReader, firstOf(3, Object.entries(LOOKING)))
    expect(await statusBy(asReader)).toEqual(status)
    expect(stamps()).toEqual(killed)
    const refused = await asReader(...crawlArgs(site.resolve))
    expect(refused.stderr).toMatch(/^forager: no permission .*\n$/)
    expect(refused.code).toBe(2)
  },
)

test('a crawl waits for somebody who looks, and begins when that one is gone', async () => {
  const looked = join(folder, 'looked-at')
  const store = await CrawlStore.open(looked)
  store.close()
  const { close } = await openDatabaseToRead(looked)
  const site = await startEndlessSite(() => {})
  const crawl = ['crawl', 'http://h0.test/0', '--dir', looked, '--resolve', site.resolve]
  const { child, ended } = startForager([...crawl, '--delay', '0', '--budget', '3'])
  const [words] = await once(child.stderr!, 'data')
  expect(String(words)).toBe(`waiting for ${looked}, which somebody else has open\n`)
  close()
  const { code, stdout } = await ended
  expect(code).toBe(0)
  expect(stdout).toMatch(/^budget spent: 3 of 3 fetches/)
  site.close()
})

/** Permissions mean nothing to root, who therefore lends the command the rights of nobody. */
const NOBODY = 65_534
const asReader: Run = (...args) =>
  startForager(args, undefined, process.getuid?.() === 0 ? NOBODY : undefined).ended

/** Sets what may be done with all that is in the directory. */
function permit(folderMode: number, fileMode: number): void {
  chmodSync(folder, 0o755)
  chmodSync(dir, folderMode)
  for (const entry of readdirSync(dir, { recursive: true, withFileTypes: true }))
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? folderMode : fileMode)
}
