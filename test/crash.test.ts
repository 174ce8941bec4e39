import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { seededRandom } from '#numeric/random.ts'
import { CrawlStore } from '#repository/state/crawl-store.ts'
import { startEndlessSite } from './endless-site.ts'
import { startForager } from './forager-process.ts'

const KILLS = 12
const BUDGET = 600

/** Every URL whose fetch a directory knows to be finished, in the tables or in the journal. */
async function finishedIn(dir: string): Promise<string[]> {
  const store = await CrawlStore.open(dir)
  try {
    const { pending } = await store.load()
    const stored = await store.query('SELECT u.url FROM fetch_log f JOIN url u ON u.id = f.url_id')
    return [...stored.map(({ url }) => String(url)), ...pending.map(({ outcome }) => outcome.url)]
  } finally {
    store.close()
  }
}

test('killed again and again, a crawl loses nothing, repeats nothing and keeps its budget', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'forager-crash-'))
  const random = seededRandom(20_261_115)
  const finished = new Set<string>()
  const repeated: string[] = []
  let onRequest = () => {}
  const site = await startEndlessSite((url) => {
    if (finished.has(url)) repeated.push(url)
    onRequest()
  })
  const args = [
    'crawl',
    'http://h0.test/0',
    '--dir',
    dir,
    '--budget',
    String(BUDGET),
    '--batch',
    '17',
  ]
  args.push('--delay', '0', '--resolve', site.resolve, '--json')
  try {
    for (let kill = 0; kill < KILLS; kill++) {
      const { child, ended } = startForager(args)
      let requestsLeft = 1 + random.below(60)
      const afterMs = random.below(25)
      onRequest = () => {
        if (--requestsLeft === 0) setTimeout(() => child.kill('SIGKILL'), afterMs)
      }
      expect((await ended).signal, 'the crawl ended before it could be killed').toBe('SIGKILL')
      onRequest = () => {}
      const before = finished.size
      const now = await finishedIn(dir)
      expect(new Set(now).size, 'no fetch is logged twice').toBe(now.length)
      for (const url of now) finished.add(url)
      expect(finished.size, 'nothing finished is lost').toBe(now.length)
      expect(finished.size).toBeGreaterThanOrEqual(before)
    }
    const { code, stdout } = await startForager(args).ended
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ end: 'budget spent', spent: BUDGET })
    expect(repeated).toEqual([])
    expect((await finishedIn(dir)).length).toBe(BUDGET)
  } finally {
    site.close()
    rmSync(dir, { recursive: true, force: true })
  }
})
