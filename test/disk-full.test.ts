import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { firstOf } from '#numeric/cases.test-kit.ts'
import { askTables } from '#repository/database/ask-tables.test-kit.ts'
import { CrawlStore } from '#repository/state/crawl-store.ts'
import { sharedFolder } from '#repository/temporary-folder.test-kit.ts'
import { startEndlessSite } from './endless-site.ts'
import { forager } from './forager-process.ts'

const BIN = join(import.meta.dirname, '..', 'bin', 'forager.js')
const BUDGET = 400

const folder = sharedFolder()

/** Runs forager where no file may grow beyond so many KiB: writing then fails as on a full disk. */
function foragerOnSmallDisk(kibibytes: number, args: readonly string[], into = '/dev/null') {
  const script = `ulimit -f ${kibibytes}; exec "$@" > "${into}"`
  const child = spawn('bash', ['-c', script, 'bash', process.execPath, BIN, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderr = ''
  child.stderr.on('data', (data) => {
    stderr += data
  })
  return new Promise<{ code: number | null; stderr: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, stderr }))
  })
}

const FULL_DISKS: readonly [string, number, string[]][] = [
  ['the journal', 40, ['--batch', '200', '--no-warc']],
  ['the tables', 300, ['--batch', '10', '--no-warc']],
  ['the WARC file', 400, ['--batch', '10']],
]

test.each(firstOf(1, FULL_DISKS))(
  'a disk that is full when %s grows stops the crawl cleanly, and it goes on without loss',
  async (what, kibibytes, more) => {
    const dir = join(folder, what.replaceAll(' ', '-'))
    const asked: string[] = []
    const site = await startEndlessSite(
      (url) => asked.push(url),
      () => randomBytes(4_000).toString('hex'),
    )
    const args = ['crawl', 'http://h0.test/0', '--dir', dir, '--budget', String(BUDGET)]
    args.push(
      '--delay',
      '0',
      '--response-factor',
      '0',
      '--resolve',
      site.resolve,
      ...more,
      '--json',
    )
    try {
      const full = await foragerOnSmallDisk(kibibytes, args)
      expect(full.code, full.stderr).toBe(1)
      expect(full.stderr.trimEnd()).toMatch(
        /^forager: no space left on the disk.*: free some and run the same command again; nothing finished is lost$/,
      )
      expect(asked.length).toBeLessThan(BUDGET)
      expect(largestWarcIn(dir) > 0.9 * 1024 * kibibytes).toBe(what === 'the WARC file')
      const finished = new Set(await finishedIn(dir))
      expect(finished.size).toBeGreaterThan(0)
      asked.length = 0
      const next = await forager(...args)
      expect(next.code, next.stderr).toBe(0)
      expect(JSON.parse(next.stdout)).toMatchObject({ end: 'budget spent', spent: BUDGET })
      expect(asked.filter((url) => finished.has(url))).toEqual([])
      const all = await finishedIn(dir)
      expect(all.length).toBe(BUDGET)
      expect(new Set(all).size).toBe(BUDGET)
    } finally {
      site.close()
    }
  },
)

test('a disk that is full before a crawl begins leaves nothing in the way of the next try', async () => {
  const parent = join(folder, 'full')
  const args = ['crawl', 'http://h0.test/0', '--dir', join(parent, 'crawl'), '--contact', 'a@b.org']
  const { code, stderr } = await foragerOnSmallDisk(4, args)
  expect(code, stderr).toBe(1)
  expect(stderr).toMatch(/^forager: no space left on the disk.*\n$/)
  expect(existsSync(parent)).toBe(false)
})

test('a copy that is made to look at a killed crawl, and does not fit, is named by its place', async () => {
  const dir = join(folder, 'killed')
  const store = await CrawlStore.open(dir)
  store.close()
  writeFileSync(join(dir, 'segments', 'cycle-1.jsonl'), '{"cut off')
  const { code, stderr } = await foragerOnSmallDisk(4, ['status', '--dir', dir])
  expect(code, stderr).toBe(1)
  expect(stderr).toMatch(
    /^forager: no space left on the disk \(.*forager-look-.*state\.duckdb\): .*\n$/,
  )
})

test('a disk that is full behind standard output is one line and exit code 1', async () => {
  const { code, stderr } = await foragerOnSmallDisk(0, ['lab', 'list'], join(folder, 'result'))
  expect(code, stderr).toBe(1)
  expect(stderr).toMatch(/^forager: no space left on the disk.*\n$/)
})

/** Every URL whose fetch a directory knows to be finished, in the tables or in the journal. */
async function finishedIn(dir: string): Promise<string[]> {
  const store = await CrawlStore.open(dir)
  const { pending } = await store.load().finally(() => store.close())
  const fetched = 'SELECT u.url FROM fetch_log f JOIN url u ON u.id = f.url_id'
  const stored = await askTables(dir, fetched)
  return [...stored.map(({ url }) => String(url)), ...pending.map(({ outcome }) => outcome.url)]
}

function largestWarcIn(dir: string): number {
  const folder = join(dir, 'warc')
  if (!existsSync(folder)) return 0
  const sizes = readdirSync(folder).map((name) => statSync(join(folder, name)).size)
  return Math.max(0, ...sizes)
}
