import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { killCrawl } from './kill-crawl.ts'

const KILLS = 12
const BUDGET = 600
const HOSTS = 7

// `npm run bench -- kills` does the same for longer.
test('killed again and again, a crawl loses nothing, repeats nothing, keeps its budget and its WARC files', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'forager-crash-'))
  try {
    const crawl = await killCrawl({
      dir,
      kills: KILLS,
      budget: BUDGET,
      batch: 17,
      seed: 20_261_115,
    })
    expect(crawl).toMatchObject({ end: 'budget spent', spent: BUDGET, finished: BUDGET })
    expect(crawl).toMatchObject({ lost: [], loggedTwice: [], repeated: [] })
    expect(crawl.requests - BUDGET, 'only what was in flight').toBeLessThanOrEqual(KILLS * HOSTS)
    expect(crawl.warc).toMatchObject({ missing: [], misplaced: [] })
    expect(crawl.warc.spare, 'only what was in flight').toBeLessThanOrEqual(KILLS * HOSTS)
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
})
